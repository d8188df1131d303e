import { html, nothing } from 'lit';

/**
 * A field for a number, which takes no other than it allows.
 * @param {{ min: number, max: number, step?: string, value: number, set: (value: number) => void }} options
 */
export const numberField = ({ min, max, step, value, set }) => html`<input
  type="number"
  min=${min}
  max=${max}
  step=${step ?? nothing}
  .value=${String(value)}
  @change=${(/** @type {Event} */ { currentTarget }) => {
    const field = /** @type {HTMLInputElement} */ (currentTarget);
    if (field.value !== '' && field.checkValidity()) set(field.valueAsNumber);
    else field.value = String(value);
  }}
/>`;
