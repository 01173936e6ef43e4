// Figures of the whole fleet are kept for a moment: a wall of screens that all ask for them asks the database once.
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'

const FRESH_MS = 5_000
const ENTRIES_MAX = 50

type CachedAnswer<T> = { readonly atMs: number; readonly answer: Promise<T> }

/** Answers of the last seconds, by question, in this process. At the bound the oldest is forgotten; a failure never is kept. */
export function createFleetCache<T>(): (app: App, question: string, work: () => Promise<T>) => Promise<T> {
  const memories = new WeakMap<Db, Map<string, CachedAnswer<T>>>()
  return (app, question, work) => {
    const memory = memories.get(app.db) ?? new Map<string, CachedAnswer<T>>()
    memories.set(app.db, memory)
    const atMs = app.clock.now().getTime()
    const known = memory.get(question)
    if (known && Math.abs(atMs - known.atMs) < FRESH_MS) return known.answer
    const answer = work().catch((error: unknown) => {
      memory.delete(question)
      throw error
    })
    memory.delete(question)
    const [oldest] = memory.keys()
    if (memory.size >= ENTRIES_MAX && oldest !== undefined) memory.delete(oldest)
    memory.set(question, { atMs, answer })
    return answer
  }
}
