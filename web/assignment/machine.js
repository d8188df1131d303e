// Whoever is asked for a number is not shown how it arises: nothing plays here.
export const WORKING = '';
