// A malformed request and its expected outcome.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import type { ErrorCode } from '../../src/kernel/errors.ts'
import type { JsonSchema } from '../../src/platform/http/openapi/example.ts'
import { type Access, isRail, type Route } from '../../src/platform/http/route.ts'

/** A route with valid credentials and path, so that a refusal is about the malformed part. */
export type Target = {
  route: Route
  /** The path with its parameters filled in. */
  path: string
  /** Valid credentials. */
  credentials: readonly Header[]
  /** The example body of the OpenAPI document. */
  example: unknown
  body: JsonSchema | undefined
  query: readonly { name: string; schema: JsonSchema }[]
  /** The documented statuses. */
  documented: ReadonlySet<number>
}

export type Header = readonly [name: string, value: string]

export type Attempt = {
  bytes: Buffer
  /** Allowed refusal statuses. If absent, the malformed part may be ignored. */
  refused?: readonly number[] | undefined
  /** The expected error code. */
  code?: ErrorCode
  /** The field that the error must name. */
  field?: string
  /** Handled before routing, so the status is not documented for the route. */
  outsideRoute?: true
  /** The server may close the connection without an answer. */
  mayCloseSilently?: true
  halfClose?: true
}

/** An attempt, or a function that builds it when it is sent: all bodies of all routes together are large. */
export type PlannedAttempt = Attempt | (() => Attempt)

/**
 * One kind of malformed request. Routes with the same `alike` key are handled by the same code, so one of them
 * is called.
 */
export type Kind = {
  name: string
  alike: (target: Target) => string
  attempts: (target: Target) => PlannedAttempt[]
  /** `npm test` also sends every attempt. */
  allAttempts?: true
  /** `npm test` calls all different routes instead of a share, because this kind protects money or secrets. */
  everyRoute?: true
}

/** For input that the schema or handler of a route checks: every route is different. */
export const eachRoute = ({ route }: Target): string => route.name

/** For input that the pipeline checks: routes with the same access, idempotency and limits are alike. */
export function eachDescription({ route }: Pick<Target, 'route'>): string {
  // A webhook verifies its raw bytes.
  if (isRail(route.access)) return route.name
  const { access, idempotency, bodyLimitBytes, fromOtherSites, stream } = route
  return [
    eachRequestShape({ route }),
    ...[kindOf(access), idempotency, bodyLimitBytes, fromOtherSites, stream !== undefined],
  ].join()
}

/** For input that is checked before routing: requests with the same method and kind of body are alike. */
export const eachRequestShape = ({ route }: Pick<Target, 'route'>): string =>
  [route.method, route.form, route.body !== undefined, hasParameter(route)].join()

/** For input that the body reader checks: routes with the same limit are alike. The soak calls more of them. */
export function eachBodyLimit(target: Target): string {
  if (isSoak) return eachDescription(target)
  const { method, form, body, bodyLimitBytes } = target.route
  return [method === 'GET', form, body !== undefined, bodyLimitBytes].join()
}

/** For input that the handler checks, unless the default body is refused before. */
export const eachHandler = (target: Target): string =>
  target.route.body ? eachDescription(target) : eachRoute(target)

/** For input that the query schema checks. Routes without one ignore the query. */
export const eachQuery = (target: Target): string =>
  target.route.query ? eachRoute(target) : eachDescription(target)

/** For input that the body schema checks. Routes without one ignore the body. */
export const eachBody = (target: Target): string =>
  target.route.body ? eachRoute(target) : eachDescription(target)

/**
 * One target of each group of alike routes. The index of the kind selects it, so that every route is called for some
 * kind, and the same list always gives the same requests.
 */
export function chooseTargets({ alike }: Kind, targets: readonly Target[], place: number): Target[] {
  return [...Map.groupBy(targets, alike).values()].flatMap((group) => group[place % group.length] ?? [])
}

export type TargetAttempt = { target: Target; attempt: Attempt }
type PlannedTargetAttempt = { target: Target; attempt: PlannedAttempt }

/** `npm test` calls one in this many routes per kind, and other routes for the next kind. */
export const SHARES = 48
/** Up to this many routes are all called. */
const FEW = 12

/**
 * The requests for one kind. The soak sends every attempt to every target. `npm test` takes a share of the targets and a few
 * attempts per target, so that each variant is sent to some target, and each target gets some kinds.
 */
export function attemptsFor(
  kind: Kind,
  targets: readonly Target[],
  place: number,
  all = isSoak,
): TargetAttempt[] {
  const groups = chooseTargets(kind, targets, place)
    .map((target) => kind.attempts(target).map((attempt) => ({ target, attempt })))
    .filter((group) => group.length > 0)
  if (all || kind.allAttempts) return groups.flat().map(built)
  const share = kind.everyRoute || groups.length <= FEW ? groups : shareOf(groups, place)
  const variants = Math.max(0, ...share.map((group) => group.length))
  const perTarget = Math.ceil(variants / share.length)
  return share.flatMap((group, i) =>
    Array.from({ length: Math.min(perTarget, group.length) }, (_, n) =>
      built(group[(i * perTarget + n) % group.length] as PlannedTargetAttempt),
    ),
  )
}

const built = ({ target, attempt }: PlannedTargetAttempt): TargetAttempt => ({
  target,
  attempt: typeof attempt === 'function' ? attempt() : attempt,
})

/** At least one group. The second term varies which of several alike routes (see `chooseTargets`) is called. */
function shareOf<T>(groups: readonly T[], place: number): T[] {
  const shares = Math.min(SHARES, groups.length)
  return groups.filter((_, i) => (i + place + Math.floor(place / shares)) % shares === 0)
}

export type RequestChange = {
  method?: string
  /** Replaces the path and query. */
  address?: string
  version?: string
  headers?: readonly Header[]
  /** Names of omitted headers. */
  without?: readonly string[]
  body?: string | Buffer
}

/** The content type of the route's body. */
export const bodyType = ({ form }: Route): string =>
  form ? 'application/x-www-form-urlencoded' : 'application/json'

/** A valid request with one change. Without a given body it has one that the route refuses. */
export function compose({ route, path, credentials }: Target, change: RequestChange = {}): Buffer {
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

const kindOf = (access: Access): string =>
  typeof access === 'string' ? access : Object.keys(access).join(' ')
const hasParameter = ({ path }: Route): boolean => path.includes('{')
