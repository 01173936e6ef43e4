// Whether this thread can still be relied on. Who breaks something that later tasks need says so, and the thread is given up
// after the task it is in.

let isSpoilt = false

export function spoilThread(): void {
  isSpoilt = true
}

export const isThreadSpoilt = (): boolean => isSpoilt
