// Idempotency keys: a key is claimed before the work, and its outcome is stored in the transaction of the effect.
// After a crash, on another replica or in a retry, either both exist or neither.
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { assert } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { after, before } from '../../../kernel/clock.ts'
import { ApiError, ERRORS, type ErrorCode } from '../../../kernel/errors.ts'
import { type Id, newId, type UserId } from '../../../kernel/ids.ts'
import { canonicalJson } from '../../../kernel/json.ts'
import { LEASE, RENEW_MS } from '../../../kernel/lease.ts'
import type { Db, TenantScope, Tx } from '../../db/tx.ts'
import type { Log } from '../../log/log.ts'
import { claimNew } from './claim-batch.ts'
import * as sql from './sql.ts'

export type EncodedReply = { status: number; contentType: string; text: string }

/** A stored reply. Only `Once.commit` creates one, so a handler cannot skip the storing. */
export class CommittedReply<T> {
  readonly value: T
  /** The stored bytes. The same bytes are sent. */
  readonly encoded: EncodedReply
  constructor(value: T, encoded: EncodedReply) {
    this.value = value
    this.encoded = encoded
  }
}

export type Once = {
  /** The same for every retry, also after a crash. Derive the references of external effects from it. */
  readonly id: Id<'idem'>
  /** Whether the caller can reconnect for the outcome: work under a key may continue after a disconnect. */
  readonly isKeyed: boolean
  /** The number of this attempt under the key, from 1. An earlier attempt may have crashed and left holds or rows. */
  readonly attempt: number
  /** Restarts `idempotency_stale_minutes` for long work. The lease is renewed automatically. */
  renew(): Promise<void>
  /** Runs the effect and stores its reply in the same transaction. */
  commit<T>(reach: TenantScope, work: (tx: Tx) => Promise<T>): Promise<CommittedReply<T>>
}

export type Replay = { status: number; contentType: string; body: string }
export type Claim = {
  once: Once
  /** Stores a final error as the outcome. */
  storeError(status: number, body: string): Promise<void>
  /** Frees the key: the next retry runs again. */
  release(): Promise<void>
  /** Deletes the key, unless an earlier attempt has used it. */
  forget(): Promise<void>
  /** The client disconnected and the work continues: the next call with the key waits for its outcome. */
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
  /** The reply is content of the organisation, so it is stored in its content database, not with the key. */
  isContent: boolean
}

/**
 * Statuses of refusals whose reason may go away while the request stays the same: the caller gets access, or another change
 * ends. They are not stored, so that a retry with the same key can succeed.
 */
const REVERSIBLE_STATUSES = new Set([401, 403, 409, 413, 415, 422, 451])
/** Refusals of the request itself. Nothing was begun, so the key stays free for a corrected request. */
const VALIDATION_CODES: ReadonlySet<ErrorCode> = new Set([
  'invalid_fields',
  'channel_not_available',
  'sandbox_unavailable',
  'prompt_too_long',
  'previous_response_not_found',
  'model_not_found',
])
export const isValidationError = (error: ApiError): boolean => VALIDATION_CODES.has(error.code)
/** Whether the refusal is stored under the key and replayed. Only a decided one is. */
export const isFinalError = (error: ApiError): boolean =>
  ERRORS[error.code].outcome === 'decided' &&
  error.status < 500 &&
  !REVERSIBLE_STATUSES.has(error.status) &&
  !isValidationError(error)

/** Without a key the effect still runs in one transaction, but its reply is not stored. */
export function unkeyed(db: Db, encode: Encode): Once {
  return {
    id: newId('idem'),
    isKeyed: false,
    attempt: 1,
    renew: async () => undefined,
    commit: async (reach, work) => {
      const value = await db.tx(reach, work)
      return new CommittedReply(value, encode(value))
    },
  }
}

