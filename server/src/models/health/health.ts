// Whether providers answer. Probes and the calls of customers on every replica record their outcomes in one shared row.
import { toMs } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/db/tx.ts'
import * as sql from './health-sql.ts'

export type ProviderHealth = {
  readonly status: 'healthy' | 'degraded' | 'down' | 'unknown' | 'disabled'
  /** When the status last changed; null while it is unknown or disabled. */
  readonly since: Date | null
  /** Only while the provider is degraded or down. */
  readonly lastError?: string
}

/** `isRejected`: the provider does not accept our key or account. */
export type HealthOutcome =
  | { readonly ok: true; readonly isCall: boolean }
  | { readonly ok: false; readonly isRejected: boolean; readonly error: string }

const DOWN_FROM_FAILURES = 3
const ERROR_CHARACTERS_MAX = 200
/** A repeated outcome is written at most this often. A changed outcome is written immediately. */
const FAILED_AGAIN_MS = toMs({ seconds: 10 })
const SERVED_AGAIN_MS = toMs({ seconds: 30 })

type WrittenOutcome = { ok: boolean; writtenMs: number }
const lastOutcomes = new WeakMap<Db, Map<string, WrittenOutcome>>()

/** Records the outcome of a call of a customer, in the background. */
export function recordCall(app: App, providerId: string, outcome: HealthOutcome): void {
  if (!isDue(app, providerId, outcome.ok)) return
  recordHealth(app, providerId, outcome).catch((error) =>
    app.log.warn({ err: error, providerId }, 'models.health.record_failed'),
  )
}

/** Stores an outcome. A change of the status is logged. */
export async function recordHealth(app: App, providerId: string, outcome: HealthOutcome): Promise<void> {
  await app.db.tx('platform', async (tx) => {
    const before = await sql.lockHealth(tx, providerId)
    const after = nextHealth(before, providerId, outcome, tx.now)
    await sql.saveHealth(tx, after)
    tx.afterCommit(() => logChange(app, before, after))
  })
}

/** The stored status of every provider by id. */
export async function healthByProvider(app: App): Promise<Map<string, sql.StoredHealth>> {
  return new Map((await sql.readHealth(app.db.direct)).map((health) => [health.providerId, health]))
}

export function describeHealth(isEnabled: boolean, stored: sql.StoredHealth | undefined): ProviderHealth {
  if (!isEnabled) return { status: 'disabled', since: null }
  if (!stored) return { status: 'unknown', since: null }
  const { status, since, lastError } = stored
  return { status, since, ...(lastError !== null && { lastError }) }
}

function nextHealth(
  before: sql.StoredHealth | undefined,
  providerId: string,
  outcome: HealthOutcome,
  now: Date,
): sql.StoredHealth {
  const failures = outcome.ok ? 0 : (before?.failures ?? 0) + 1
  const isRejected = !outcome.ok && outcome.isRejected
  const isDown = isRejected || failures >= DOWN_FROM_FAILURES
  const status = outcome.ok ? 'healthy' : isDown ? 'down' : 'degraded'
  return {
    providerId,
    status,
    since: before?.status === status ? before.since : now,
    failures,
    isRejected,
    lastError: outcome.ok ? null : outcome.error.slice(0, ERROR_CHARACTERS_MAX),
    lastUsedAt: outcome.ok && outcome.isCall ? now : (before?.lastUsedAt ?? null),
  }
}

function logChange(app: App, before: sql.StoredHealth | undefined, after: sql.StoredHealth): void {
  const { providerId, status, lastError } = after
  if (before?.status === status) return
  if (status === 'down') app.log.error({ providerId, reason: lastError }, 'models.provider.down')
  else if (status === 'healthy' && before?.status === 'down')
    app.log.info({ providerId }, 'models.provider.recovered')
}

function isDue(app: App, providerId: string, ok: boolean): boolean {
  const written = lastOutcomes.get(app.db) ?? new Map<string, WrittenOutcome>()
  lastOutcomes.set(app.db, written)
  const last = written.get(providerId)
  const nowMs = performance.now()
  if (last?.ok === ok && nowMs - last.writtenMs < (ok ? SERVED_AGAIN_MS : FAILED_AGAIN_MS)) return false
  written.set(providerId, { ok, writtenMs: nowMs })
  return true
}
