// Tables as comma-separated values: fields that hold a comma, a quote or the end of a line are quoted (RFC 4180).

/** @param {string | number} value */
const field = (value) =>
  /[",\n\r]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

/** One line for each row.
 * @param {readonly (readonly (string | number)[])[]} rows */
export const csvOf = (rows) => rows.map((row) => `${row.map(field).join(',')}\n`).join('');
