// A route is its description. The pipeline obeys it, the OpenAPI document prints it, a test walks it.
import type { z } from 'zod'
import { assert } from '../../kernel/assert.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import type { App } from '../app.ts'
import type { Actor, OrgRole, Scope, StaffTier } from './actor.ts'
import type { Answer } from './answer.ts'
import type { Committed, Once } from './idempotency/idempotency.ts'
import type { RecordedStream, Unstored } from './idempotency/recorded-stream.ts'
import type { BucketName } from './rate/rate.ts'
import type { EventStream } from './reply/sse.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a webhook brings to prove where it comes from. The proof throws when it does not hold. */
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
  /** A signed-in person, for what concerns them and no organisation: also when theirs insists on single sign-on. */
  | 'session'
  /** Anyone we know: a person or a key, whatever its scopes. */
  | 'any'
  /** As `any`, for what concerns them and no organisation: also when theirs insists on single sign-on. */
  | 'known'
  /** A key with this scope, or a person. */
  | { scope: Scope }
  /** A person with at least this role in their active org, or in the org that the path names. */
  | { role: OrgRole; orgParam?: string }
  /** Platform staff of one of these tiers. */
  | { staff: readonly StaffTier[] | 'any' }
  /** A key with this scope, a person, or staff: who sees other orgs is decided by `actor.staffRole`. */
  | { scopeOrStaff: Scope }
  /** A person with at least this role in their active org, or staff. */
  | { roleOrStaff: OrgRole }
  /** A machine with our secret. */
  | { machine: 'internal' | 'metrics' }
  /** A payment rail or another service that signs what it sends. */
  | { rail: string; proof: Proof }

/** A reply that is sent as the handler made it: not JSON, or JSON that was written elsewhere and has a shape. */
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
type ActorOf<A extends Access> = A extends 'none' | { rail: string } | { machine: string } ? null : Actor

export type RequestInfo = {
  readonly id: string
  readonly address: string
  readonly userAgent: string
  readonly headers: Record<string, string | string[] | undefined>
  readonly raw: Buffer | undefined
  readonly cookie: (name: string) => string | undefined
  /** Aborts when the client has gone before its answer was complete. */
  readonly gone: AbortSignal
  /** Cookies and further headers of the answer. */
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
    ) => Promise<Committed<R | Answer | RecordedStream> | Unstored<Reply<R> | undefined>>

/** What a handler returns: the reply, or the last frame of a stream (none when it has sent its last itself). */
type Result<R extends Record<number, ReplySpec>, I, S extends Shape> = S extends z.ZodType
  ? z.input<S> | (I extends 'none' ? undefined : never)
  : { [K in keyof R]: R[K] extends z.ZodType ? z.input<R[K]> : string | Uint8Array }[keyof R]

export type Idempotency = 'none' | 'optional' | 'required'

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
  /** Further prose for the reference. */
  detail?: string
  access: A
  /** Costs money: refused for suspended and unverified orgs and during maintenance. */
  paid?: true
  /** Null only for the exempt addresses of the contract. */
  rate: BucketName | null
  idempotency?: I
  /** Under a key, the reply is kept with the content of the organisation and goes wherever that goes. */
  isContent?: true
  /** Texts of the body may be those of binary files, with NUL characters in them; the handler refuses each by itself. */
  takesAnyText?: true
  /** The handler promises an audit entry in the transaction of the fact. */
  audit?: true
  /** Meant to be posted from another website, as an identity provider's form is. */
  fromOtherSites?: true
  /** Why people who are not staff may call it during maintenance although it changes something. */
  duringMaintenance?: string
  params?: P
  query?: Q
  body?: B
  /** The body is a form, as an identity provider's page posts it; its fields are texts. */
  form?: true
  bodyLimitBytes?: number
  /** By status. A stream needs none; a route that has both streams where the body says `stream: true`. */
  reply?: R
  /** Further types the same success comes in, by what the caller accepts: type and description. */
  also?: Readonly<Record<string, string>>
  /** Answers as an event stream of these frames. */
  stream?: S
  errors?: readonly ErrorCode[]
  timeoutMs?: number
  /**
   * The reply carries a key, token, code or other secret. It is never compressed: the length of a compressed answer tells
   * how much of a guess is in it (BREACH).
   */
  carriesSecret?: true
  /** Kept out of the published document: development helpers. */
  hidden?: true
  /** GET routes whose HEAD would have a meaning of its own refuse it. */
  head?: false
  handle: Handler<
    Context<A, P extends z.ZodType ? z.output<P> : Record<string, string>, Out<Q>, Out<B>>,
    Result<R, I, S>,
    I,
    S
  >
}

/** A route whose types have been checked and may now be forgotten. */
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
  readonly isContent: boolean
  readonly takesAnyText: boolean
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

/** Describes one operation. `name` is its name everywhere: `agent.runLoop` in the SDK, the log, audit and metrics. */
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
    isContent: description.isContent ?? false,
    takesAnyText: description.takesAnyText ?? false,
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
    errors: description.errors ?? [],
    timeoutMs: description.timeoutMs ?? (description.stream ? STREAM_TIMEOUT_MS : PLAIN_TIMEOUT_MS),
    carriesSecret: description.carriesSecret ?? false,
    hidden: description.hidden ?? false,
    head: description.head ?? !description.stream,
    handle: description.handle as (context: unknown) => unknown,
  }
}

/** Whether the reply to this body is a stream. */
export const streamsFor = ({ stream, reply }: Route, body: unknown): boolean =>
  stream !== undefined &&
  (Object.keys(reply).length === 0 || (body as { stream?: unknown } | null)?.stream === true)

export const isRail = (access: Access): access is { rail: string; proof: Proof } =>
  typeof access === 'object' && 'rail' in access
/** JSON may arrive compressed. Webhooks are signed as they are sent, and forms come from browsers. */
export const takesEncodedBody = ({ body, form, access }: Route): boolean =>
  body !== undefined && !form && !isRail(access)
export const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** The parameter names of a path: `/orgs/{orgId}/flags/{key}` → orgId, key. */
export const paramNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
