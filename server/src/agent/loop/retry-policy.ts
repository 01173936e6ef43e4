// Whether another attempt is worth its money: what the attempts so far say about the next one. Nothing here touches the world.

/** What one attempt led to. The first of a loop is the workspace as it came. */
export type AttemptResult = {
  /** The workspace and, where something could not be applied, what that was. */
  readonly stateHash: string
  /** What was wrong afterwards: the same failure has the same one. */
  readonly signature: string
  /** How many tests failed; infinite where nobody could count them. */
  readonly failing: number
}

export type NextStep =
  /** Another attempt would be the same one. */
  | { readonly kind: 'stop' }
  | {
      readonly kind: 'go_on'
      /** The attempt whose workspace the next one starts from, when it is not the last. */
      readonly from: number | null
      /** What the next attempt is told, in our words. */
      readonly hint: string | null
    }

const OTHER_IDEA =
  'The last attempt did not change the failure at all. State a different hypothesis about its cause first, then act on that one.'
const ROLLED_BACK =
  'The last attempts made more tests fail each time, so they were taken back: the files are shown as they were at the best point. Take another way.'

/** What to do after the last of these attempts, which did not succeed. */
export function chooseNextStep(attempts: readonly AttemptResult[]): NextStep {
  const [last, previous, earlier] = [attempts.at(-1), attempts.at(-2), attempts.at(-3)]
  if (!last || !previous) return { kind: 'go_on', from: null, hint: null }
  if (isRepeated(last, previous) || isOscillating(attempts)) return { kind: 'stop' }
  if (earlier && last.failing > previous.failing && previous.failing > earlier.failing)
    return { kind: 'go_on', from: findBestAttempt(attempts), hint: ROLLED_BACK }
  return { kind: 'go_on', from: null, hint: last.signature === previous.signature ? OTHER_IDEA : null }
}

/** The attempt with the fewest failing tests, the latest of them. */
export function findBestAttempt(attempts: readonly Pick<AttemptResult, 'failing'>[]): number {
  const fewest = Math.min(...attempts.map(({ failing }) => failing))
  return attempts.findLastIndex(({ failing }) => failing === fewest)
}

const isRepeated = (last: AttemptResult, previous: AttemptResult): boolean =>
  last.stateHash === previous.stateHash && last.signature === previous.signature

/** Back where an earlier attempt had been: the next one would lead away and back again. */
const isOscillating = (attempts: readonly AttemptResult[]): boolean =>
  attempts.slice(0, -2).some(({ stateHash }) => stateHash === attempts.at(-1)?.stateHash)
