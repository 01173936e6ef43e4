// Forwards messages of a local program to the service, and the replies back.
import { randomUUID } from 'node:crypto'
import { outcomeOf, retryable } from '@cowrie/sdk'
import { linesOf } from './lines.ts'
import {
  errorFor,
  headersOf,
  type Id,
  isId,
  isRecord,
  isRequest,
  type Message,
  protocolVersionIn,
  RPC,
} from './message.ts'

export type Relay = {
  readonly input: AsyncIterable<string | Uint8Array>
  /** Sends one message to the program. */
  readonly say: (message: Message) => void
  /** One call of the service; null without a key. */
  readonly post:
    | ((body: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>)
    | null
  /** A message for the user, who may not see it. */
  readonly complain: (sentence: string) => void
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

const MESSAGE_MAX_BYTES = 8 * 1024 * 1024
const REPLY_MAX_BYTES = 64 * 1024 * 1024
const AT_ONCE = 32
const LEAVE_WITHIN_MS = 10_000
/** An unreachable service is retried for about a minute, the usual timeout of clients. */
const TRIES = 15
/** A run takes minutes; its outcome is polled for about ten. */
const WORKING_TRIES = 130
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5_000
const SIGN_IN = 'Not signed in to Cowrie. Run "cowrie auth login" in a terminal, then restart this program.'

/** Runs until the program closes its input. Pending calls are then cancelled. */
export async function relay({ input, say, post, complain, sleep }: Relay): Promise<void> {
  // The service uses this id to tell programs apart; it stores nothing under it.
  const session = randomUUID()
  const running = new Map<Id, AbortController>()
  const pending = new Set<Promise<void>>()
  let settled: string | null = null
  if (!post) complain(SIGN_IN)

  try {
    for await (const line of linesOf(input, MESSAGE_MAX_BYTES)) {
      if (line === null)
        say(errorFor(null, RPC.invalid, 'The message is larger than 8 MiB. Send less at once.'))
      else if (line.trim() !== '') take(line)
    }
    await waitForReplies()
  } finally {
    for (const call of running.values()) call.abort()
    await Promise.allSettled(pending)
  }

  function take(line: string): void {
    const message = parsed(line)
    if (message === undefined) {
      say(errorFor(null, RPC.parse, 'The line is not JSON.'))
      return
    }
    if (isRequest(message) && running.size >= AT_ONCE) {
      say(errorFor(message.id, RPC.unreachable, `More than ${AT_ONCE} calls at once. Wait for some of them.`))
      return
    }
    const cancelled = cancelledBy(message)
    if (cancelled !== null) running.get(cancelled)?.abort()
    const work = serve(message, line).finally(() => pending.delete(work))
    pending.add(work)
  }

  /** A script may close its input and still read the replies. */
  async function waitForReplies(): Promise<void> {
    const over = new AbortController()
    const late = sleep(LEAVE_WITHIN_MS, over.signal).catch(() => undefined)
    await Promise.race([Promise.allSettled(pending), late])
    over.abort()
    await late
  }

  async function serve(message: unknown, line: string): Promise<void> {
    const id = isRequest(message) ? message.id : null
    const call = new AbortController()
    if (id !== null) running.set(id, call)
    try {
      await send(message, line, id, call.signal)
    } catch (error) {
      if (!call.signal.aborted && id !== null) say(errorFor(id, RPC.unreachable, unreachableText(error)))
      else if (!call.signal.aborted) complain(unreachableText(error))
    } finally {
      if (id !== null && running.get(id) === call) running.delete(id)
    }
  }

  /** Resends the message when its reply is lost: the service recognises session and id, and charges it once. */
  async function send(message: unknown, line: string, id: Id | null, cancelled: AbortSignal): Promise<void> {
    if (!post) {
      if (id !== null) say(errorFor(id, RPC.unreachable, SIGN_IN, { code: 'signed_out' }))
      return
    }
    const headers = { ...headersOf(message, settled), 'mcp-session-id': session }
    const attempt = async (): Promise<Outcome> => {
      const response = await post(line, headers, cancelled)
      for await (const reply of repliesOf(response, id)) {
        if (id !== null && reply.id === id && isTemporary(response, reply)) return { reply }
        settled = protocolVersionIn(message, reply) ?? settled
        say(reply)
        if (reply.id === id) return 'answered'
      }
      return isUnavailable(response) || (id !== null && isStream(response)) ? {} : 'answered'
    }
    for (let tried = 1; ; tried++) {
      const outcome = await attempt().catch((error: unknown): Outcome => {
        if (cancelled.aborted || tried >= TRIES) throw error
        return {}
      })
      if (outcome === 'answered' || cancelled.aborted) return
      const { reply } = outcome
      if (tried >= (reply && isWorking(reply) ? WORKING_TRIES : TRIES)) {
        if (!reply) throw new Error('The reply of the service broke off.')
        say(reply)
        return
      }
      await sleep(Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS), cancelled)
    }
  }
}

/** The result of one attempt. `reply` is the error to forward if no retry follows. */
type Outcome = 'answered' | { readonly reply?: Message }

/** Errors that a retry may resolve. */
const isTemporary = (response: Response, reply: Message): boolean =>
  isUnavailable(response) || isOpen(codeIn(reply.result, 'structuredContent') ?? codeIn(reply.error, 'data'))
const isOpen = (code: unknown): boolean => {
  const failure = { status: 200, code: String(code), retryAfter: null }
  return outcomeOf(failure) === 'unknown' && retryable(failure)
}
/** The service has not noticed the broken connection and continues the first call; a new call would be charged too. */
const isWorking = ({ result }: Message): boolean =>
  codeIn(result, 'structuredContent') === 'idempotency_in_progress'
const isUnavailable = ({ status }: Response): boolean => [502, 503, 504].includes(status)

function codeIn(value: unknown, field: string): unknown {
  const facts = isRecord(value) ? value[field] : undefined
  return isRecord(facts) ? facts.code : undefined
}

const isStream = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').startsWith('text/event-stream')

/** The messages of a reply. An API error becomes an error of the request. */
async function* repliesOf(response: Response, id: Id | null): AsyncGenerator<Message> {
  if (isStream(response)) {
    for await (const line of linesOf(bodyOf(response), REPLY_MAX_BYTES)) {
      const frame = line?.startsWith('data: ') ? parsed(line.slice('data: '.length)) : undefined
      if (isRecord(frame) && frame.jsonrpc === '2.0') yield frame
    }
    return
  }
  const text = await response.text()
  if (text === '') return
  const body = parsed(text)
  if (Array.isArray(body)) yield* body.filter(isRecord)
  else if (isRecord(body) && body.jsonrpc === '2.0') yield body
  else if (id !== null) yield errorReply(response, body, id)
}

async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body) yield* body
}

function errorReply({ status }: Response, body: unknown, id: Id): Message {
  if (!isRecord(body) || typeof body.error !== 'string')
    return errorFor(
      id,
      RPC.unreachable,
      `The answer was HTTP ${status} without an error code. Check the address.`,
    )
  const next = status === 401 ? ` ${SIGN_IN}` : ''
  return errorFor(id, RPC.unreachable, `${body.error}${next}`, { code: body.code, requestId: body.requestId })
}

function cancelledBy(message: unknown): Id | null {
  if (!isRecord(message) || message.method !== 'notifications/cancelled' || !isRecord(message.params))
    return null
  return isId(message.params.requestId) ? message.params.requestId : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreachableText = (error: unknown): string =>
  `Cowrie could not be reached${error instanceof Error ? ` (${error.message})` : ''}. Run "cowrie doctor".`
