// Whether this thread can run further tasks. After a parser crash the thread is replaced when its task
// ends.

let isUnusable = false

export function markThreadUnusable(): void {
  isUnusable = true
}

export const isThreadUnusable = (): boolean => isUnusable
