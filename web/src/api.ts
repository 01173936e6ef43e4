// Calls to the service: this origin alone, exact money, refusals by name.

const TIMEOUT_MS = 15_000

export type FieldFault = { path: string; message: string }

/** A call that did not succeed. `code` is the service's name for it, or `unreachable` when nothing answered. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly fields: readonly FieldFault[]
  /** Seconds to wait before trying again, where the service said so. */
  readonly retryAfter: number | null
  /** Why somebody else, such as a payment provider, said no. */
  readonly reason: string | null

  constructor(
    message: string,
    {
      status = 0,
      code = 'unreachable',
      requestId = null,
      fields = [],
      retryAfter = null,
      reason = null,
    }: Partial<Omit<ApiFailure, 'message'>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.fields = fields
    this.retryAfter = retryAfter
    this.reason = reason
  }
}

/** What is not a failed call is a bug, and is not shown as one. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  throw error
}

type Sent = { body?: unknown; headers?: Record<string, string> }

export const get = <T>(path: string): Promise<T> => call<T>('GET', path)
export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>('POST', path, { body })
export const patch = <T>(path: string, body: unknown): Promise<T> => call<T>('PATCH', path, { body })
export const remove = <T>(path: string): Promise<T> => call<T>('DELETE', path)

/** The same key over every retry of one intent: it then happens once. */
export const postOnce = <T>(path: string, body: unknown, key: string): Promise<T> =>
  call<T>('POST', path, { body, headers: { 'idempotency-key': key } })

let strangerMet: () => void = () => undefined

/** Calls back whenever the service does not know us (any more). */
export function onStranger(listener: () => void): void {
  strangerMet = listener
}

async function call<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
  return readAnswer((await ask(method, path, sent)).text) as T
}

/** The answer as it was written, for what is not JSON. */
export async function ask(
  method: string,
  path: string,
  sent: Sent = {},
): Promise<{ text: string; headers: Headers }> {
  const response = await send(method, path, sent)
  const text = await response.text().catch(unreachable)
  if (response.ok) return { text, headers: response.headers }
  const failure = refusal(response, text)
  if (failure.code === 'unauthenticated') strangerMet()
  throw failure
}

function send(method: string, path: string, { body, headers = {} }: Sent): Promise<Response> {
  const content =
    body === undefined
      ? { headers }
      : { body: writeExact(body), headers: { 'content-type': 'application/json', ...headers } }
  return fetch(path, { method, ...content, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(unreachable)
}

/** A network that asks for a sign-in of its own answers everything, with its page. */
function readAnswer(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ApiFailure('Something else answered in place of the service. Check your network.')
  }
}

function unreachable(): never {
  throw new ApiFailure(navigator.onLine ? 'The service does not answer.' : 'You are offline.')
}

function refusal({ status, headers }: Response, text: string): ApiFailure {
  const { error, code, requestId, fields, reason } = readRefusal(text)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new ApiFailure(error ?? `The service answered ${status}.`, {
    status,
    code: code ?? `http_${status}`,
    requestId: requestId ?? null,
    fields: fields ?? [],
    retryAfter: Number.isFinite(seconds) ? seconds : null,
    reason: reason ?? null,
  })
}

/** Something between us and the service may have answered in its place, in any form. */
function readRefusal(text: string): {
  error?: string
  code?: string
  requestId?: string
  fields?: FieldFault[]
  reason?: string
} {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** JSON whose `…Minor` fields are bigint: money beyond 2^53 keeps its last digit. */
export const parseExact = (text: string): unknown =>
  parse(text, (key, value, context) =>
    typeof value === 'number' && key.endsWith('Minor') ? BigInt(context?.source ?? value) : value,
  )

/** An amount that a JSON number cannot say exactly is not sent at all. */
const writeExact = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value !== 'bigint') return value
    if (!Number.isSafeInteger(Number(value))) throw new RangeError(`${value} is too large to be sent exactly`)
    return Number(value)
  })
