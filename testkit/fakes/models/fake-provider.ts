// The part that all fake model providers share: an HTTP server on loopback with scripted replies and faults.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeAnswer, FakeReply, FakeRequest, StreamPiece } from './fake-reply.ts'

export type MakeReply = (request: FakeRequest) => FakeReply
export type FakeProvider = {
  /** The base URL, with the version. */
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
  /** Closes all connections and refuses new ones until `revive`. */
  kill(): Promise<void>
  revive(): Promise<void>
  /** Clears requests, script, fallbacks and counts, so that all tests of a file can share one server. */
  reset(): void
  close(): Promise<void>
}

/** The bytes of a stream. The pieces of the answer come between opening and closing. */
export type StreamFormat = {
  readonly opening: readonly (string | Buffer)[]
  text(piece: string): string
  event(data: unknown): string
  closing(): readonly string[]
}

/** A reply with its defaults, in the format of a provider. */
export type WireReply = FakeAnswer & {
  readonly pieces: readonly StreamPiece[]
  readonly isStream: boolean
  /** The JSON object of a reply that is no stream. */
  completion(): object
  readonly format: StreamFormat
}

export type ProviderRules = {
  /** Such as /v1. */
  readonly version: string
  /** The reply to a request. `next` takes the next scripted one. */
  replyTo(request: FakeRequest, next: () => FakeReply): FakeReply
  /** `count` numbers the requests, so that each reply can have a new id. */
  plan(request: FakeRequest, reply: FakeReply, count: number): WireReply
}

const GREETING = 'Hello from the fake model.'

export async function startFakeProvider(rules: ProviderRules): Promise<FakeProvider> {
  let requests: FakeRequest[] = []
  let script: (FakeReply | MakeReply)[] = []
  let fallback: MakeReply = () => GREETING
  let others = new Map<string, MakeReply>()
  let open = 0
  let aborted = 0
  let connections = 0
  let count = 0

  function replyTo(request: FakeRequest): FakeReply {
    const other = others.get(request.path)
    if (other) return other(request)
    return rules.replyTo(request, () => {
      const next = script.shift() ?? fallback
      return typeof next === 'function' ? next(request) : next
    })
  }

  const server = createServer(async (incoming, response) => {
    open++
    let isCutByUs = false
    response.once('close', () => {
      open--
      if (!response.writableFinished && !isCutByUs) aborted++
    })
    const request = await read(incoming, rules.version).catch(() => undefined)
    if (!request) return void response.destroy()
    requests.push(request)
    await answer(rules.plan(request, replyTo(request), ++count), response, () => {
      isCutByUs = true
    })
  })
  server.on('connection', () => {
    connections++
  })
  server.on('clientError', (_, socket) => void socket.destroy())
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  async function kill(): Promise<void> {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  return {
    url: `http://127.0.0.1:${port}${rules.version}`,
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
    kill,
    revive: () => (server.listening ? Promise.resolve() : listen(port)),
    close: kill,
  }
}

/** A promise that a test resolves: a pause without a sleep. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

async function read(incoming: IncomingMessage, version: string): Promise<FakeRequest> {
  const text = Buffer.concat(await Array.fromAsync(incoming)).toString()
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake')
  // A path without the version is unknown, as at the real provider.
  const path = pathname.startsWith(`${version}/`) ? pathname.slice(version.length) : `(no version)${pathname}`
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  return {
    method: incoming.method ?? '',
    path,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body,
  }
}

async function answer(plan: WireReply, response: ServerResponse, cutting: () => void): Promise<void> {
  const gone = new Promise<'gone'>((resolve) => response.once('close', () => resolve('gone')))
  if (plan.hang) return
  if (plan.waitFor && (await Promise.race([pausing(plan.waitFor), gone])) === 'gone') return
  if (plan.drop) {
    cutting()
    return void response.destroy()
  }
  if (plan.body !== undefined || (plan.status ?? 200) !== 200) return answerBody(plan, response)
  if (!plan.isStream || plan.whole) {
    for (const piece of plan.pieces)
      if (isPause(piece) && (await Promise.race([pausing(piece), gone])) === 'gone') return
    return answerBody({ ...plan, body: plan.completion() }, response)
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

async function stream(plan: WireReply, response: ServerResponse, gone: Promise<'gone'>): Promise<StreamEnd> {
  const write = writer(plan, response, gone)
  if (plan.cutAfter === 0) return 'cut'
  if (plan.hangAfter === 0) return 'hanging'
  for (const bytes of plan.format.opening) await write.raw(bytes)
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
  for (const bytes of plan.format.closing()) await write.raw(bytes)
  return 'complete'
}

function writer(plan: WireReply, response: ServerResponse, gone: Promise<'gone'>) {
  const { lineEnd = '\n', packetBytes = Number.MAX_SAFE_INTEGER, format } = plan
  const raw = async (text: string | Buffer): Promise<void> => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length && !response.closed; at += packetBytes) {
      const isFull = !response.write(bytes.subarray(at, at + packetBytes))
      if (isFull) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), gone])
      // A turn of the event loop sends each packet separately.
      else if (packetBytes < bytes.length) await new Promise(setImmediate)
    }
  }
  const piece = async (each: StreamPiece): Promise<void> => {
    if (isPause(each)) await Promise.race([pausing(each), gone])
    else if (typeof each === 'string') await raw(format.text(each))
    else if ('comment' in each) await raw(`: ${each.comment}${lineEnd}${lineEnd}`)
    else if ('data' in each) await raw(format.event(each.data))
    else await raw(each.raw)
  }
  return { raw, piece }
}

/** An event of a stream, with the line ends and spaces of the plan. */
export function sseEvent(plan: FakeAnswer, data: string, name?: string): string {
  const { lineEnd = '\n' } = plan
  const space = plan.tight ? '' : ' '
  const heading = name === undefined ? '' : `event:${space}${name}${lineEnd}`
  return `${heading}data:${space}${data}${lineEnd}${lineEnd}`
}

type Pause = Extract<StreamPiece, Promise<unknown> | (() => unknown)>
const isPause = (piece: StreamPiece): piece is Pause =>
  piece instanceof Promise || typeof piece === 'function'
const pausing = (pause: Pause): Promise<unknown> => (typeof pause === 'function' ? pause() : pause)

function answerBody({ status = 200, headers, body = '' }: FakeAnswer, response: ServerResponse): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
