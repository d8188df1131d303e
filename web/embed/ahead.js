// A figure opens no checkpoint: the translator is the only model, and nothing is computed ahead.
export class Ahead {
  waits() {
    return false;
  }

  derive() {}
}
