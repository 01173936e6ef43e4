// The steps of undisturbed runs, for tests that kill them.

/** The steps of a run in order. `hasTurn` marks model turns. */
export type Steps = readonly (readonly [step: string, hasTurn: boolean])[]
export const QUICK_STEPS: Steps = [
  ['plan', true],
  ['search.1', false],
  ['extract.1.1', true],
  ['report', true],
  ['repair', true],
]
export const STANDARD_STEPS: Steps = [
  ['plan', true],
  ['search.1', false],
  ['extract.1.1', true],
  ['extract.1.2', true],
  ['gap.1', true],
  ['search.2', false],
  ['extract.2.1', true],
  ['report', true],
  ['repair', true],
]

export const turnsOf = (steps: Steps): string[] =>
  steps.filter(([, hasTurn]) => hasTurn).map(([step]) => step)
