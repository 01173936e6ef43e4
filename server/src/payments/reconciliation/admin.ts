// Reconciliations as staff see and start them.
import { record } from '../../audit/audit.ts'
import { assert, present } from '../../kernel/assert.ts'
import { after, before } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { type Account, providers, usableAccounts } from '../rails/accounts.ts'
import type { ListedItem, ListWindow } from '../rails/rail.ts'
import { upsertItems } from './items-sql.ts'
import { enqueueRun, runOfDay } from './jobs.ts'
import { startOfDay } from './judge.ts'
import * as sql from './runs-sql.ts'
import { type ColumnNames, readStatement } from './statement.ts'

type Search = {
  rail?: string | undefined
  account?: string | undefined
  limit: number
  cursor?: string | undefined
}

export async function listReconciliations(app: App, { rail, account, limit, cursor }: Search) {
  const last = cursor === undefined ? null : decodeTimeCursor(cursor)
  const search = { rail: rail ?? null, account: account ?? null }
  const rows = await app.db.tx('platform', (tx) => sql.listRuns(tx, search, last, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ startedAt, id }) => [startedAt, id])
  return { reconciliations: items.map(describe), nextCursor }
}

const describe = (run: sql.Reconciliation) => {
  const { id, rail, account, day, source, state, pass, failure, startedAt, finishedAt, counts } = run
  const { listed, matched, opened, closed, explained, differences } = counts
  const fees = Object.entries(counts.fees).map(([currency, minor]) => ({
    currency,
    amountMinor: BigInt(minor),
  }))
  return {
    ...{ id, rail, account, day, source, state, pass, failure, startedAt, finishedAt },
    ...{ listed, matched, explained, differences, opened, closed, fees },
  }
}

const DAYS_BACK_MAX = 400
const STATEMENT_DAYS_MAX = 100
const INSERT_ROWS = 1_000

type Target = { rail: string; account: string }

/** Reconciles a day, again if it was. A running one continues. */
export function startReconciliation(
  app: App,
  actor: Actor,
  { rail, account, day }: Target & { day: string },
  once: Once,
  ip: string,
) {
  const found = requireAccount(app, { rail, account })
  return once.commit('platform', async (tx) => {
    const start = new Date(`${day}T00:00:00.000Z`)
    if (start >= startOfDay(tx.now) || start < before(tx.now, { days: DAYS_BACK_MAX }))
      throw invalidFields({
        path: 'day',
        message: `must have ended, at most ${DAYS_BACK_MAX} days ago (UTC)`,
      })
    const run = runOfDay(found.provider, found.account, start)
    const id = (await sql.insertRun(tx, run)) ?? (await restart(tx, run))
    return enqueueAndRecord(tx, actor, id, ip, { rail, account, day })
  })
}

async function restart(tx: Tx, run: sql.NewReconciliation): Promise<sql.ReconciliationId> {
  const existing = present(await sql.findByDay(tx, run.rail, run.account, run.day), 'the day has a run')
  if (existing.state !== 'running') await sql.restartRun(tx, existing.id, run)
  return existing.id
}

/** Compares a bank statement. It is always a new reconciliation; its cases are those of the account. */
export function reconcileStatement(
  app: App,
  actor: Actor,
  { rail, account, csv, columns }: Target & { csv: string; columns: ColumnNames },
  once: Once,
  ip: string,
) {
  const { provider } = requireAccount(app, { rail, account })
  const items = readStatement(csv, columns)
  const { from, until } = periodOf(items, app.clock.now())
  return once.commit('platform', async (tx) => {
    const day = from.toISOString().slice(0, 10)
    const run = { rail: provider, account, day, source: 'statement', step: 'cases', from, until } as const
    const id = await sql.insertRun(tx, run)
    assert(id, 'every statement is a new reconciliation')
    for (let start = 0; start < items.length; start += INSERT_ROWS)
      await upsertItems(tx, id, items.slice(start, start + INSERT_ROWS))
    return enqueueAndRecord(tx, actor, id, ip, { rail, account, day, rows: items.length })
  })
}

/** Each credit of the period that is not on the statement costs a status query, so the period is limited. */
function periodOf(items: readonly ListedItem[], now: Date): ListWindow {
  const times = items.map(({ at }) => at.getTime())
  const from = new Date(times.reduce((a, b) => Math.min(a, b)))
  const last = new Date(times.reduce((a, b) => Math.max(a, b)))
  if (from < before(now, { days: DAYS_BACK_MAX }) || last > after(now, { days: 1 }))
    throw invalidFields({
      path: 'csv',
      message: `must have dates of the last ${DAYS_BACK_MAX} days`,
    })
  if (last > after(from, { days: STATEMENT_DAYS_MAX }))
    throw invalidFields({
      path: 'csv',
      message: `must cover at most ${STATEMENT_DAYS_MAX} days; split the file`,
    })
  return { from, until: after(last, { days: 1 }) }
}

async function enqueueAndRecord(
  tx: Tx,
  actor: Actor,
  id: sql.ReconciliationId,
  ip: string,
  metadata: { rail: string; account: string; day: string; rows?: number },
) {
  await enqueueRun(tx, id)
  const action = 'admin.payments.reconcile'
  await record(tx, { orgId: null, actor, as: 'operator', ip, action, target: id, metadata })
  return { ok: true as const, id }
}

function requireAccount(app: App, { rail, account }: Target) {
  const provider = providers.find(({ name }) => name === rail)?.name
  const accounts: readonly Account[] = provider ? usableAccounts(app, { rail: provider }) : []
  const found = accounts.find((each) => each.account === account)
  if (!provider || !found)
    throw new ApiError('not_found', { error: 'No such account. List the accounts with GET /admin/rails.' })
  return { provider, account: found }
}
