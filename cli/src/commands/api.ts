// cowrie api: any call of the API, for what has no command of its own.
import { type Answer, toJson } from '@cowrie/sdk'
import type { Command, Values } from '../command.ts'
import { indentJson } from '../indent.ts'
import type { Output } from '../terminal/output.ts'
import { UsageError } from '../wrong.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export const api: Command = {
  name: 'api',
  usage: '<METHOD> <path>',
  summary: 'Make any call of the API and show its answer; a stream is shown frame by frame.',
  args: { min: 2, max: 2 },
  options: {
    body: { type: 'string', placeholder: '<json>', summary: 'The body to send.' },
    header: {
      type: 'string',
      multiple: true,
      placeholder: '<name: value>',
      summary: 'A further header; may be given several times.',
    },
  },
  async run({ client, args: [method = '', path = ''], values, out, signal }) {
    const answer = await client.request(checkMethod(method), checkPath(path), {
      bodyText: readBody(values),
      headers: readHeaders(values),
      idempotencyKey: readKey(values),
      signal,
    })
    if (answer.frames) for await (const frame of answer.frames) out.raw(`${toJson(frame)}\n`)
    else show(answer, out)
  },
}

/** With --json exactly what came; for people the same with other blanks. */
function show({ headers, bytes, text }: Answer, out: Output): void {
  if (bytes.byteLength === 0) return
  const type = headers.get('content-type') ?? ''
  if (/json\b/.test(type)) out.raw(`${out.json ? text() : indentJson(text())}\n`)
  else if (type.startsWith('text/')) out.raw(text().endsWith('\n') ? text() : `${text()}\n`)
  else out.raw(bytes)
}

function checkMethod(given: string): string {
  const method = given.toUpperCase()
  if (!METHODS.includes(method)) throw new UsageError(`"${given}" is not one of ${METHODS.join(', ')}.`)
  return method
}

function checkPath(path: string): `/${string}` {
  if (!/^\/(?!\/)[^\s#]*$/.test(path)) throw new UsageError(`"${path}" is not a path such as /me.`)
  return path as `/${string}`
}

/** Checked here, sent as it was written: no number in it changes on the way. */
function readBody({ body }: Values): string | undefined {
  if (typeof body !== 'string') return undefined
  try {
    JSON.parse(body)
  } catch (error) {
    throw new UsageError(`--body is not valid JSON: ${(error as Error).message}.`)
  }
  return body
}

function readKey({ 'idempotency-key': key }: Values): string | undefined {
  if (typeof key !== 'string') return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new UsageError('--idempotency-key must be 1 to 255 visible ASCII characters.')
  return key
}

function readHeaders({ header = [] }: Values): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of Array.isArray(header) ? header : []) {
    const [, name, value] = /^([\w-]+):\s*([\x20-\x7e]*)$/.exec(String(line)) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`"${line}" is not a header such as "accept: text/csv".`)
    headers[name] = value
  }
  return headers
}
