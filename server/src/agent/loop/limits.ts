// How far a loop may go. What is reached ends it with what it has, never with an error.

export const ITERATIONS_MAX = 8
export const TEST_COMMAND_CHARACTERS = 2_000
/** From the start of a loop to its last word. What is in flight then is broken off, and charged where it was read along. */
export const WALL_CLOCK_MINUTES = 25
const ITERATIONS_OF_TIER: Readonly<Record<string, number>> = { individual: 3, team: 4, enterprise: 6 }
const ITERATIONS_DEFAULT = 3
const CONCURRENT_LOOPS_OF_TIER: Readonly<Record<string, number>> = { individual: 2, team: 4, enterprise: 8 }
const CONCURRENT_LOOPS_DEFAULT = 2

/** How many loops an organisation may have under way. */
export const maxConcurrentLoops = (tier: string): number =>
  CONCURRENT_LOOPS_OF_TIER[tier] ?? CONCURRENT_LOOPS_DEFAULT

/** What was asked for, and no more than the plan allows; all of that when nothing was asked for. */
export function maxIterationsFor(tier: string, requested: number | undefined): number {
  const cap = ITERATIONS_OF_TIER[tier] ?? ITERATIONS_DEFAULT
  return Math.min(requested ?? cap, cap)
}
