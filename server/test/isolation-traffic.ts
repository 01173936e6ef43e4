// Users who work while the content of their organisation moves. The returned observations must match the final state.

export type Caller = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; text: string; body: Record<string, unknown> }>

/** The expected state: threads with titles and message counts, and deleted threads. */
export type ObservedThreads = {
  readonly threads: Map<string, { title: string; messages: number }>
  readonly deleted: Set<string>
}

/** The slowest call, except model answers. */
export type Slowest = { readonly ms: number; readonly call: string }

export type Traffic = {
  /** Finishes the current calls and returns the observations. */
  stop(): Promise<{ observed: ObservedThreads; calls: number; failures: string[]; slowest: Slowest }>
}

const ROUNDS_MAX = 400

/** Renames every thread, asks a question in every fifth and deletes every third. */
export function startTraffic(callers: readonly Caller[]): Traffic {
  const told: ObservedThreads = { threads: new Map(), deleted: new Set() }
  const failures: string[] = []
  let [calls, stopped] = [0, false]
  let slowest: Slowest = { ms: 0, call: '' }

  async function timed(call: Caller, method: string, path: string, body?: object) {
    const from = performance.now()
    const reply = await call(method, path, body)
    const ms = Math.round(performance.now() - from)
    if (ms > slowest.ms && !path.endsWith('/messages')) slowest = { ms, call: `${method} ${path}` }
    calls++
    if (reply.status >= 400) failures.push(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`)
    return reply
  }

  async function round(call: Caller, n: number): Promise<void> {
    const { body } = await timed(call, 'POST', '/chat/threads', { mode: 'general' })
    const path = `/chat/threads/${body.id}`
    const thread = { title: `thread ${n}`, messages: 0 }
    await timed(call, 'PATCH', path, { title: thread.title })
    told.threads.set(String(body.id), thread)
    if (n % 5 === 0) {
      const { text } = await timed(call, 'POST', `${path}/messages`, { prompt: `question ${n}` })
      if (!text.includes('"complete"')) failures.push(`incomplete answer: ${text.slice(-300)}`)
      thread.messages += 2
    }
    if (n % 3 !== 0) return
    await timed(call, 'DELETE', path)
    told.threads.delete(String(body.id))
    told.deleted.add(String(body.id))
  }

  async function work(call: Caller): Promise<void> {
    for (let n = 0; n < ROUNDS_MAX && !stopped && failures.length === 0; n++) await round(call, n)
  }

  const working = callers.map(work)
  return {
    async stop() {
      stopped = true
      await Promise.all(working)
      return { observed: told, calls, failures, slowest }
    },
  }
}
