// Requests and payloads, the same for the service and the bare server.

/** A placeholder: the load generator replaces it with a value that is unique per request. */
export const UNIQUE = '@@@@@@@@@@@@@@@@'

export type Caller = { userId: string; cookie: string; bearer: string }

export const ORDER = {
  reference: 'order 2026-11-15 #4711',
  amountMinor: 950_000,
  currency: 'NGN',
  quantity: 3,
  note: 'Deliver to the blue gate; call when you are near.',
}

export const FRAMES = 50
export const FRAME = { delta: 'a few words of an answer, as a model gives them' }

export const get = (path: string, headers: string[] = []): string => http('GET', path, headers)

export const post = (path: string, headers: string[] = [], body: object = ORDER): string =>
  http('POST', path, ['content-type: application/json', ...headers], JSON.stringify(body))

export const bySession = ({ cookie }: Caller): string[] => [`cookie: ${cookie}`]
export const byKey = ({ bearer }: Caller): string[] => [`authorization: Bearer ${bearer}`]
export const once = (): string[] => [`idempotency-key: ${UNIQUE}`]

function http(method: string, path: string, headers: string[], body = ''): string {
  const all = ['host: 127.0.0.1', ...headers, ...(body ? [`content-length: ${Buffer.byteLength(body)}`] : [])]
  return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}
