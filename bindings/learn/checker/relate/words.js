// What relations are called, and why numbers are not checked: names that whoever calls the checker gets.

/** What holds between numbers. @typedef {'product' | 'product with transpose' | 'scaled' | 'masked' | 'softmax' | 'shares' | 'cumulative sum' | 'sinusoid' | 'sum' | 'mean'
 *   | 'variance' | 'deviation' | 'layer norm' | 'cross entropy' | 'entropy' | 'softmax gradient' | 'moment'
 *   | 'bias correction' | 'adam step' | 'schedule' | 'exponential' | 'concatenation' | 'copy' | 'as written'} RelationName */

/** Why numbers are not checked. brackets, table: they hold more than numbers. beside: something beside an equation may belong to
 * it. unknown: names or functions in it are not known. unrelated: nothing before explains them. follows: what they follow from
 * is itself not explained. sides: two sides of an equation disagree, and no one number is to blame. shapes: two matrices have no
 * product. sentence: they stand in a sentence.
 * @typedef {'brackets' | 'sentence' | 'table' | 'beside' | 'unknown' | 'unrelated' | 'follows' | 'sides' | 'shapes'} Reason */

export {};
