// Limits of a loop. A loop that reaches one ends with its current result, not with an error.

export const ITERATIONS_MAX = 8
export const TEST_COMMAND_CHARACTERS = 2_000
/** From the start of a loop to its last frame. The turn in flight is aborted, and charged if some of it was shown. */
export const WALL_CLOCK_MINUTES = 25
const ITERATIONS_OF_TIER: Readonly<Record<string, number>> = { individual: 3, team: 4, enterprise: 6 }
const ITERATIONS_DEFAULT = 3
const CONCURRENT_LOOPS_OF_TIER: Readonly<Record<string, number>> = { individual: 2, team: 4, enterprise: 8 }
const CONCURRENT_LOOPS_DEFAULT = 2

/** The number of concurrent loops of an organisation. */
export const maxConcurrentLoops = (tier: string): number =>
  CONCURRENT_LOOPS_OF_TIER[tier] ?? CONCURRENT_LOOPS_DEFAULT

/** The requested number, capped by the plan. Default: the cap. */
export function maxIterationsFor(tier: string, requested: number | undefined): number {
  const cap = ITERATIONS_OF_TIER[tier] ?? ITERATIONS_DEFAULT
  return Math.min(requested ?? cap, cap)
}
