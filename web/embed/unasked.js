// Functions on plain data that no figure calls.
export const attention = () => ({});
export const losses = () => ({});
export const moving = () => ({});
export const positions = () => ({});
export const products = () => ({});
export const rows = () => ({});
