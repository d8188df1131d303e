// How a wrong number of a text may have come about.

/** @type {Readonly<Record<string, string>>} */
export const CAUSE_TEXTS = {
  step: 'microscope/step',
  carriedrounded: 'microscope/carriedrounded',
  carriedwrong: 'microscope/carriedwrong',
};
