// One request that nobody should send, and what it must lead to.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import type { ErrorCode } from '../../src/kernel/errors.ts'
import type { JsonSchema } from '../../src/platform/http/openapi/example.ts'
import { type Access, isRail, type Route } from '../../src/platform/http/route.ts'

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
  outsideRoute?: true
  /** Closing without a word is an answer as well. */
  mayCloseSilently?: true
  halfClose?: true
}

/**
 * One thing that can be wrong. Routes that get the same word from `alike` are the same to whatever meets it first, and
 * one of them is asked.
 */
export type Kind = {
  name: string
  alike: (target: Target) => string
  attempts: (target: Target) => Attempt[]
  /** Every attempt is made in the ordinary suite as well. */
  allAttempts?: true
  /** The ordinary suite asks all routes that are not alike, not a share of them: this kind guards money or secrets. */
  everyRoute?: true
}

/** Met by the shapes or the handler of a route: no two are alike. */
export const eachRoute = ({ route }: Target): string => route.name

/** Met by the pipeline, which does as the description says: alike are routes that ask the same of it. */
export function eachDescription({ route }: Pick<Target, 'route'>): string {
  // A webhook reads its own bytes, to prove them.
  if (isRail(route.access)) return route.name
  const { access, idempotency, bodyLimitBytes, fromOtherSites, stream } = route
  return [
    eachRequestShape({ route }),
    ...[kindOf(access), idempotency, bodyLimitBytes, fromOtherSites, stream !== undefined],
  ].join()
}

/** Met before a route is chosen: alike are requests of the same make. */
export const eachRequestShape = ({ route }: Pick<Target, 'route'>): string =>
  [route.method, route.form, route.body !== undefined, hasParameter(route)].join()

/** Met by the code that reads a body: alike are routes that allow the same size. In the soak, those of one description. */
export function eachBodyLimit(target: Target): string {
  if (isSoak) return eachDescription(target)
  const { method, form, body, bodyLimitBytes } = target.route
  return [method === 'GET', form, body !== undefined, bodyLimitBytes].join()
}

/** Met by the handler, unless the body that requests carry here is refused before. */
export const eachHandler = (target: Target): string =>
  target.route.body ? eachDescription(target) : eachRoute(target)

/** Met by the shape of a query; where there is none it is not looked at. */
export const eachQuery = (target: Target): string =>
  target.route.query ? eachRoute(target) : eachDescription(target)

/** Met by the shape of a body; where there is none it is not looked at. */
export const eachBody = (target: Target): string =>
  target.route.body ? eachRoute(target) : eachDescription(target)

/**
 * One target of all that are alike. Which one changes from kind to kind, so that no route is left out for good: the
 * place of the kind decides, and the same list always leads to the same requests.
 */
export function chooseTargets({ alike }: Kind, targets: readonly Target[], place: number): Target[] {
  return [...Map.groupBy(targets, alike).values()].flatMap((group) => group[place % group.length] ?? [])
}

export type TargetAttempt = { target: Target; attempt: Attempt }

/** The ordinary suite asks one in so many routes per kind, and the next ones for the next kind. */
export const SHARES = 12
/** So few routes are all asked. */
const FEW = SHARES

/**
 * What is sent for one kind. The soak makes every attempt on every target. The ordinary suite takes a share of the targets and
 * a few attempts per target, so that each variant meets a target, and each target meets one in a few kinds.
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
  if (all || kind.allAttempts) return groups.flat()
  const share = kind.everyRoute || groups.length <= FEW ? groups : shareOf(groups, place)
  const variants = Math.max(0, ...share.map((group) => group.length))
  const perTarget = Math.ceil(variants / share.length)
  return share.flatMap((group, i) =>
    Array.from(
      { length: Math.min(perTarget, group.length) },
      (_, n) => group[(i * perTarget + n) % group.length] as TargetAttempt,
    ),
  )
}

/** The second term varies which of several alike routes (see `asked`) meets a kind. */
const shareOf = <T>(groups: readonly T[], place: number): T[] =>
  groups.filter((_, i) => (i + place + Math.floor(place / SHARES)) % SHARES === 0)

export type RequestChange = {
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
