// In a figure no term is explained: a course explains its terms itself.
export { typeset as explained } from '../telling/number.js';
