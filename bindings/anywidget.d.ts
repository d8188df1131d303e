/** What a host of anywidgets gives; one that only shows has no more than get(). */
export interface Model {
  get(name: string): unknown;
  set?(name: string, value: unknown): void;
  save_changes?(): void;
  on?(event: string, listener: () => void): void;
  off?(event: string, listener: () => void): void;
}

declare const widget: {
  /** Shows a figure in `el`; the function that is returned takes it away. */
  render(given: { model: Model; el: HTMLElement }): () => void;
};
export default widget;
