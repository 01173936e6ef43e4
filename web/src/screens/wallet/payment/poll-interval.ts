// How often somebody's browser asks about a payment it waits for: steadily, less often where bytes are dear, and not for ever.

const PAUSE_MS = 5_000
const SAVING_PAUSE_MS = 15_000
/** After this the service goes on watching, and the payer can still ask. */
export const PATIENCE_MS = 600_000

/** The pause before the next question; null when there is none. */
export function pauseAfter(asks: number, isSaving: boolean): number | null {
  const pauseMs = isSaving ? SAVING_PAUSE_MS : PAUSE_MS
  return asks * pauseMs >= PATIENCE_MS ? null : pauseMs
}
