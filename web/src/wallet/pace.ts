// How often somebody's browser asks about a payment it waits for: soon at first, then ever more seldom, then not at all.

const FIRST_MS = 3_000
const GROWTH = 1.5
const LONGEST_MS = 30_000
/** Some ten minutes in all. After that the service goes on watching, and the payer can still ask. */
export const ASKS_MAX = 24

/** The pause before the next question; null when there is none. */
export const pauseAfter = (asks: number): number | null =>
  asks >= ASKS_MAX ? null : Math.min(LONGEST_MS, Math.round(FIRST_MS * GROWTH ** asks))
