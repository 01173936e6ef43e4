// A client of tasks: starts turns, follows their events and counts the bytes that it uploads.
import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { present } from '../../src/kernel/assert.ts'
import type { Caller } from '../http/requests.ts'
import type { Server } from '../http/rounds.ts'

type BenchEvent = {
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
  close(): void
}

export type FollowedTask = {
  readonly id: string
  /** Starts a turn and waits until it is completed. Each `needs_tool` is answered with `output`. */
  turn(prompt: string, output?: (callId: string) => string): Promise<void>
  close(): void
}

/** `isCompressed`: bodies of more than 1 KB are sent with gzip. */
export function createTaskClient({ port }: Server, { bearer }: Caller, isCompressed = false): TaskClient {
  const agent = new Agent({ keepAlive: true })
  let uploadedBytes = 0
  let turns = 0

  const send = async (method: string, path: string, more: OutgoingHttpHeaders, body?: Buffer) => {
    const headers = { authorization: `Bearer ${bearer}`, ...more }
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    if ((response.statusCode ?? 0) < 300) return response
    throw new Error(
      `${method} ${path} returned ${response.statusCode}: ${(await text(response)).slice(0, 500)}`,
    )
  }

  async function post<Reply>(path: string, body: object, more: OutgoingHttpHeaders = {}): Promise<Reply> {
    const plain = Buffer.from(JSON.stringify(body))
    const isZipped = isCompressed && plain.length > 1_024
    const sent = isZipped ? gzipSync(plain) : plain
    uploadedBytes += sent.length
    const encoding = isZipped ? { 'content-encoding': 'gzip' } : {}
    const headers = {
      'content-type': 'application/json',
      'content-length': sent.length,
      ...encoding,
      ...more,
    }
    return JSON.parse(await text(await send('POST', path, headers, sent))) as Reply
  }

  async function follow(id: string) {
    const stream = await send('GET', `/tasks/${id}/stream?after=0`, {})
    const events = readEvents(stream)
    const next = async () => present((await events.next()).value, 'the stream does not end')
    return { next, stop: () => void stream.destroy() }
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
        close: events.stop,
      }
    },
    close: () => agent.destroy(),
  }
}

/** High enough for every turn of the benchmark. */
const MAX_MINOR = 10_000_000

async function* readEvents(body: IncomingMessage): AsyncGenerator<BenchEvent, undefined> {
  body.setEncoding('utf8')
  let rest = ''
  for await (const piece of body) {
    const lines = (rest + String(piece)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5)) as BenchEvent
  }
}
