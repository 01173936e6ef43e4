// A client that sends raw bytes, including malformed requests that an HTTP library would refuse to send.
import { connect } from 'node:net'
import { scaledTimeout } from './timeouts.ts'

export type RawReply = { status: number; headers: Record<string, string>; body: Buffer }
export type Exchange = {
  replies: RawReply[]
  /** Bytes after the last parsed reply. */
  rest: Buffer
}
export type ExchangeOptions = {
  /** Half-closes the connection after sending. */
  halfClose?: boolean
  timeoutMs?: number
  /** Called with all received bytes. Its result is sent. */
  talk?: (arrived: Buffer) => string | Buffer | undefined
}

const BOUND_MS = scaledTimeout(20_000)
const PIECE_BYTES = 64 * 1024
/** Enough to check a stream that may not end. */
const STREAM_ENOUGH_BYTES = 64 * 1024

/** Sends the bytes and reads until the server closes. Rejects after the timeout. */
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
          `the connection did not close within ${timeoutMs} ms; received: ${Buffer.concat(arrived).toString('latin1').slice(0, 300)}`,
        ),
      )
    }, timeoutMs)
    const done = () => {
      clearTimeout(late)
      socket.destroy()
      resolve(readReplies(Buffer.concat(arrived)))
    }

    // A server that has answered may not read on, so the rest of a large body is not sent.
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
    // A server may reset the connection after its answer.
    socket.on('error', done)
    socket.on('close', done)
  })
}

const isEventStream = (bytes: Buffer): boolean => bytes.subarray(0, 2_048).includes('text/event-stream')

/** All replies of a connection, in order. */
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

/** The received chunks. An aborted stream ends with the last complete chunk. */
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
