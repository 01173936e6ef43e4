// Patterns of model ids: an exact id, or a prefix followed by `*`.

/** Whether a list of patterns allows a model. Null allows every model. */
export const isModelAllowed = (patterns: readonly string[] | null, id: string): boolean =>
  patterns === null || patterns.some((pattern) => matchesModel(pattern, id))

/** Whether every id that a pattern matches is allowed. */
export const isPatternWithin = (pattern: string, outer: readonly string[] | null): boolean =>
  outer === null || outer.some((each) => isWithin(pattern, each))

/** The patterns of the ids that both lists allow. */
export const intersectPatterns = (one: readonly string[], other: readonly string[]): string[] => [
  ...new Set([
    ...one.filter((pattern) => isPatternWithin(pattern, other)),
    ...other.filter((pattern) => isPatternWithin(pattern, one)),
  ]),
]

// A prefix is within another prefix under the same rule as an id: it starts with it.
const isWithin = (pattern: string, outer: string): boolean =>
  pattern === outer || (outer.endsWith('*') && pattern.startsWith(outer.slice(0, -1)))

export const matchesModel = (pattern: string, id: string): boolean =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
