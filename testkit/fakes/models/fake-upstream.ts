// A fake model provider: a real OpenAI-compatible server on loopback with scripted replies.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  chunkOf,
  completionOf,
  type FakeReply,
  type FakeRequest,
  type PlannedReply,
  planReply,
  type StreamPiece,
  toolChunksOf,
  usageChunkOf,
} from './fake-reply.ts'

export type { FakeAnswer, FakeReply, FakeRequest, StreamPiece } from './fake-reply.ts'

type MakeReply = (request: FakeRequest) => FakeReply
export type FakeUpstream = {
  /** Ends in /v1. */
  readonly url: string
  /** All received requests, oldest first. */
  readonly requests: readonly FakeRequest[]
  /** The replies to the next completions, in order. `fallback` replies afterwards. */
  script(...replies: readonly (FakeReply | MakeReply)[]): void
  fallback(make: MakeReply): void
  /** The reply of another path, such as `/responses`; null restores the default. */
  on(path: string, make: MakeReply | null): void
  /** Calls in progress. */
  readonly open: number
  /** Calls whose client disconnected early. */
  readonly aborted: number
  /** The total number of accepted connections. */
  readonly connections: number
  /** Clears requests, script, fallbacks and counts, so that all tests of a file can share one server. */
  reset(): void
  close(): Promise<void>
}

const GREETING = 'Hello from the fake model.'
const NOT_HERE: FakeReply = { status: 404, body: { error: { message: 'no such address' } } }

export async function startFakeUpstream(): Promise<FakeUpstream> {
  let requests: FakeRequest[] = []
  let script: (FakeReply | MakeReply)[] = []
  let fallback: MakeReply = () => GREETING
  let others = new Map<string, MakeReply>()
  let open = 0
  let aborted = 0
  let connections = 0

  function replyTo(request: FakeRequest): FakeReply {
    const other = others.get(request.path)
    if (other) return other(request)
    if (request.path === '/chat/completions') {
      const next = script.shift() ?? fallback
      return typeof next === 'function' ? next(request) : next
    }
    if (request.path === '/embeddings') return { body: embeddingsOf(request) }
    if (request.path === '/models') return { body: { object: 'list', data: [{ id: 'small-1' }] } }
    return NOT_HERE
  }

  const server = createServer(async (incoming, response) => {
    open++
    let isCutByUs = false
    response.once('close', () => {
      open--
      if (!response.writableFinished && !isCutByUs) aborted++
    })
    const request = await read(incoming).catch(() => undefined)
    if (!request) return void response.destroy()
    requests.push(request)
    await answer(request, planReply(request, replyTo(request)), response, () => {
      isCutByUs = true
    })
  })
  server.on('connection', () => {
    connections++
  })
  server.on('clientError', (_, socket) => void socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests
    },
    script: (...replies) => void script.push(...replies),
    fallback: (make) => {
      fallback = make
    },
    on: (path, make) => void (make ? others.set(path, make) : others.delete(path)),
    get open() {
      return open
    },
    get aborted() {
      return aborted
    },
    get connections() {
      return connections
    },
    reset() {
      requests = []
      script = []
      fallback = () => GREETING
      others = new Map()
      aborted = 0
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** A promise that a test resolves: a pause without a sleep. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

async function read(incoming: IncomingMessage): Promise<FakeRequest> {
  const text = Buffer.concat(await Array.fromAsync(incoming)).toString()
  const path = (incoming.url ?? '').replace(/^\/v1/, '')
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  return { path, headers: incoming.headers, body }
}

async function answer(
  { body }: FakeRequest,
  plan: PlannedReply,
  response: ServerResponse,
  cutting: () => void,
): Promise<void> {
  const gone = new Promise<'gone'>((resolve) => response.once('close', () => resolve('gone')))
  if (plan.hang) return
  if (plan.body !== undefined || (plan.status ?? 200) !== 200) return answerBody(plan, response)
  if (body.stream !== true || plan.whole) {
    for (const piece of plan.pieces)
      if (isPause(piece) && (await Promise.race([pausing(piece), gone])) === 'gone') return
    return answerBody({ ...plan, body: completionOf(plan) }, response)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...plan.headers })
  response.flushHeaders()
  const end = await stream(plan, response, gone)
  if (end === 'cut') {
    cutting()
    // Delivers the sent bytes, then closes the connection without the end of the answer.
    response.socket?.end()
  } else if (end === 'complete') response.end()
}

/** `hanging`: sends no more and does not end. */
type StreamEnd = 'complete' | 'cut' | 'hanging'

async function stream(
  plan: PlannedReply,
  response: ServerResponse,
  gone: Promise<'gone'>,
): Promise<StreamEnd> {
  const write = writer(plan, response, gone)
  if (plan.byteOrderMark) await write.raw('\uFEFF')
  for (let sent = 0; ; ) {
    for (const piece of plan.pieces) {
      if (plan.cutAfter === sent) return 'cut'
      if (plan.hangAfter === sent || response.closed) return 'hanging'
      await write.piece(piece)
      if (!isPause(piece)) sent++
    }
    if (!plan.endless) break
  }
  if (plan.cutAfter !== undefined) return 'cut'
  if (plan.hangAfter !== undefined) return 'hanging'
  for (const chunk of toolChunksOf(plan)) await write.event(JSON.stringify(chunk))
  if (plan.finish !== null) await write.event(JSON.stringify(chunkOf(plan, {}, plan.finish)))
  if (plan.usage !== 'none' && (plan.usageIn ?? 'own') === 'own' && plan.saysUsage)
    await write.event(JSON.stringify(usageChunkOf(plan)))
  for (let count = 0; count < (plan.done ?? 1); count++) await write.event('[DONE]')
  return 'complete'
}

function writer(plan: PlannedReply, response: ServerResponse, gone: Promise<'gone'>) {
  const { lineEnd = '\n', packetBytes = Number.MAX_SAFE_INTEGER } = plan
  const raw = async (text: string | Buffer): Promise<void> => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length && !response.closed; at += packetBytes) {
      const isFull = !response.write(bytes.subarray(at, at + packetBytes))
      if (isFull) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), gone])
      // A turn of the event loop sends each packet separately.
      else if (packetBytes < bytes.length) await new Promise(setImmediate)
    }
  }
  const event = (data: string) => raw(`data:${plan.tight ? '' : ' '}${data}${lineEnd}${lineEnd}`)
  const piece = async (each: StreamPiece): Promise<void> => {
    if (isPause(each)) await Promise.race([pausing(each), gone])
    else if (typeof each === 'string') await event(JSON.stringify(chunkOf(plan, { content: each })))
    else if ('comment' in each) await raw(`: ${each.comment}${lineEnd}${lineEnd}`)
    else if ('data' in each) await event(JSON.stringify(each.data))
    else await raw(each.raw)
  }
  return { raw, event, piece }
}