/**
 * Claims a key. Otherwise returns the stored outcome, or `detached` while a call runs whose client has disconnected.
 * Throws `idempotency_in_progress` while the client is still connected, and `idempotency_key_reused` for another body.
 * A claim with an expired lease, or older than `staleMinutes`, is taken over. The new fence prevents the earlier owner
 * from committing.
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
  const asked = { ...place, id: newId('idem'), fingerprint }
  const claimed = (await claimNew(db, clock, asked))
    ? { id: asked.id, fence: 1n }
    : await sql.claim(db.direct, asked, {
        now,
        leaseUntil: after(now, LEASE),
        staleBefore: before(now, { minutes: staleMinutes }),
      })
  if (!claimed) return findOutcome(db, await sql.find(db.direct, place), fingerprint, now, staleMinutes)

  const held = { ...place, ...claimed }
  const leases = leasesOf(db)
  leases.add(held)
  /** The renewal of the lease ends with the call. If the statement fails, the lease expires. */
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
        const committed = await db
          .tx(reach, async (tx) => {
            const value = await work(tx)
            const encoded = encode(value)
            const stored = intent.isContent ? await storeAsContent(tx, reach, claimed.id, encoded) : encoded
            // Not awaited: it is sent together with the commit, which fails with it.
            sql.finish(tx, held, stored, tx.now).catch(() => undefined)
            return new CommittedReply(value, encoded)
          })
          .catch((error) => {
            throw sql.isTakenOver(error) ? new ApiError('idempotency_in_progress') : error
          })
        leases.delete(held)
        return committed
      },
    },
    storeError: (status, text) => {
      const outcome = { status, contentType: 'application/json; charset=utf-8', text }
      return end(sql.finish(db.direct, held, outcome, clock.now()).catch(ignoreTakeover))
    },
    release: () => end(sql.release(db.direct, held)),
    detach: () => sql.detach(db.direct, held, clock.now()),
    forget: () => end(claimed.fence === 1n ? sql.forget(db.direct, held) : sql.release(db.direct, held)),
  }
}

/** The new owner stores its own outcome. */
function ignoreTakeover(error: unknown): void {
  if (!sql.isTakenOver(error)) throw error
}

type Lease = { readonly id: Id<'idem'>; readonly fence: bigint }

/** The leases that this process holds, by database. */
const leases = new WeakMap<Db, Set<Lease>>()

function leasesOf(db: Db): Set<Lease> {
  const known = leases.get(db) ?? new Set()
  leases.set(db, known)
  return known
}

/** Renews all leases of this process with one statement. Sends nothing while there are none. Returns the stop function. */
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

async function storeAsContent(tx: Tx, reach: TenantScope, id: Id<'idem'>, encoded: EncodedReply) {
  assert(reach !== 'platform', 'content is an organisation’s')
  await sql.insertReply(tx, reach, id, encoded.text)
  return { ...encoded, text: '', keptIn: reach }
}

export const isReplay = (found: Claim | Replay): found is Replay => 'status' in found

const POLL_MS = 250
const POLL_MS_MAX = 2_000

/**
 * Waits until a detached call has an outcome or has freed its key; null when `gone` aborts. `look` only reads. `ask` also
 * claims, and is called once there is an outcome or a free key.
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

/** Whether a key has an outcome, or may be taken over. */
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
  // Its owner deleted it between the two statements; the caller may retry.
  if (!found) throw new ApiError('idempotency_in_progress')
  if (found.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused')
  // The key may have been freed just now: the next claim gets it.
  if (found.state !== 'done' && found.detached_at !== null) return 'detached'
  const body = found.state === 'done' ? await loadBody(db, found) : null
  if (found.status === null || body === null) throw inProgress(found, now, staleMinutes)
  return {
    status: found.status,
    contentType: found.content_type ?? 'application/json; charset=utf-8',
    body,
  }
}

/** `retryAfter` is the time after which a retry gets the outcome or takes over, even if the owner has crashed. */
function inProgress(found: sql.StoredKey, now: Date, staleMinutes: number): ApiError {
  const waitMs = found.state === 'running' ? freeAt(found, staleMinutes).getTime() - now.getTime() : 0
  return new ApiError('idempotency_in_progress', { retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) })
}

async function loadBody(db: Db, { id, kept_in: org, body }: sql.StoredKey): Promise<string | null> {
  return org === null ? body : ((await db.tx(org, (tx) => sql.findReply(tx, org, id))) ?? null)
}

function fingerprintOf({ orgId, params, body }: Intent): string {
  return hash('sha256', canonicalJson({ orgId, params, body: body ?? null }), 'base64url')
}
