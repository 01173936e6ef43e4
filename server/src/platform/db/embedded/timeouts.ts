// Bounded waiting.
import { setTimeout as pause } from 'node:timers/promises'

export { pause }

/** What the promise gives, or undefined when it takes longer. Keeps the process alive meanwhile. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, pause(timeoutMs, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/** Asks every few milliseconds until the answer is yes; false when it never was. */
export async function pollUntil(timeoutMs: number, isSo: () => boolean, everyMs = 10): Promise<boolean> {
  const endMs = performance.now() + timeoutMs
  while (performance.now() < endMs) {
    if (isSo()) return true
    await pause(everyMs)
  }
  return isSo()
}
