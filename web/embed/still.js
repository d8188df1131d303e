// In place of what moves: figures show the steps.
export class Moving {
  now = false;
}
