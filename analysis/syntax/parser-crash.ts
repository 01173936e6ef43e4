// Whether this thread can still be relied on. Who breaks something that later tasks need says so, and the thread is given up
// after the task it is in.

let isUnusable = false

export function markThreadUnusable(): void {
  isUnusable = true
}

export const isThreadUnusable = (): boolean => isUnusable
