// A client that sends bytes as they are: what a polite library would never put on the wire.
import { connect } from 'node:net'
import { scaledTimeout } from './timeouts.ts'

export type RawReply = { status: number; headers: Record<string, string>; body: Buffer }
export type Exchange = {
  replies: RawReply[]
  /** What came after the last reply that could be read. */
  rest: Buffer
}
export type ExchangeOptions = {
  /** Say no more, but listen. */
  halfClose?: boolean
  timeoutMs?: number
  /** Called with all that has arrived so far; what it returns is sent. */
  talk?: (arrived: Buffer) => string | Buffer | undefined
}

const BOUND_MS = scaledTimeout(20_000)
const PIECE_BYTES = 64 * 1024
/** A stream may have no end of its own; this much of one is enough to judge it by. */
const STREAM_ENOUGH_BYTES = 64 * 1024

/** Sends and reads until the server closes. A server that does neither within the bound is a hang, and an error. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  { halfClose = false, timeoutMs = BOUND_MS, talk }: ExchangeOptions = {},
): Promise<Exchange> {
  const sending = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return new Promise((resolve, reject) => {
    const arrived: Buffer[] = []
    let arrivedBytes = 0
    const socket = connect({ port, host: '127.0.0.1' })
    const late = setTimeout(() => {
      socket.destroy()
      reject(
        new Error(
          `no end within ${timeoutMs} ms; arrived: ${Buffer.concat(arrived).toString('latin1').slice(0, 300)}`,
        ),
      )
    }, timeoutMs)
    const done = () => {
      clearTimeout(late)
      socket.destroy()
      resolve(readReplies(Buffer.concat(arrived)))
    }

    // A server that has said no stops listening: the rest of a large body is then not sent.
    const write = (at: number) => {
      if (arrivedBytes > 0 || socket.destroyed) return
      if (at >= sending.length) {
        if (halfClose) socket.end()
        return
      }
      socket.write(sending.subarray(at, at + PIECE_BYTES), () => write(at + PIECE_BYTES))
    }
    socket.on('connect', () => write(0))
    socket.on('data', (data) => {
      arrived.push(data)
      arrivedBytes += data.length
      const answer = talk?.(Buffer.concat(arrived))
      if (answer !== undefined) socket.write(answer)
      if (arrivedBytes > STREAM_ENOUGH_BYTES && isEventStream(Buffer.concat(arrived))) done()
    })
    // A reset after the answer is how a server ends a conversation it wants no more of.
    socket.on('error', done)
    socket.on('close', done)
  })
}

const isEventStream = (bytes: Buffer): boolean => bytes.subarray(0, 2_048).includes('text/event-stream')

/** All replies in what a connection brought, in order. */
export function readReplies(bytes: Buffer): Exchange {
  const replies: RawReply[] = []
  let rest = bytes
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest
      .subarray(0, Math.max(headEnd, 0))
      .toString('latin1')
      .split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(statusLine)?.[1])
    if (!status) break
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const [body, after] = readBody(status, headers, rest.subarray(headEnd + 4))
    if (status >= 200) replies.push({ status, headers, body })
    rest = after
  }
  return { replies, rest }
}

function readBody(
  status: number,
  headers: Record<string, string>,
  bytes: Buffer,
): [body: Buffer, after: Buffer] {
  const length = headers['content-length']
  if (status < 200 || status === 204 || status === 304) return [Buffer.alloc(0), bytes]
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes)
  return length === undefined
    ? [bytes, Buffer.alloc(0)]
    : [bytes.subarray(0, Number(length)), bytes.subarray(Number(length))]
}

/** The chunks that arrived; a stream that was left early ends where it was left. */
function readChunks(bytes: Buffer): [body: Buffer, after: Buffer] {
  const parts: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    if (lineEnd < 0 || Number.isNaN(size)) break
    at = lineEnd + 2 + size + 2
    if (size === 0) break
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
  }
  return [Buffer.concat(parts), bytes.subarray(at)]
}
