// Answers that must not tell by their time what was found: they are given on a beat, which is far slower than what
// the cases differ by.

const BEAT_MS = 50

/** Does the work, and comes back with the next stroke, counted from the beginning. A failure comes back at once. */
export async function onTheBeat<T>(work: () => Promise<T>): Promise<T> {
  const beganMs = performance.now()
  const result = await work()
  const tookMs = performance.now() - beganMs
  const leftMs = Math.ceil(tookMs / BEAT_MS) * BEAT_MS - tookMs
  await new Promise((resolve) => setTimeout(resolve, leftMs))
  return result
}
