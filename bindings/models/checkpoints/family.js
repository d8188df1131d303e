// What a family's entry in families.json means: the values that it states for each stage, and what its rules add.

import { isObject } from '../../js/base/values.js';
import { RULES } from './rules.js';

/** @typedef {import('./file.js').File} File */
/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./table.js').Form} Form */
/** @typedef {import('./table.js').Settings} Settings */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** A form stands for a value: itself, or that of the first key `of` that there is, else `else`, times a number or over
 * that of another key.
 * @param {Form | undefined} form @param {Readonly<Record<string, unknown>>} facts
 * @returns {unknown} */
export function evaluate(form, facts) {
  if (!isObject(form)) return form;
  const { of, over, times, else: other } = /** @type {import('./table.js').Reference} */ (form);
  const key = [of].flat().find((one) => (facts[one] ?? null) !== null);
  const value = key === undefined ? evaluate(other, facts) : facts[key];
  if (over !== undefined) return Number(value) / Number(facts[over]);
  return times === undefined ? value : times * Number(value);
}

/** What a family says at a stage: of the settings that a config.json leaves out (defaults), of those that it must have
 * if it has them at all (demands), of fields of the model (read, and fixed: those that the whole family shares), and of
 * what is written into a config.json besides its settings (write).
 * @param {Family} family @param {'defaults' | 'demands' | 'read' | 'fixed' | 'write'} stage
 * @param {Settings | ModelConfig} facts settings of the file, or fields of the model
 * @param {File} [file]
 * @returns {Record<string, unknown>} */
export function valuesOf(family, stage, facts, file) {
  const forms = stage === 'read' ? {} : family[stage];
  let made = Object.fromEntries(
    Object.entries(forms).map(([key, form]) => [
      key,
      evaluate(form, /** @type {Settings} */ (facts)),
    ]),
  );
  for (const name of family.rules) {
    const rule = /** @type {any} */ (RULES[name][stage]);
    made = { ...made, ...rule?.(facts, { family, file, made }) };
  }
  return made;
}
