// The windows of one bucket that this process remembers: a bounded number, the oldest dropped first.
import { type Bucket, isLive, newWindow, type Window } from './window.ts'

export type WindowMemory = {
  /** The live window of an address, or a new one in its place. */
  windowOf(address: string, nowMs: number): Window
  readonly size: number
}

export function createWindowMemory(bucket: Bucket, addressesMax: number): WindowMemory {
  // In the order in which the windows began, which is the order in which they end.
  const windows = new Map<string, Window>()
  // Kept across calls: a new iterator would first step over all that was deleted before it, 50 µs instead of 1.
  let oldest = windows.values()

  function nextOldest(): Window | undefined {
    const { value, done } = oldest.next()
    if (!done) return value
    oldest = windows.values()
    return oldest.next().value
  }

  /** Drops the oldest, but none that somebody waits for: those go to the back of the line instead. */
  function makeRoom(): void {
    for (let tries = windows.size; tries > 0 && windows.size >= addressesMax; tries--) {
      const window = nextOldest()
      if (window === undefined) return
      windows.delete(window.address)
      if (window.waiters.length > 0) windows.set(window.address, window)
    }
  }

  return {
    windowOf(address, nowMs) {
      const found = windows.get(address)
      if (found !== undefined) {
        if (isLive(found, nowMs) || found.waiters.length > 0) return found
        windows.delete(address)
      } else if (windows.size >= addressesMax) {
        makeRoom()
      }
      const window = newWindow(bucket, address)
      windows.set(address, window)
      return window
    },
    get size() {
      return windows.size
    },
  }
}
