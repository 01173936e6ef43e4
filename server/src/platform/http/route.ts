// A route is its description. The server enforces it, the OpenAPI document prints it, and a test checks every route.
import type { z } from 'zod'
import { assert } from '../../kernel/assert.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import type { App } from '../app.ts'
import type { Language } from '../texts/language.ts'
import type { Actor, OrgRole, OrgToken, Scope, StaffTier } from './actor.ts'
import type { Answer } from './answer.ts'
import type { CommittedReply, Once } from './idempotency/idempotency.ts'
import type { RecordedStream, UnstoredReply } from './idempotency/recorded-stream.ts'
import type { BucketName } from './rate/lease-store.ts'
import type { EventStream } from './reply/sse.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The parts of a webhook request that its sender may sign. The proof throws when the signature is invalid. */
export type Evidence = {
  raw: Buffer
  headers: Record<string, string | string[] | undefined>
  address: string
  query: Record<string, unknown>
  params: Record<string, string>
}
export type Proof = (app: App, evidence: Evidence) => void | Promise<void>

export type Access =
  | 'none'
  /** A signed-in person, for personal data only. Open without the single sign-on that their organisation requires. */
  | 'session'
  /** A person, or a key with any scopes. */
  | 'any'
  /** As `any`, for personal data only. Open without the single sign-on that their organisation requires. */
  | 'known'
  /** A key with this scope, or a person. */
  | { scope: Scope }
  /** A person with at least this role in their active org, or in the org that the path names. */
  | { role: OrgRole; orgParam?: string }
  /** Platform staff of one of these tiers. */
  | { staff: readonly StaffTier[] | 'any' }
  /** A key with this scope, a person, or staff. The handler reads `actor.staffRole` to allow other organisations. */
  | { scopeOrStaff: Scope }
  /** A person with at least this role in their active org, or staff. */
  | { roleOrStaff: OrgRole }
  /** A machine with the internal secret or the metrics token. */
  | { machine: 'internal' | 'metrics' }
  /** The directory service of an organisation, with a SCIM token. No other credential is accepted. */
  | { token: 'scim' }
  /** A payment provider or another service that signs its requests. */
  | { rail: string; proof: Proof }

/** A reply that is sent unchanged: not JSON, or JSON that the handler has already serialised. */
export type RawReply = { contentType: string; description: string; shape?: z.ZodType }
export type ReplySpec = z.ZodType | RawReply
export const raw = (contentType: string, description: string): RawReply => ({ contentType, description })
export const rawJson = (shape: z.ZodType, description: string): RawReply => ({
  contentType: 'application/json; charset=utf-8',
  description,
  shape,
})
export const isRaw = (spec: ReplySpec): spec is RawReply => 'contentType' in spec

type Shape = z.ZodType | undefined
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type ActorOf<A extends Access> = A extends 'none' | { rail: string } | { machine: string }
  ? null
  : A extends { token: string }
    ? OrgToken
    : Actor

export type RequestInfo = {
  readonly id: string
  readonly address: string
  readonly userAgent: string
  /** The language of the sentences in the reply, by `Accept-Language`. */
  readonly language: Language
  readonly headers: Record<string, string | string[] | undefined>
  readonly raw: Buffer | undefined
  /** The query as sent, where the parameters depend on the kind of client. Other routes describe theirs. */
  readonly query: Readonly<Record<string, unknown>>
  readonly cookie: (name: string) => string | undefined
  /** Aborts when the client disconnects before its response is complete. */
  readonly gone: AbortSignal
  /** Cookies and other headers of the response. */
  readonly setCookie: (cookie: string) => void
  readonly setHeader: (name: string, value: string) => void
}

export type Context<A extends Access, P, Q, B> = {
  readonly app: App
  readonly actor: ActorOf<A>
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly request: RequestInfo
}

type Reply<R> = R | Answer
type Handler<C, R, I, S> = I extends 'none'
  ? (
      context: C & (S extends z.ZodType ? { open: () => EventStream } : unknown),
    ) => Reply<R> | Promise<Reply<R>>
  : (
      context: C & { once: Once } & (S extends z.ZodType ? { open: () => EventStream } : unknown),
    ) => Promise<CommittedReply<R | Answer | RecordedStream> | UnstoredReply<Reply<R> | undefined>>

