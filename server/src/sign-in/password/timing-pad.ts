// Pads response times to a fixed step, which is much longer than the difference between the cases. So the
// time does not reveal whether an account exists.

const TIMING_STEP_MS = 50

/** Runs the work and resolves at the next step after its start. A failure rejects at once. */
export async function padTiming<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await work()
  const tookMs = performance.now() - startedMs
  const leftMs = Math.ceil(tookMs / TIMING_STEP_MS) * TIMING_STEP_MS - tookMs
  await new Promise((resolve) => setTimeout(resolve, leftMs))
  return result
}
