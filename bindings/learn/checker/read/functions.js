// The functions that texts write, in all their names.

export const FUNCTIONS = [
  ...['softmax', 'layernorm', 'exp', 'sqrt', 'sin', 'cos', 'tanh', 'sigmoid', 'relu', 'abs'],
  ...['log', 'ln', 'log2', 'log10', 'sum', 'mean', 'diag', 'len'],
];
/** Those that texts write for one of these. @type {Readonly<Record<string, string>>} */
export const ALIASES = {
  expit: 'sigmoid',
  'layer norm': 'layernorm',
  layer_norm: 'layernorm',
  lg: 'log10',
  sigma: 'sigmoid',
  σ: 'sigmoid',
};
/** Those of numbers that texts also write without brackets. */
export const WITHOUT_BRACKETS = ['exp', 'sqrt', 'sin', 'cos', 'tanh', 'log', 'ln', 'log2', 'log10'];
/** Those that stand in words, too: only round brackets make them functions. */
export const REDUCING = ['mean', 'sum'];
/** Those whose several arguments are a row: softmax(2, 0). */
export const OF_ROWS = ['softmax', 'layernorm', 'mean', 'sum'];
/** Those of several numbers. */
export const OF_SEVERAL = ['min', 'max'];
/** Those of two values that are their product: np.dot(q, k). */
export const PRODUCTS = ['dot', 'matmul', 'mm'];
export const WRAPPERS = ['array', 'tensor', 'matrix', 'np.array', 'torch.tensor'];
/** Methods whose result holds the numbers of what they are called on: w.detach().numpy(). */
export const SAME = ['numpy', 'detach', 'tolist', 'item', 'cpu'];
/** What rounds to some decimals; of what is printed these are its own. */
export const ROUNDING = ['round', 'around', 'np.round', 'np.around', 'torch.round'];
