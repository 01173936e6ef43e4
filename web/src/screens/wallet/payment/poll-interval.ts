// The poll interval of a pending payment: constant, longer with data saver on, and limited in time.

const PAUSE_MS = 5_000
const SAVING_PAUSE_MS = 15_000
/** After this the page stops polling; the service continues, and the user can still check. */
export const POLL_MAX_MS = 600_000

/** The pause before the next poll; null when polling stops. */
export function pollIntervalMs(asks: number, isSaving: boolean): number | null {
  const pauseMs = isSaving ? SAVING_PAUSE_MS : PAUSE_MS
  return asks * pauseMs >= POLL_MAX_MS ? null : pauseMs
}
