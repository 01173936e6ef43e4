// How far a loop may go. What is reached ends it with what it has, never with an error.

export const ITERATIONS_MAX = 8
export const TEST_COMMAND_CHARACTERS = 2_000
/** From the start of a loop to its last word. What is in flight then is broken off, and charged where it was read along. */
export const WALL_CLOCK_MINUTES = 25
const ITERATIONS_OF_TIER: Readonly<Record<string, number>> = { individual: 3, team: 4, enterprise: 6 }
const LEAST = 3
const AT_ONCE_OF_TIER: Readonly<Record<string, number>> = { individual: 2, team: 4, enterprise: 8 }
const LEAST_AT_ONCE = 2

/** How many loops an organisation may have under way. */
export const loopsAtOnceFor = (tier: string): number => AT_ONCE_OF_TIER[tier] ?? LEAST_AT_ONCE

/** What was asked for, and no more than the plan allows; all of that when nothing was asked for. */
export function iterationsFor(tier: string, asked: number | undefined): number {
  const cap = ITERATIONS_OF_TIER[tier] ?? LEAST
  return Math.min(asked ?? cap, cap)
}
