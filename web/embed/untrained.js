// A figure trains no model.
export class Training {}
