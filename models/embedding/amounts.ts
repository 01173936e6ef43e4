// How much a feature counts in a text. The trainer and the model must agree on it.

/** The first words of a piece of code are its path, name and signature, which say more than its body. */
export const HEAD_WORDS = 20
export const HEAD_WEIGHT = 2

/** A word that comes ten times does not mean ten times as much. */
export const amountOf = (count: number): number => Math.log1p(count)
