// The weight of a feature in a text. The trainer and the model must use the same values.

/**
 * The first words of a code chunk are its path, name and signature, which are more significant than its
 * body.
 */
export const HEAD_WORDS = 20
export const HEAD_WEIGHT = 2

/** Sublinear, so that ten occurrences do not weigh ten times as much. */
export const termWeight = (count: number): number => Math.log1p(count)