type Pause = Extract<StreamPiece, Promise<unknown> | (() => unknown)>
const isPause = (piece: StreamPiece): piece is Pause =>
  piece instanceof Promise || typeof piece === 'function'
const pausing = (pause: Pause): Promise<unknown> => (typeof pause === 'function' ? pause() : pause)

function answerBody({ status = 200, headers, body = '' }: PlannedReply, response: ServerResponse): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

const DIMENSIONS = 64

/** Equal texts have equal vectors. The vectors have no meaning. */
function embeddingsOf({ body }: FakeRequest): object {
  const inputs = [body.input].flat().map(String)
  const dimensions = Number(body.dimensions ?? DIMENSIONS)
  const tokens = inputs.reduce((sum, input) => sum + Math.ceil(input.length / 4), 0)
  return {
    object: 'list',
    model: body.model,
    data: inputs.map((input, index) => {
      const vector = vectorOf(input, dimensions)
      const isPacked = body.encoding_format === 'base64'
      return { object: 'embedding', index, embedding: isPacked ? packed(vector) : vector }
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function vectorOf(text: string, dimensions: number): number[] {
  const bytes = Array.from({ length: Math.ceil(dimensions / 32) }, (_, block) => [
    ...createHash('sha256').update(`${block} ${text}`).digest(),
  ]).flat()
  const raw = bytes.slice(0, dimensions).map((byte) => byte - 127.5)
  const length = Math.hypot(...raw)
  return raw.map((each) => Math.fround(each / length))
}

const packed = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')