/** The return value of a handler: the reply, or the last frame of a stream (none if it has sent that itself). */
type Result<R extends Record<number, ReplySpec>, I, S extends Shape> = S extends z.ZodType
  ? z.input<S> | (I extends 'none' ? undefined : never)
  : { [K in keyof R]: R[K] extends z.ZodType ? z.input<R[K]> : string | Uint8Array }[keyof R]

export type Idempotency = 'none' | 'optional' | 'required'

/**
 * The stream of a route that otherwise sends one reply. Both forms store that reply, so a retry under the same idempotency
 * key may ask for either.
 */
type StreamForm<C, R> = {
  /** The shape of the frames. They are numbered by `seq`. */
  frames: z.ZodType
  /** The last frame, which contains the reply. */
  lastFrame: (reply: R) => object
  handle: (context: C & { once: Once; open: () => EventStream }) => Promise<CommittedReply<R>>
}

export type Description<
  A extends Access,
  I extends Idempotency,
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends Record<number, ReplySpec>,
  S extends Shape,
> = {
  summary: string
  /** More text for the reference. */
  detail?: string
  access: A
  /** Costs money: rejected for suspended and unverified organisations and during maintenance. */
  paid?: true
  /** Null only for the paths that the contract exempts. */
  rate: BucketName | null
  idempotency?: I
  /** Calls that cost nothing and change nothing. Their idempotency key is ignored, so nothing is stored for them. */
  isFree?: (body: Out<B>) => boolean
  /** Stores the reply under an idempotency key with the content of the organisation, in the same database. */
  isContent?: true
  /** Strings of the body may come from binary files and contain NUL. The handler checks each of them. */
  takesAnyText?: true
  /** Staff need a second factor of the last minutes, where the deployment requires one of staff. */
  stepUp?: true
  /** The handler records an audit event in the transaction of the change. */
  audit?: true
  /** May be posted by a page of another website, such as the form of an identity provider. */
  fromOtherSites?: true
  /** The reason why others than staff may call this write operation during maintenance. */
  duringMaintenance?: string
  params?: P
  query?: Q
  body?: B
  /** The body is a form; its fields are strings. */
  form?: true
  bodyLimitBytes?: number
  /** By status. A stream needs none. A route with both streams when the body has `stream: true`. */
  reply?: R
  /** Other media types of the success reply, chosen by `Accept`: type and description. */
  also?: Readonly<Record<string, string>>
  /** The shape of the frames, for a route that replies with an event stream. */
  stream?: S
  /** The stream is compressed for clients that accept gzip. */
  isStreamCompressed?: true
  /** Sent instead of the reply if `Accept` names `text/event-stream` before JSON. */
  streamForm?: StreamForm<HandlerContext<A, P, Q, B>, Result<R, I, undefined>>
  errors?: readonly ErrorCode[]
  timeoutMs?: number
  /**
   * The reply contains a key, token, code or other secret. It is never compressed, because the compressed length reveals
   * how much of a guess matches (BREACH).
   */
  carriesSecret?: true
  /** Not in the published document: development helpers, and a protocol that another specification describes. */
  hidden?: true
  /** False rejects HEAD on a GET route. */
  head?: false
  handle: Handler<HandlerContext<A, P, Q, B>, Result<R, I, S>, I, S>
}

type HandlerContext<A extends Access, P extends Shape, Q extends Shape, B extends Shape> = Context<
  A,
  P extends z.ZodType ? z.output<P> : Record<string, string>,
  Out<Q>,
  Out<B>
>

