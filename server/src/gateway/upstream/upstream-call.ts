// Sends a request to the upstream and maps its errors.
import { ApiError } from '../../kernel/errors.ts'
import { retriesOf } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import {
  adaptDialect,
  getDialect,
  rememberDialect,
} from '../../platform/inference/completion/request-dialect.ts'
import { type SendOptions, sendUpstream, type UpstreamReply } from '../../platform/inference/http/send.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { type Call, DEFAULT_OUTPUT } from '../gateway.ts'

export type UpstreamRequest = {
  readonly path: string
  readonly body: string
  readonly isStream: boolean
  readonly limits?: SendOptions['limits']
}
export type UpstreamResult = { readonly reply: UpstreamReply; readonly requestBytes: number }
/** The upstream does not have the path, or not a resource that the request names. */
export type MissingAtUpstream = { readonly missing: 'address' | 'something' }

const ANSWER_MAX_BYTES = 32 * 1024 * 1024
const REFUSAL_MAX_BYTES = 64 * 1024
const MESSAGE_MAX_CHARACTERS = 500
const DIALECT_RETRIES_MAX = 2
/** Statuses of an unknown path. */
const NOT_THERE = new Set([404, 405, 501])
/** Messages about our account, which customers must not see. */
const ABOUT_US =
  /api[ _-]?key|authoriz|credential|billing|quota|organi[sz]ation|account|credit balance|usage limit|rate limit|user location|\byour plan\b|project|workspace|subscription|suspended/i
const SECRET = /https?:|\bbearer\b|\bsk-/i
/** Names of the request, such as that of a tool. They may contain any word. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`/g

/** Messages about a missing resource of one request. Other requests may still succeed. */
const ABOUT_A_THING = /\b(?:items?|models?|deployments?|files?|tools?|conversations?|prompts?)\b/i

/** Providers say in many ways that a prompt exceeds the context window. */
const TOO_LONG = /context (length|window)|prompt is too long|exceeds the maximum number of tokens/i

type Fields = Record<string, unknown>

/** Requests a chat completion in the dialect of this model. A rejected field is replaced and the request repeated. */
export async function askChat(
  app: App,
  call: Call,
  body: Fields,
  { outputCeiling, isStream }: { outputCeiling: number; isStream: boolean },
): Promise<UpstreamResult> {
  const { baseUrl } = call.route.target
  const { model } = call.route
  let dialect = getDialect(app.clock, baseUrl, model)
  for (let lessons = 0; ; lessons++) {
    const asksUsage = isStream && dialect.requestsUsage
    const options = { ...(body.stream_options as Fields | null | undefined), include_usage: true }
    const text = JSON.stringify({
      ...body,
      model,
      stream: isStream,
      [dialect.maxTokensField]: outputCeiling,
      ...(asksUsage && { stream_options: options }),
    })
    const reply = await send(app, call, { path: '/chat/completions', body: text, isStream })
    if (reply.status < 300) {
      // A high requested ceiling may be the real reason for the rejection, so that dialect is not remembered.
      if (lessons > 0 && outputCeiling <= DEFAULT_OUTPUT) rememberDialect(app.clock, baseUrl, model, dialect)
      return { reply, requestBytes: Buffer.byteLength(text) }
    }
    const said = await readAll(reply, REFUSAL_MAX_BYTES)
    const lesson = reply.status < 500 ? adaptDialect(dialect, said.toString()) : undefined
    if (!lesson || lessons === DIALECT_RETRIES_MAX) throw errorFrom(app, call, reply.status, said)
    dialect = lesson
  }
}

/** Sends a request in the format of the provider. Throws every error. */
export async function askProvider(app: App, call: Call, sent: UpstreamRequest): Promise<UpstreamResult> {
  const reply = await send(app, call, sent)
  if (reply.status < 300) return { reply, requestBytes: Buffer.byteLength(sent.body) }
  throw errorFrom(app, call, reply.status, await readAll(reply, REFUSAL_MAX_BYTES))
}

/** The reply, or what the upstream does not have. Throws any other error. */
export async function tryUpstream(
  app: App,
  call: Call,
  sent: UpstreamRequest,
): Promise<UpstreamResult | MissingAtUpstream> {
  const reply = await send(app, call, sent)
  if (reply.status < 300) return { reply, requestBytes: Buffer.byteLength(sent.body) }
  const said = await readAll(reply, REFUSAL_MAX_BYTES)
  if (NOT_THERE.has(reply.status))
    return { missing: ABOUT_A_THING.test(said.toString()) ? 'something' : 'address' }
  throw errorFrom(app, call, reply.status, said)
}

/** Reads a complete body. */
export async function readAll(
  reply: UpstreamReply,
  maxBytes = ANSWER_MAX_BYTES,
  ...chunks: Buffer[]
): Promise<Buffer> {
  let length = 0
  for await (const chunk of reply.body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) throw new UpstreamFailed('failed', 'it answered with more than anyone asks for')
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

function send(
  app: App,
  call: Call,
  { path, body, isStream, limits }: UpstreamRequest,
): Promise<UpstreamReply> {
  const { promptTokens, signal } = call
  const unstreamedTokens = isStream ? 0 : call.outputCeiling
  return sendUpstream(app, call.route.target, path, body, {
    signal,
    promptTokens,
    unstreamedTokens,
    limits,
    retries: retriesOf(call.route),
  })
}

/** An error about the input of the caller is passed on. Any other error is ours or the provider's. */
function errorFrom(app: App, { route }: Call, status: number, said: Buffer): Error {
  if (NOT_THERE.has(status)) {
    app.log.error({ status, model: route.model }, 'gateway.upstream.not_found')
    return new UpstreamFailed('unavailable', `the upstream answered with status ${status}`)
  }
  const { message, code } = upstreamErrorIn(said)
  if (status === 413 || code === 'context_length_exceeded' || TOO_LONG.test(message))
    return new ApiError('prompt_too_long', { code: 'context_length_exceeded', param: 'messages' })
  const isTheirs = (status === 400 || status === 422) && message !== '' && !isAboutUs(message)
  if (isTheirs) return new ApiError('bad_request', { error: withoutOurName(message, route) })
  app.log.warn({ status, model: route.model }, 'gateway.upstream.rejected')
  return new UpstreamFailed('failed', `the upstream answered with status ${status}`, {
    isRequestRejected: true,
  })
}

const isAboutUs = (message: string): boolean =>
  SECRET.test(message) || ABOUT_US.test(message.replace(QUOTED, ''))

/** Customers know the model by its id, not by its name at the provider. */
const withoutOurName = (message: string, { model, modelId }: Call['route']): string =>
  message.replaceAll(model, modelId).slice(0, MESSAGE_MAX_CHARACTERS)

function upstreamErrorIn(body: Buffer): { message: string; code: string } {
  try {
    const { error } = JSON.parse(body.toString()) as { error?: { message?: unknown; code?: unknown } }
    return {
      message: typeof error?.message === 'string' ? error.message : '',
      code: String(error?.code ?? ''),
    }
  } catch {
    return { message: '', code: '' }
  }
}
