// A figure trains no model.
export class Training {}
export const train = () => {};
