// A figure keeps nothing: how far its reader has come stands in its state.
export const keep = () => {};
