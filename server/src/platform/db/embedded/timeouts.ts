// Waiting with a timeout.
import { setTimeout as pause } from 'node:timers/promises'

export { pause }

/** The value of the promise, or undefined after the timeout. Keeps the process alive meanwhile. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, pause(timeoutMs, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/** Polls until the condition holds. False after the timeout. */
export async function pollUntil(timeoutMs: number, isTrue: () => boolean, everyMs = 10): Promise<boolean> {
  const endMs = performance.now() + timeoutMs
  while (performance.now() < endMs) {
    if (isTrue()) return true
    await pause(everyMs)
  }
  return isTrue()
}
