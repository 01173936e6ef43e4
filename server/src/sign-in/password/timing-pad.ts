// Answers that must not tell by their time what was found: they are given on a beat, which is far slower than what
// the cases differ by.

const TIMING_STEP_MS = 50

/** Does the work, and comes back with the next stroke, counted from the beginning. A failure comes back at once. */
export async function padTiming<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await work()
  const tookMs = performance.now() - startedMs
  const leftMs = Math.ceil(tookMs / TIMING_STEP_MS) * TIMING_STEP_MS - tookMs
  await new Promise((resolve) => setTimeout(resolve, leftMs))
  return result
}
