// Writes a complete response. Node checks and formats every header of every response, which takes longer than the rest of our part
// of a small request. Almost all of our headers are the same each time and valid, so their text is prepared.
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { once } from '../../../kernel/once.ts'

/** Headers of every response, as lines for Node (name, value, name, value) and as text. All of them are valid. */
export type StandingHeaders = { readonly lines: readonly string[]; readonly text: string }

export const standingHeaders = (headers: Readonly<Record<string, string>>): StandingHeaders => ({
  lines: Object.entries(headers).flat(),
  text: Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join(''),
})

export const NO_HEADERS: StandingHeaders = { lines: [], text: '' }

/** The undocumented fields of a response that hold its formatted head, and the keep-alive timeout of its server. */
type HeadFields = { _header: string | null; _keepAliveTimeout: number }

/**
 * Writes the response in one piece. `lines` are valid headers besides the standing ones, none of them about the connection or the
 * length. Uses `writeHead` where Node has more to decide than the text.
 */
export function writeResponse(
  response: ServerResponse,
  status: number,
  standing: StandingHeaders,
  lines: readonly string[],
  body: string | Uint8Array,
): void {
  const statusLine = STATUS_LINES.get(status)
  if (statusLine !== undefined && isPlain(response) && acceptsPreparedHead())
    writePrepared(response, status, `${statusLine}${standing.text}`, lines, body)
  else {
    response.writeHead(status, [
      ...standing.lines,
      ...lines,
      'content-length',
      String(Buffer.byteLength(body)),
    ])
    response.end(body)
  }
}

/** Responses with these statuses have a body, and nothing about them depends on the request. */
const STATUS_LINES = new Map(
  [200, 201, 202].map((status) => [status, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`]),
)

/** A response over a connection that stays open. Responses of internal calls have their own `writeHead`. */
const isPlain = (response: ServerResponse): boolean =>
  response.shouldKeepAlive &&
  response.sendDate &&
  response.req.headers.expect === undefined &&
  response.writeHead === ServerResponse.prototype.writeHead

function writePrepared(
  response: ServerResponse,
  status: number,
  start: string,
  lines: readonly string[],
  body: string | Uint8Array,
): void {
  const fields = response as unknown as HeadFields
  let head = start
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`
  response.statusCode = status
  fields._header = `${head}content-length: ${Buffer.byteLength(body)}\r\n${dateLine()}${keepAliveLines(fields._keepAliveTimeout)}\r\n`
  response.end(body)
}

let dateSecond = 0
let dateText = ''

/** Formatted once per second. */
function dateLine(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = `Date: ${new Date(second * 1000).toUTCString()}\r\n`
  }
  return dateText
}

let keepAliveMs = -1
let keepAliveText = ''

function keepAliveLines(timeoutMs: number): string {
  if (timeoutMs !== keepAliveMs) {
    keepAliveMs = timeoutMs
    const timeout = timeoutMs ? `Keep-Alive: timeout=${Math.floor(timeoutMs / 1000)}\r\n` : ''
    keepAliveText = `Connection: keep-alive\r\n${timeout}`
  }
  return keepAliveText
}

/** Whether this version of Node sends a prepared head as it sends its own. Compares the bytes of two responses, once. */
export const acceptsPreparedHead = once((): boolean => {
  const lines = ['x-request-id', 'req_1', 'content-type', 'text/plain']
  const body = 'é'
  const own = sentBy((response) => {
    response.writeHead(200, [...lines, 'content-length', String(Buffer.byteLength(body))])
    response.end(body)
  })
  const prepared = sentBy((response) =>
    writePrepared(response, 200, STATUS_LINES.get(200) ?? '', lines, body),
  )
  const withoutDate = (text: string) => text.replace(/\r\nDate: [^\r]*/, '')
  return own.includes('\r\nDate: ') && withoutDate(own) === withoutDate(prepared)
})

/** The bytes of a response to a minimal request, as text. Empty when it cannot be written. */
function sentBy(write: (response: ServerResponse) => void): string {
  const sent: Buffer[] = []
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, method: 'GET' })
  const response = new ServerResponse(request)
  Object.assign(response, { shouldKeepAlive: true, _keepAliveTimeout: 65_000 })
  const socket = new Writable({
    write(chunk, encoding, done) {
      sent.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
      done()
    },
  })
  try {
    response.assignSocket(socket as Socket)
    write(response)
    return response.headersSent ? Buffer.concat(sent).toString('utf8') : ''
  } catch {
    return ''
  } finally {
    response.on('error', () => undefined)
    socket.destroy()
  }
}
