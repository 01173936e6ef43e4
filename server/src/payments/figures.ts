// Figures of payments: those without an outcome, those that staff must decide, and the health of their providers.
import type { Tx } from '../platform/db/tx.ts'
import {
  ageSeconds,
  COUNTED_MAX,
  type Figure,
  type FigureSource,
  inSeconds,
} from '../platform/log/figures.ts'
import { listHealth } from './sql/rail-health.ts'

const DAYS_READ = 30

export const paymentFigures: FigureSource = {
  name: 'payments',
  metrics: {
    payments_without_outcome: `Payments that are pending after their expiry, by provider, up to ${COUNTED_MAX}.`,
    payment_without_outcome_age_seconds:
      'Time since the expiry of the oldest of these payments, by provider.',
    payment_check_overdue_seconds: 'Time since the most overdue status query of a payment was due.',
    payment_webhook_age_seconds: 'Time since the oldest unprocessed webhook of a provider arrived.',
    payments_in_review: `Payments that staff must decide, up to ${COUNTED_MAX}.`,
    payment_cases_open: `Open cases, by kind, up to ${COUNTED_MAX}.`,
  },
  async read(tx) {
    const { reviewed, checkAt, webhookAt } = await waiting(tx)
    const pending = await withoutOutcome(tx)
    const cases = await openCases(tx)
    return [
      ['payments_in_review', reviewed],
      ['payment_check_overdue_seconds', ageSeconds(tx.now, checkAt)],
      ['payment_webhook_age_seconds', ageSeconds(tx.now, webhookAt)],
      ...pending.flatMap(({ rail, count, since }): Figure[] => [
        ['payments_without_outcome', count, { rail }],
        ['payment_without_outcome_age_seconds', ageSeconds(tx.now, since), { rail }],
      ]),
      ...cases.map(({ kind, count }): Figure => ['payment_cases_open', count, { kind }]),
    ]
  },
}

const LAST_SUCCESS = 'payment_provider_last_success_timestamp_seconds'

export const paymentProviderFigures: FigureSource = {
  name: 'payment_providers',
  metrics: {
    payment_provider_up: '1 while an account of a provider is used; 0 while it fails or refuses our keys.',
    [LAST_SUCCESS]: 'The last successful call of each account of a provider.',
    reconciliation_timestamp_seconds: `The end of the last complete reconciliation of each account in ${DAYS_READ} days.`,
    reconciliation_running_age_seconds: 'Time since the start of the oldest unfinished reconciliation.',
  },
  async read(tx) {
    const health = await listHealth(tx)
    const { runningSince, finished } = await reconciliations(tx)
    return [
      ...health.flatMap(({ rail, account, lastSuccessAt, pausedUntil, keysRefusedAt }): Figure[] => {
        const isUp = keysRefusedAt === null && (pausedUntil === null || pausedUntil <= tx.now)
        const up: Figure = ['payment_provider_up', isUp ? 1 : 0, { rail, account }]
        return lastSuccessAt === null
          ? [up]
          : [up, [LAST_SUCCESS, inSeconds(lastSuccessAt), { rail, account }]]
      }),
      ...finished.map(
        ({ rail, account, at }): Figure => [
          'reconciliation_timestamp_seconds',
          inSeconds(at),
          { rail, account },
        ],
      ),
      ['reconciliation_running_age_seconds', ageSeconds(tx.now, runningSince)],
    ]
  },
}

/** Each of the three reads a partial index. */
function waiting(tx: Tx) {
  return tx.one<{ reviewed: number; checkAt: Date | null; webhookAt: Date | null }>`
    select (select count(*)::int from (select from payments where status = 'review' limit ${COUNTED_MAX}) r) as reviewed,
           (select min(next_check_at) from payments where next_check_at <= ${tx.now}) as "checkAt",
           (select min(received_at) from payment_events where processed_at is null) as "webhookAt"`
}

function withoutOutcome(tx: Tx): Promise<{ rail: string; count: number; since: Date }[]> {
  return tx.rows<{ rail: string; count: number; since: Date }>`
    select rail, count(*)::int as count, min(expires_at) as since
    from (select rail, expires_at from payments where status = 'pending' and expires_at <= ${tx.now}
          limit ${COUNTED_MAX}) expired
    group by rail order by rail`
}

function openCases(tx: Tx): Promise<{ kind: string; count: number }[]> {
  return tx.rows<{ kind: string; count: number }>`
    select kind, count(*)::int as count
    from (select kind from payment_cases where resolved_at is null limit ${COUNTED_MAX}) open group by kind`
}

async function reconciliations(tx: Tx) {
  const { since } = await tx.one<{ since: Date | null }>`
    select min(started_at) as since from reconciliations where state = 'running'`
  const finished = await tx.rows<{ rail: string; account: string; at: Date }>`
    select rail, account, max(finished_at) as at from reconciliations
    where state = 'complete' and day > (${tx.now}::timestamptz at time zone 'UTC')::date - ${DAYS_READ}::int
    group by rail, account order by rail, account`
  return { runningSince: since, finished }
}
