// Decides from the attempts so far whether another one is worth its cost. Pure functions.

/** The result of one attempt. The first one of a loop is the original workspace. */
export type AttemptResult = {
  /** Hash of the workspace and of the edits that could not be applied. */
  readonly stateHash: string
  /** Identifies the failure: equal failures have equal signatures. */
  readonly signature: string
  /** Number of failing tests; infinite if unknown. */
  readonly failing: number
}

export type NextStep =
  /** Another attempt would repeat the last one. */
  | { readonly kind: 'stop' }
  | {
      readonly kind: 'continue'
      /** The attempt to continue from, if not the last. */
      readonly from: number | null
      /** Our hint for the next attempt. */
      readonly hint: string | null
    }

const OTHER_IDEA =
  'The last attempt did not change the failure at all. State a different hypothesis about its cause first, then act on that one.'
const ROLLED_BACK =
  'The last attempts made more tests fail each time, so they were taken back: the files are shown as they were at the best point. Take another way.'

/** Chooses the next step after a failed attempt. */
export function chooseNextStep(attempts: readonly AttemptResult[]): NextStep {
  const [last, previous, earlier] = [attempts.at(-1), attempts.at(-2), attempts.at(-3)]
  if (!last || !previous) return { kind: 'continue', from: null, hint: null }
  if (isRepeated(last, previous) || isOscillating(attempts)) return { kind: 'stop' }
  if (earlier && last.failing > previous.failing && previous.failing > earlier.failing)
    return { kind: 'continue', from: findBestAttempt(attempts), hint: ROLLED_BACK }
  return { kind: 'continue', from: null, hint: last.signature === previous.signature ? OTHER_IDEA : null }
}

/** The latest attempt with the fewest failing tests. */
export function findBestAttempt(attempts: readonly Pick<AttemptResult, 'failing'>[]): number {
  const fewest = Math.min(...attempts.map(({ failing }) => failing))
  return attempts.findLastIndex(({ failing }) => failing === fewest)
}

const isRepeated = (last: AttemptResult, previous: AttemptResult): boolean =>
  last.stateHash === previous.stateHash && last.signature === previous.signature

/** The workspace equals that of an earlier attempt, so the loop would go in circles. */
const isOscillating = (attempts: readonly AttemptResult[]): boolean =>
  attempts.slice(0, -2).some(({ stateHash }) => stateHash === attempts.at(-1)?.stateHash)
