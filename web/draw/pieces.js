// Pieces of words as they are read.

/** A space is part of a token, and so is the end of a line; neither would be seen. Byte-level BPE writes Ġ and Ċ for them,
 * SentencePiece ▁ for a space. @param {string} piece */
export const seen = (piece) => piece.replace(/[Ġ▁]/g, '·').replace(/Ċ/g, '↵');
