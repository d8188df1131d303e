// A figure opens no checkpoint: the translator is the only model, and nothing is one of these.
export class Checkpoint {}
