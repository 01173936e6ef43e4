// cowrie api: calls any API route, for routes without a command.
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type Answer, toJson } from '@cowrie/sdk'
import { type Command, textOf, textsOf, type Values } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import type { Machine } from '../../system/machine.ts'
import { indentJson } from '../../terminal/indent-json.ts'
import { escapeControls, plain, plainLines } from '../../terminal/line.ts'
import type { Output } from '../../terminal/output.ts'

const BODY_CHARACTERS_MAX = 64 * 1024 * 1024
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export const api: Command = {
  name: 'api',
  usage: '<METHOD> <path>',
  summary: 'Call any API route and show the response; a stream is shown frame by frame.',
  args: { min: 2, max: 2 },
  options: {
    body: {
      type: 'string',
      short: 'd',
      placeholder: '<json>',
      summary: 'The request body; @file reads a file, - reads standard input.',
    },
    query: {
      type: 'string',
      multiple: true,
      placeholder: '<name=value>',
      summary: 'A query parameter, URL-encoded for you. Repeatable.',
    },
    header: {
      type: 'string',
      multiple: true,
      placeholder: '<name: value>',
      summary: 'An additional header. Repeatable.',
    },
    include: { type: 'boolean', short: 'i', summary: 'Also show the status and headers of the response.' },
  },
  async run({ client, args: [method = '', path = ''], values, out, signal, machine }) {
    const answer = await client.request(checkMethod(method), addQuery(checkPath(path), values), {
      bodyText: await readBody(values, machine, signal),
      headers: readHeaders(values),
      idempotencyKey: readKey(values),
      signal,
    })
    if (values.include === true) showHead(answer, out)
    if (answer.frames) for await (const frame of answer.frames) out.raw(`${escapeControls(toJson(frame))}\n`)
    else show(answer, out, machine.isStdoutTerminal)
  },
}

function showHead({ status, headers }: Answer, out: Output): void {
  const lines = [`HTTP ${status}`, ...Array.from(headers, ([name, value]) => `${name}: ${value}`), '']
  out.raw(lines.map((line) => `${plain(line)}\n`).join(''))
}

/** With --json exactly as received; otherwise indented. Control characters never reach the terminal. */
function show({ headers, bytes, text }: Answer, out: Output, isTerminal: boolean): void {
  if (bytes.byteLength === 0) return
  const type = headers.get('content-type') ?? ''
  if (/json\b/.test(type)) out.raw(`${escapeControls(out.json ? text() : indentJson(text()))}\n`)
  else if (isTerminal) out.raw(plainLines(text().endsWith('\n') ? text() : `${text()}\n`))
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

function addQuery(path: `/${string}`, values: Values): `/${string}` {
  const search = new URLSearchParams()
  for (const pair of textsOf(values, 'query')) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`"${pair}" is not a query parameter such as limit=10.`)
    search.append(name, value)
  }
  return search.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`
}

/** Validated, then sent as written, so numbers keep their precision. */
async function readBody(
  values: Values,
  machine: Machine,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const given = textOf(values, 'body')
  if (given === undefined) return undefined
  const body = await textNamedBy(given, machine, signal)
  try {
    JSON.parse(body)
  } catch (error) {
    throw new UsageError(`--body is not valid JSON: ${(error as Error).message}.`)
  }
  return body
}

async function textNamedBy(
  given: string,
  machine: Machine,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (given === '-') return gather(machine.stdin(signal), 'Standard input')
  if (!given.startsWith('@')) return given
  const path = resolve(machine.cwd, given.slice(1))
  try {
    return await gather(createReadStream(path, { signal }), path)
  } catch (error) {
    if (signal?.aborted || !isFileError(error)) throw error
    throw new UsageError(`${path} cannot be read: ${error.code}.`)
  }
}

/** Reads no more than the service accepts. */
async function gather(chunks: AsyncIterable<string | Uint8Array>, name: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length > BODY_CHARACTERS_MAX)
      throw new UsageError(`${name} has more than ${BODY_CHARACTERS_MAX} characters, the limit for one call.`)
  }
  return text + decoder.decode()
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error

function readKey({ 'idempotency-key': key }: Values): string | undefined {
  if (typeof key !== 'string') return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new UsageError('--idempotency-key must be 1 to 255 visible ASCII characters.')
  return key
}

function readHeaders(values: Values): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of textsOf(values, 'header')) {
    const [, name, value] = /^([\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`"${line}" is not a header such as "accept: text/csv".`)
    headers[name] = value
  }
  return headers
}
