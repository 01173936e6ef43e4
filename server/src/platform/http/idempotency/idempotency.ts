// One mechanism for every money call: a key is claimed before the work, and its outcome is stored in the
// transaction of the effect. A killed process, a second replica or a retry therefore finds either both or neither.
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { assert } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { after, before } from '../../../kernel/clock.ts'
import { ApiError, type ErrorCode } from '../../../kernel/errors.ts'
import { type Id, newId, type UserId } from '../../../kernel/ids.ts'
import { canonicalJson } from '../../../kernel/json.ts'
import { LEASE, RENEW_MS } from '../../../kernel/lease.ts'
import type { Db, Reach, Tx } from '../../db/tx.ts'
import type { Log } from '../../log/log.ts'
import * as sql from './sql.ts'

export type EncodedReply = { status: number; contentType: string; text: string }

/** A reply that is stored: only `Once.commit` makes one, so a handler cannot forget to. */
export class Committed<T> {
  readonly value: T
  /** What was stored, and what must be sent: the same bytes. */
  readonly encoded: EncodedReply
  constructor(value: T, encoded: EncodedReply) {
    this.value = value
    this.encoded = encoded
  }
}

export type Once = {
  /** The same for every retry of this intent, also after a crash: derive references of foreign effects from it. */
  readonly id: Id<'idem'>
  /** Whether the caller can come back for the outcome: work under a key may go on when its connection is lost. */
  readonly isKeyed: boolean
  /** Counts the calls that worked under this key, from 1. An earlier one may have died with money held and rows running. */
  readonly attempt: number
  /** Starts the outer bound again, for work that may take longer than it. The lease is renewed without this. */
  renew(): Promise<void>
  /** Runs the effect and stores its reply in the same transaction. */
  commit<T>(reach: Reach, work: (tx: Tx) => Promise<T>): Promise<Committed<T>>
}

export type Replay = { status: number; contentType: string; body: string }
export type Claim = {
  once: Once
  /** Remembers a refusal that was decided on the merits. */
  storeError(status: number, body: string): Promise<void>
  /** Lets the next retry run again: nothing was decided. */
  release(): Promise<void>
  /** As if the key had never been shown, unless an earlier call has begun something under it. */
  forget(): Promise<void>
  /** The caller is lost and the work goes on: the next call with the key waits for its outcome. */
  detach(): Promise<void>
}
type Encode = (reply: unknown) => EncodedReply
export type Intent = {
  userId: UserId
  orgId: string
  route: string
  key: string
  params: unknown
  body: unknown
  /** The reply is content of the organisation: it is kept where that is, and not beside the key. */
  isContent: boolean
}

/** Refusals that say nothing about the intent itself: a retry with the same key must be able to succeed. */
const RETRYABLE_STATUSES = new Set([401, 403, 408, 409, 413, 415, 422, 429, 451])
/** Refusals of the words themselves: nothing was begun, so the key may still stand for better ones. */
const VALIDATION_CODES: ReadonlySet<ErrorCode> = new Set([
  'invalid_fields',
  'channel_not_available',
  'sandbox_unavailable',
  'prompt_too_long',
])
/** Refusals that wait for somebody: the retry goes on, and finds what has become of it. */
const PENDING_CODES: ReadonlySet<ErrorCode> = new Set(['card_challenged'])
export const isValidationError = (error: ApiError): boolean => VALIDATION_CODES.has(error.code)
export const isFinalError = (error: ApiError): boolean =>
  error.status < 500 &&
  !RETRYABLE_STATUSES.has(error.status) &&
  !PENDING_CODES.has(error.code) &&
  !isValidationError(error)

/** Without a key the effect still runs in one transaction; nothing is remembered. */
export function unkeyed(db: Db, encode: Encode): Once {
  return {
    id: newId('idem'),
    isKeyed: false,
    attempt: 1,
    renew: async () => undefined,
    commit: async (reach, work) => {
      const value = await db.tx(reach, work)
      return new Committed(value, encode(value))
    },
  }
}

/**
 * Claims a key, or says what is known about it: the stored outcome to replay, `detached` while the first call runs and
 * has lost its caller, `idempotency_in_progress` while it has not, `idempotency_key_reused` for another body. A claim whose
 * lease has lapsed, or that is older than `staleMinutes`, is taken over: the earlier owner can no longer commit, because its
 * fence is old.
 */
export async function claim(
  db: Db,
  clock: Clock,
  intent: Intent,
  staleMinutes: number,
  encode: Encode,
): Promise<Claim | Replay | 'detached'> {
  const now = clock.now()
  const fingerprint = fingerprintOf(intent)
  const place = { userId: intent.userId, route: intent.route, key: intent.key }
  const claimed = await sql.claim(db.direct, {
    ...place,
    id: newId('idem'),
    fingerprint,
    now,
    leaseUntil: after(now, LEASE),
    staleBefore: before(now, { minutes: staleMinutes }),
  })
  if (!claimed) return findOutcome(db, await sql.find(db.direct, place), fingerprint, now, staleMinutes)

  const held = { ...place, ...claimed }
  const leases = leasesOf(db)
  leases.add(held)
  /** The lease ends with the call, also when the database does not hear of it: then it lapses. */
  const end = (ending: Promise<void>): Promise<void> => ending.finally(() => leases.delete(held))
  return {
    once: {
      id: claimed.id,
      isKeyed: true,
      attempt: Number(claimed.fence),
      renew: () => {
        const renewedAt = clock.now()
        return sql.renew(db.direct, held, renewedAt, after(renewedAt, LEASE))
      },
      commit: async (reach, work) => {
        const committed = await db.tx(reach, async (tx) => {
          const value = await work(tx)
          const encoded = encode(value)
          const stored = intent.isContent ? await storeAsContent(tx, reach, claimed.id, encoded) : encoded
          if (!(await sql.finish(tx, held, stored, tx.now))) throw new ApiError('idempotency_in_progress')
          return new Committed(value, encoded)
        })
        leases.delete(held)
        return committed
      },
    },
    storeError: (status, text) => {
      const outcome = { status, contentType: 'application/json; charset=utf-8', text }
      return end(sql.finish(db.direct, held, outcome, clock.now()).then(() => undefined))
    },
    release: () => end(sql.release(db.direct, held)),
    detach: () => sql.detach(db.direct, held, clock.now()),
    forget: () => end(claimed.fence === 1n ? sql.forget(db.direct, held) : sql.release(db.direct, held)),
  }
}

