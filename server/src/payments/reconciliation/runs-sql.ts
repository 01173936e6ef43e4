// Statements on the reconciliations table. All need platform scope.
import { type Id, newId } from '../../kernel/ids.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { ProviderName } from '../channels.ts'
import type { ListedItem } from '../rails/rail.ts'
import type { Difference, Explanation } from './judge.ts'

export type ReconciliationId = Id<'rcn'>
export type Source = 'list' | 'status' | 'statement'
export type Step = 'list' | 'pending' | 'cases' | 'listed' | 'credited'

export type Counts = {
  readonly listed: number
  readonly matched: number
  readonly opened: number
  readonly closed: number
  readonly explained: Readonly<Partial<Record<Explanation, number>>>
  readonly differences: Readonly<Partial<Record<Difference, number>>>
  /** In minor units, as text. */
  readonly fees: Readonly<Record<string, string>>
}
export const NO_COUNTS: Counts = {
  ...{ listed: 0, matched: 0, opened: 0, closed: 0, explained: {}, differences: {}, fees: {} },
}

export type Reconciliation = {
  id: ReconciliationId
  rail: ProviderName
  account: string
  /** `2026-11-15` */
  day: string
  source: Source
  from: Date
  until: Date
  state: 'running' | 'complete' | 'incomplete'
  step: Step
  cursor: string | null
  pass: number
  version: bigint
  failures: number
  failure: string | null
  totals: Partial<Record<ListedItem['kind'], number>>
  counts: Counts
  startedAt: Date
  finishedAt: Date | null
}

export type NewReconciliation = Pick<
  Reconciliation,
  'rail' | 'account' | 'day' | 'source' | 'from' | 'until' | 'step'
>

/** Null when the account and day have one. Statements are always new. */
export async function insertRun(tx: Tx, it: NewReconciliation): Promise<ReconciliationId | null> {
  const inserted = await tx.maybe<{ id: ReconciliationId }>`
    insert into reconciliations (id, rail, account, day, source, from_at, until_at, step, counts, started_at)
    values (${newId('rcn', tx.now.getTime())}, ${it.rail}, ${it.account}, ${it.day}::date, ${it.source}, ${it.from},
            ${it.until}, ${it.step}, ${json(NO_COUNTS)}, ${tx.now})
    on conflict (rail, account, day) where source <> 'statement' do nothing
    returning id`
  return inserted?.id ?? null
}

export function findRun(tx: Tx, id: ReconciliationId): Promise<Reconciliation | undefined> {
  return tx.maybe<Reconciliation>`
    select id, rail, account, day::text as day, source, from_at as "from", until_at as until, state, step, cursor, pass,
           version, failures, failure, totals, counts, started_at as "startedAt", finished_at as "finishedAt"
    from reconciliations where id = ${id}`
}

/** Newest day first. */
export function listRuns(
  tx: Tx,
  { rail, account }: { rail: string | null; account: string | null },
  before: TimeCursor | null,
  limit: number,
): Promise<Reconciliation[]> {
  return tx.rows<Reconciliation>`
    select id, rail, account, day::text as day, source, from_at as "from", until_at as until, state, step, cursor, pass,
           version, failures, failure, totals, counts, started_at as "startedAt", finished_at as "finishedAt"
    from reconciliations
    where (${rail}::text is null or rail = ${rail}) and (${account}::text is null or account = ${account})
      and (${before?.at ?? null}::timestamptz is null
           or (started_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
    order by started_at desc, id desc limit ${limit}`
}

/** The last reconciled day of an account; null before the first. */
export async function lastDay(tx: Tx, rail: string, account: string): Promise<string | null> {
  const { day } = await tx.one<{ day: string | null }>`
    select max(day)::text as day from reconciliations
    where rail = ${rail} and account = ${account} and source <> 'statement'`
  return day
}

export async function findByDay(tx: Tx, rail: string, account: string, day: string) {
  return tx.maybe<{ id: ReconciliationId; state: Reconciliation['state'] }>`
    select id, state from reconciliations
    where rail = ${rail} and account = ${account} and day = ${day}::date and source <> 'statement' for update`
}

/** Starts a finished reconciliation again. */
export async function restartRun(tx: Tx, id: ReconciliationId, { source, step }: NewReconciliation) {
  await tx.rows`
    update reconciliations set state = 'running', source = ${source}, step = ${step}, cursor = null, pass = 1,
      version = version + 1, failures = 0, failure = null, totals = '{}', counts = ${json(NO_COUNTS)},
      started_at = ${tx.now}, finished_at = null
    where id = ${id}`
}

export const runningIds = (tx: Tx, most: number): Promise<{ id: ReconciliationId }[]> =>
  tx.rows<{
    id: ReconciliationId
  }>`select id from reconciliations where state = 'running' order by id limit ${most}`

export type Progress = Partial<
  Pick<Reconciliation, 'state' | 'step' | 'cursor' | 'pass' | 'totals' | 'counts'>
>

/** Locks the run until the transaction ends. */
export async function lockVersion(tx: Tx, id: ReconciliationId): Promise<bigint | null> {
  const found = await tx.maybe<{
    version: bigint
  }>`select version from reconciliations where id = ${id} for update`
  return found?.version ?? null
}

/** Stores the progress unless another worker was faster. Locks the row until the transaction ends. */
export async function advanceRun(tx: Tx, run: Reconciliation, progress: Progress): Promise<boolean> {
  const { state, step, cursor, pass, totals, counts } = { ...run, ...progress }
  const advanced = await tx.maybe`
    update reconciliations set state = ${state}, step = ${step}, cursor = ${cursor}, pass = ${pass}, totals = ${json(totals)},
      counts = ${json(counts)}, version = version + 1, failures = 0, failure = null,
      finished_at = ${state === 'running' ? null : tx.now}
    where id = ${run.id} and version = ${run.version}
    returning id`
  return advanced !== undefined
}

/** Attempts are hourly, so a run without progress ends after a week. */
const FAILURES_MAX = 168

/** True when the run ended with this failure. */
export async function recordRunFailure(tx: Tx, run: Reconciliation, failure: string): Promise<boolean> {
  const ended = await tx.maybe<{ state: string }>`
    update reconciliations set failures = failures + 1, failure = ${failure.slice(0, 200)},
      state = case when failures + 1 >= ${FAILURES_MAX} then 'incomplete' else state end,
      finished_at = case when failures + 1 >= ${FAILURES_MAX} then ${tx.now}::timestamptz end
    where id = ${run.id} and version = ${run.version} and state = 'running' returning state`
  return ended?.state === 'incomplete'
}
