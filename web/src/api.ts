// Calls to the service: this origin alone, exact money, refusals by name.

const TIMEOUT_MS = 15_000

export type FieldFault = { path: string; message: string }

/** A call that did not succeed. `code` is the service's name for it, or `unreachable` when nothing answered. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly fields: readonly FieldFault[]

  constructor(
    message: string,
    {
      status = 0,
      code = 'unreachable',
      requestId = null,
      fields = [],
    }: Partial<Omit<ApiFailure, 'message'>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.fields = fields
  }
}

export const get = <T>(path: string): Promise<T> => call<T>('GET', path)
export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>('POST', path, body)

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body)
  const text = await response.text().catch(unreachable)
  if (!response.ok) throw refusal(response.status, text)
  return parseExact(text) as T
}

function send(method: string, path: string, body: unknown): Promise<Response> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return fetch(path, { method, ...content, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(unreachable)
}

function unreachable(): never {
  throw new ApiFailure(navigator.onLine ? 'The service does not answer.' : 'You are offline.')
}

function refusal(status: number, text: string): ApiFailure {
  const { error, code, requestId, fields } = readRefusal(text)
  return new ApiFailure(error ?? `The service answered ${status}.`, {
    status,
    code: code ?? `http_${status}`,
    requestId: requestId ?? null,
    fields: fields ?? [],
  })
}

/** Something between us and the service may have answered in its place, in any form. */
function readRefusal(text: string): {
  error?: string
  code?: string
  requestId?: string
  fields?: FieldFault[]
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