type Lease = { readonly id: Id<'idem'>; readonly fence: bigint }

/** What this process works under, for each of its databases. */
const leases = new WeakMap<Db, Set<Lease>>()

function leasesOf(db: Db): Set<Lease> {
  const known = leases.get(db) ?? new Set()
  leases.set(db, known)
  return known
}

/** Renews every lease of this process with one statement, and sends none while there are none. Returns the undo. */
export function startLeaseRenewal(db: Db, clock: Clock, log: Log): () => void {
  const held = leasesOf(db)
  let isRenewing = false
  const renew = async () => {
    if (isRenewing || held.size === 0) return
    isRenewing = true
    try {
      await sql.renewLeases(db.direct, [...held], after(clock.now(), LEASE))
    } catch (error) {
      log.warn({ err: error, leases: held.size }, 'idempotency.leases.renew_failed')
    } finally {
      isRenewing = false
    }
  }
  const timer = setInterval(() => void renew(), RENEW_MS).unref()
  return () => clearInterval(timer)
}

async function storeAsContent(tx: Tx, reach: Reach, id: Id<'idem'>, encoded: EncodedReply) {
  assert(reach !== 'platform', 'content is an organisation’s')
  await sql.insertReply(tx, reach, id, encoded.text)
  return { ...encoded, text: '', keptIn: reach }
}

export const isReplay = (found: Claim | Replay): found is Replay => 'status' in found

const POLL_MS = 250
const POLL_MS_MAX = 2_000

/**
 * Waits until a detached call has an outcome, or has left the key to whoever comes next; null when nobody waits any more.
 * `look` only reads; `ask` also claims, and is asked once there is something to get.
 */
export async function waitForOutcome(
  look: () => Promise<boolean>,
  ask: () => Promise<Claim | Replay | 'detached'>,
  gone: AbortSignal,
): Promise<Claim | Replay | null> {
  for (let waitMs = POLL_MS; !gone.aborted; waitMs = Math.min(waitMs * 1.5, POLL_MS_MAX)) {
    const found = (await look()) ? await ask() : 'detached'
    if (found !== 'detached') return found
    await pause(waitMs, undefined, { signal: gone }).catch(() => undefined)
  }
  return null
}

/** Whether a key that somebody works under has come to something, or may be taken over. */
export async function isDecided(
  db: Db,
  clock: Clock,
  intent: Intent,
  staleMinutes: number,
): Promise<boolean> {
  const found = await sql.find(db.direct, intent)
  return found?.state !== 'running' || freeAt(found, staleMinutes) <= clock.now()
}

/** When a running record may be taken over, unless its owner renews it. */
function freeAt({ claimed_at, lease_until }: sql.StoredKey, staleMinutes: number): Date {
  const staleAt = after(claimed_at, { minutes: staleMinutes })
  return lease_until !== null && lease_until < staleAt ? lease_until : staleAt
}

export function checkKey(key: string | string[] | undefined, required: boolean): string | undefined {
  if (key === undefined && !required) return undefined
  if (key === undefined) throw new ApiError('idempotency_key_required')
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError('idempotency_key_invalid')
  return key
}

async function findOutcome(
  db: Db,
  found: sql.StoredKey | undefined,
  fingerprint: string,
  now: Date,
  staleMinutes: number,
): Promise<Replay | 'detached'> {
  // Gone between the two statements: its holder released it, so the caller may simply try again.
  if (!found) throw new ApiError('idempotency_in_progress')
  if (found.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused')
  // Also when it was left free in this very moment: who asks again gets it.
  if (found.state !== 'done' && found.detached_at !== null) return 'detached'
  const body = found.state === 'done' ? await loadBody(db, found) : null
  if (found.status === null || body === null) throw inProgress(found, now, staleMinutes)
  return {
    status: found.status,
    contentType: found.content_type ?? 'application/json; charset=utf-8',
    body,
  }
}

/** Names the wait after which a retry gets the outcome or takes over, even if the owner has died. */
function inProgress(found: sql.StoredKey, now: Date, staleMinutes: number): ApiError {
  const waitMs = found.state === 'running' ? freeAt(found, staleMinutes).getTime() - now.getTime() : 0
  return new ApiError('idempotency_in_progress', { retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) })
}

async function loadBody(db: Db, { id, kept_in: org, body }: sql.StoredKey): Promise<string | null> {
  return org === null ? body : ((await db.tx(org, (tx) => sql.findReply(tx, org, id))) ?? null)
}

function fingerprintOf({ orgId, params, body }: Intent): string {
  return createHash('sha256')
    .update(canonicalJson({ orgId, params, body: body ?? null }))
    .digest('base64url')
}