/** A route after type checking, with its type parameters erased. */
export type Route = {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly detail: string | undefined
  readonly access: Access
  readonly paid: boolean
  readonly rate: BucketName | null
  readonly idempotency: Idempotency
  readonly isFree: ((body: unknown) => boolean) | undefined
  readonly isContent: boolean
  readonly takesAnyText: boolean
  readonly stepUp: boolean
  readonly audit: boolean
  readonly fromOtherSites: boolean
  readonly duringMaintenance: string | null
  readonly params: z.ZodType | undefined
  readonly query: z.ZodType | undefined
  readonly body: z.ZodType | undefined
  readonly form: boolean
  readonly bodyLimitBytes: number
  readonly reply: Readonly<Record<number, ReplySpec>>
  readonly also: Readonly<Record<string, string>>
  readonly stream: z.ZodType | undefined
  readonly isStreamCompressed: boolean
  readonly streamForm: StreamForm<unknown, unknown> | undefined
  /** Set on the route that `toStreamRoute` returns. */
  readonly lastFrame: ((reply: unknown) => object) | undefined
  readonly errors: readonly ErrorCode[]
  readonly timeoutMs: number
  readonly carriesSecret: boolean
  readonly hidden: boolean
  readonly head: boolean
  readonly handle: (context: unknown) => unknown
}

const MEBIBYTE = 1024 * 1024
export const WEBHOOK_BODY_BYTES = 256 * 1024
const PLAIN_TIMEOUT_MS = 30_000
const STREAM_TIMEOUT_MS = 30 * 60_000

/** Describes one operation. The SDK, the log, the audit trail and the metrics use the same `name`. */
export function route<
  const A extends Access,
  R extends Record<number, ReplySpec> = Record<never, never>,
  I extends Idempotency = 'none',
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  S extends Shape = undefined,
>(name: string, address: `${Method} /${string}`, description: Description<A, I, P, Q, B, R, S>): Route {
  const [method, path] = address.split(' ') as [Method, string]
  assert(/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/.test(name), `${name} is dotted words`)
  return {
    name,
    method,
    path,
    summary: description.summary,
    detail: description.detail,
    access: description.access,
    paid: description.paid ?? false,
    rate: description.rate,
    idempotency: description.idempotency ?? 'none',
    isFree: description.isFree as Route['isFree'],
    isContent: description.isContent ?? false,
    takesAnyText: description.takesAnyText ?? false,
    stepUp: description.stepUp ?? false,
    audit: description.audit ?? false,
    fromOtherSites: description.fromOtherSites ?? false,
    duringMaintenance: description.duringMaintenance ?? null,
    params: description.params,
    query: description.query,
    body: description.body,
    form: description.form ?? false,
    bodyLimitBytes:
      description.bodyLimitBytes ?? (isRail(description.access) ? WEBHOOK_BODY_BYTES : MEBIBYTE),
    reply: description.reply ?? {},
    also: description.also ?? {},
    stream: description.stream,
    isStreamCompressed: description.isStreamCompressed ?? false,
    streamForm: description.streamForm as Route['streamForm'],
    lastFrame: undefined,
    errors: description.errors ?? [],
    timeoutMs: description.timeoutMs ?? (description.stream ? STREAM_TIMEOUT_MS : PLAIN_TIMEOUT_MS),
    carriesSecret: description.carriesSecret ?? false,
    hidden: description.hidden ?? false,
    head: description.head ?? !description.stream,
    handle: description.handle as (context: unknown) => unknown,
  }
}

/** Whether the reply to this body is a stream. */
export const streamsFor = ({ stream, reply, lastFrame }: Route, body: unknown): boolean =>
  stream !== undefined &&
  (lastFrame !== undefined ||
    Object.keys(reply).length === 0 ||
    (body as { stream?: unknown } | null)?.stream === true)

/** A route with a stream form, as it is served to clients that ask for the stream. Null for other routes. */
export function toStreamRoute(route: Route): Route | null {
  if (!route.streamForm) return null
  const { frames, lastFrame, handle } = route.streamForm
  return { ...route, stream: frames, lastFrame, handle: handle as Route['handle'] }
}

export const isRail = (access: Access): access is { rail: string; proof: Proof } =>
  typeof access === 'object' && 'rail' in access
export const isOrgToken = (access: Access): access is { token: 'scim' } =>
  typeof access === 'object' && 'token' in access
/** Only JSON bodies may be compressed. Webhooks are signed as sent, and browsers do not compress forms. */
export const takesEncodedBody = ({ body, form, access }: Route): boolean =>
  body !== undefined && !form && !isRail(access)
export const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** The parameter names of a path: `/orgs/{orgId}/flags/{key}` → orgId, key. */
export const paramNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
