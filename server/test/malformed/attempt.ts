// One request that nobody should send, and what it must lead to.
import type { ErrorCode } from '../../src/kernel/errors.ts'
import type { JsonSchema } from '../../src/platform/http/openapi-example.ts'
import type { Route } from '../../src/platform/http/route.ts'

/** A route as a caller reaches it who may call it, so that a refusal is about the request. */
export type Target = {
  route: Route
  /** Its address with parameters filled in. */
  path: string
  /** What lets the caller in. */
  credentials: readonly Header[]
  /** A body as the document shows it. */
  example: unknown
  body: JsonSchema | undefined
  query: readonly { name: string; schema: JsonSchema }[]
  /** Statuses that the document lists. */
  documented: ReadonlySet<number>
}

export type Header = readonly [name: string, value: string]

export type Attempt = {
  bytes: Buffer
  /** The statuses it must be refused with; without them it may also be ignored. */
  refused?: readonly number[] | undefined
  /** The name of that refusal. */
  code?: ErrorCode
  /** The field that the refusal must name. */
  field?: string
  /** It is refused, or handled, before a route is chosen: the document of the route says nothing about it. */
  elsewhere?: true
  /** Closing without a word is an answer as well. */
  mayBeSilent?: true
  halfClose?: true
}

export type Kind = { name: string; attempts: (target: Target) => Attempt[] }

export type Change = {
  method?: string
  /** In place of the path and query. */
  address?: string
  version?: string
  headers?: readonly Header[]
  /** Names of headers that are left out. */
  without?: readonly string[]
  body?: string | Buffer
}

/** What the route wants its body to be. */
export const bodyType = ({ form }: Route): string =>
  form ? 'application/x-www-form-urlencoded' : 'application/json'

/** A request to a target, right in everything but the change. Without a body of its own it carries one that is refused. */
export function compose({ route, path, credentials }: Target, change: Change = {}): Buffer {
  const body = change.body ?? (route.body ? '[]' : undefined)
  const given = change.headers ?? []
  const replaced = new Set([...(change.without ?? []), ...given.map(([name]) => name.toLowerCase())])
  const standard: Header[] = [
    ['host', 'cowrie.test'],
    ['connection', 'close'],
    ...credentials,
    ...(body === undefined
      ? []
      : ([
          ['content-type', bodyType(route)],
          ['content-length', String(Buffer.byteLength(body))],
        ] as const)),
  ]
  const headers = [...standard.filter(([name]) => !replaced.has(name)), ...given]
  const lines = [
    `${change.method ?? route.method} ${change.address ?? path} ${change.version ?? 'HTTP/1.1'}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body ?? '')])
}
