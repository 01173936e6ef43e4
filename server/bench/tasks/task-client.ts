// A client of tasks: starts turns, follows their events and counts the bytes that it uploads.
import { gzipSync } from 'node:zlib'
import { present } from '../../src/kernel/assert.ts'
import type { Caller } from '../http/requests.ts'
import type { Server } from '../http/rounds.ts'

export type BenchEvent = {
  readonly seq: number
  readonly kind: string
  readonly turnId: string | null
  readonly status?: string
  readonly stopReason?: string
  readonly callId?: string
}

export type TaskClient = {
  /** Of all request bodies so far. */
  readonly uploadedBytes: number
  create(workspace: object): Promise<FollowedTask>
}

export type FollowedTask = {
  readonly id: string
  /** Starts a turn and waits until it is completed. Each `needs_tool` is answered with `output`. */
  turn(prompt: string, output?: (callId: string) => string): Promise<void>
  close(): void
}

/** `isCompressed`: bodies of more than 1 KB are sent with gzip. */
export function createTaskClient({ port }: Server, { bearer }: Caller, isCompressed = false): TaskClient {
  const base = `http://127.0.0.1:${port}`
  const authorization = `Bearer ${bearer}`
  let uploadedBytes = 0
  let turns = 0

  async function post<Reply>(path: string, body: object, more: Record<string, string> = {}): Promise<Reply> {
    const text = Buffer.from(JSON.stringify(body))
    const isZipped = isCompressed && text.length > 1_024
    const sent = isZipped ? gzipSync(text) : text
    uploadedBytes += sent.length
    const encoding: Record<string, string> = isZipped ? { 'content-encoding': 'gzip' } : {}
    const headers = { authorization, 'content-type': 'application/json', ...encoding, ...more }
    const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: sent })
    const reply = await response.text()
    if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${reply.slice(0, 500)}`)
    return JSON.parse(reply) as Reply
  }

  async function follow(id: string) {
    const stop = new AbortController()
    const response = await fetch(`${base}/tasks/${id}/stream?after=0`, {
      headers: { authorization },
      signal: stop.signal,
    })
    if (response.status !== 200) throw new Error(`the stream did not open: ${await response.text()}`)
    const events = readEvents(present(response.body, 'a stream has a body'))
    return { next: async () => present((await events.next()).value, 'the stream does not end'), stop }
  }

  return {
    get uploadedBytes() {
      return uploadedBytes
    },
    async create(workspace) {
      const { id } = await post<{ id: string }>('/tasks', { workspace })
      const events = await follow(id)
      return {
        id,
        async turn(prompt, output) {
          const key = { 'idempotency-key': `bench-${id}-${++turns}` }
          const { turnId } = await post<{ turnId: string }>(
            `/tasks/${id}/turns`,
            { prompt, maxMinor: MAX_MINOR },
            key,
          )
          const needed: string[] = []
          for (;;) {
            const event = await events.next()
            if (event.turnId !== turnId) continue
            if (event.kind === 'needs_tool') needed.push(event.callId ?? '')
            if (event.kind !== 'status') continue
            if (event.status === 'waiting' && output) {
              const results = needed.splice(0).map((callId) => ({ callId, ok: true, output: output(callId) }))
              await post(`/tasks/${id}/tool-results`, { results })
            }
            if (event.status !== 'finished') continue
            if (event.stopReason === 'completed') return
            throw new Error(`the turn ended with ${event.stopReason}`)
          }
        },
        close: () => events.stop.abort(),
      }
    },
  }
}

/** High enough for every turn of the benchmark. */
const MAX_MINOR = 10_000_000

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<BenchEvent, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5)) as BenchEvent
  }
}
