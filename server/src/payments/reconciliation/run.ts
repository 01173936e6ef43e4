// Runs a reconciliation in small steps. Each step is stored with its progress in one transaction, so a run continues after a
// crash, and of several workers one is counted.
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Account, accountsOf } from '../rails/accounts.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import type { ListedItem } from '../rails/rail.ts'
import { alertDifferences } from '../settle/staff-alerts.ts'
import { applyReview, type FoundDifference, openCase, reviewCases } from './cases.ts'
import { addFees, addFinding } from './counts.ts'
import * as items from './items-sql.ts'
import type { Finding } from './judge.ts'
import {
  candidatesOf,
  explainCredit,
  explainItem,
  fetchStatus,
  isOfAccount,
  ProviderUnavailable,
} from './resolve.ts'
import type { Reconciliation, ReconciliationId } from './runs-sql.ts'
import * as sql from './runs-sql.ts'

const BATCH_SIZE = 500
/** A step ends early after this many findings that may need the provider, so that slow ones make progress. */
const EXPLAINED_MAX = 20
const PASSES_MAX = 3

/** True when no work is left for this worker: the run has ended, or another worker is faster. */
export async function runReconciliation(
  app: App,
  id: ReconciliationId,
  signal?: AbortSignal,
): Promise<boolean> {
  while (!signal?.aborted) {
    const run = await app.db.tx('platform', (tx) => sql.findRun(tx, id))
    if (run?.state !== 'running') return true
    try {
      if (!(await STEPS[run.step](app, run))) return true
    } catch (error) {
      const failure = error instanceof ProviderUnavailable ? error.message : 'The step failed. See the log.'
      await app.db.tx('platform', async (tx) => {
        if (!(await sql.recordRunFailure(tx, run, failure))) return
        await items.deleteItems(tx, run.id)
        const { rail, account, day } = run
        tx.afterCommit(() =>
          app.log.error(
            { reconciliationId: id, rail, account, day, failure },
            'payments.reconciliation.abandoned',
          ),
        )
      })
      throw error
    }
  }
  return false
}

/** False: another worker has done this step. */
type StepResult = Promise<boolean>

const STEPS: Readonly<Record<sql.Step, (app: App, run: Reconciliation) => StepResult>> = {
  list: fetchPage,
  pending: settlePending,
  cases: reviewOpenCases,
  listed: compareListed,
  credited: compareCredited,
}

/** Stores progress together with its effects, or neither. */
function advance(app: App, run: Reconciliation, work: (tx: Tx) => Promise<sql.Progress>): Promise<boolean> {
  return app.db.tx('platform', async (tx) => {
    // Locks the row first: a worker that is late sees another version and does nothing.
    const current = await sql.lockVersion(tx, run.id)
    return current === run.version && (await sql.advanceRun(tx, run, await work(tx)))
  })
}

async function fetchPage(app: App, run: Reconciliation): StepResult {
  const account = accountOfRun(app, run)
  const list = account?.list
  if (!account || !list) throw new ProviderUnavailable('The keys of this account are not set.')
  const page = await withCircuitBreaker(app, account, (http) => list(http, run, run.cursor))
  if (page.status === 'unknown') throw new ProviderUnavailable(page.reason)
  return advance(app, run, async (tx) => {
    await items.upsertItems(tx, run.id, page.items)
    const totals = page.total === null ? run.totals : { ...run.totals, [page.kind]: page.total }
    if (page.next !== null) return { cursor: page.next, totals }
    // Pages shift while they are read. Another pass finds the items that were on no page.
    const isComplete = await hasAllItems(tx, run.id, totals)
    if (isComplete || run.pass >= PASSES_MAX) return { step: 'cases', cursor: null, totals }
    return { cursor: null, totals: {}, pass: run.pass + 1 }
  })
}

async function hasAllItems(tx: Tx, id: ReconciliationId, totals: Reconciliation['totals']): Promise<boolean> {
  const counts = new Map((await items.countItems(tx, id)).map(({ kind, count }) => [kind, count]))
  const kinds = Object.keys(totals) as ListedItem['kind'][]
  return kinds.every((kind) => (counts.get(kind) ?? 0) >= (totals[kind] ?? 0))
}

const isComplete = (app: App, { id, totals }: Reconciliation): Promise<boolean> =>
  app.db.tx('platform', (tx) => hasAllItems(tx, id, totals))

/** Providers without a list: the status query decides what is pending. */
async function settlePending(app: App, run: Reconciliation): StepResult {
  const found = await app.db.tx('platform', (tx) => items.pendingAfter(tx, run, run.cursor, EXPLAINED_MAX))
  for (const payment of found) if (isOfAccount(app, payment, run)) await fetchStatus(app, run, payment, false)
  const isLast = found.length < EXPLAINED_MAX
  return advance(app, run, async () =>
    isLast ? { step: 'cases', cursor: null } : { cursor: found.at(-1)?.reference ?? null },
  )
}

async function reviewOpenCases(app: App, run: Reconciliation): StepResult {
  const { reviewed, last } = await reviewCases(app, run, await isComplete(app, run))
  return advance(app, run, async (tx) => {
    let closed = 0
    for (const each of reviewed) if (await applyReview(tx, run, each)) closed++
    const counts = { ...run.counts, closed: run.counts.closed + closed }
    if (last !== null) return { cursor: last, counts }
    return { step: run.source === 'status' ? 'credited' : 'listed', cursor: null, counts }
  })
}

/** Everything that the provider lists, against our payments. */
async function compareListed(app: App, run: Reconciliation): StepResult {
  const listed = await app.db.tx('platform', (tx) => items.itemsAfter(tx, run.id, run.cursor, BATCH_SIZE))
  const candidates = await candidatesOf(app, run, listed)
  const batch = new Batch<ListedItem>(run.counts)
  for (const item of listed) {
    const finding = await explainItem(app, run, item, candidates(item))
    batch.add(finding, item)
    if (finding.result !== 'match' && finding.result !== 'unpaid') batch.explained++
    batch.counts = addFees({ ...batch.counts, listed: batch.counts.listed + 1 }, item)
    batch.last = item
    if (batch.isFull) break
  }
  const isLast = listed.length < BATCH_SIZE && !batch.isFull
  return advance(app, run, async (tx) => {
    await items.storeFees(tx, run.rail, listed)
    const counts = await openAll(tx, run, batch)
    if (batch.last && !isLast) return { cursor: items.itemKey(batch.last), counts }
    return { step: 'credited', cursor: null, counts }
  })
}

/** Our credits of the day, against everything that the provider lists. */
async function compareCredited(app: App, run: Reconciliation): StepResult {
  const from = new Date(`${run.day}T00:00:00.000Z`)
  const credited = await app.db.tx('platform', (tx) =>
    items.creditedAfter(tx, run, from, parseCursor(run.cursor), BATCH_SIZE),
  )
  const isListComplete = await isComplete(app, run)
  const batch = new Batch<items.CreditedPayment>(run.counts)
  for (const payment of credited) {
    batch.last = payment
    if (payment.isListed || !isOfAccount(app, payment, run)) continue
    batch.add(await explainCredit(app, run, payment, isListComplete), null)
    batch.explained++
    if (batch.isFull) break
  }
  const isLast = credited.length < BATCH_SIZE && !batch.isFull
  return advance(app, run, async (tx) => {
    const counts = await openAll(tx, run, batch)
    if (batch.last?.settledAt && !isLast)
      return { cursor: `${batch.last.settledAt.toISOString()} ${batch.last.reference}`, counts }
    await items.deleteItems(tx, run.id)
    if (counts.opened > 0) await alertDifferences(app, tx, run, counts.opened)
    tx.afterCommit(() =>
      app.log.info({ reconciliationId: run.id, ...counts }, 'payments.reconciliation.finished'),
    )
    return { state: isListComplete ? 'complete' : 'incomplete', cursor: null, counts }
  })
}

function parseCursor(cursor: string | null): items.SettledCursor | null {
  const [at, reference] = cursor?.split(' ') ?? []
  return at && reference ? { at: new Date(at), reference } : null
}

/** The findings of a step. */
class Batch<Row> {
  counts: sql.Counts
  readonly found: FoundDifference[] = []
  /** The last compared row. */
  last: Row | null = null
  explained = 0
  constructor(counts: sql.Counts) {
    this.counts = counts
  }

  get isFull(): boolean {
    return this.explained >= EXPLAINED_MAX
  }

  add(finding: Finding, item: ListedItem | null): void {
    this.counts = addFinding(this.counts, finding)
    if (finding.result === 'difference') this.found.push({ ...finding, item })
  }
}

async function openAll(tx: Tx, run: Reconciliation, { counts, found }: Batch<unknown>): Promise<sql.Counts> {
  let opened = 0
  for (const each of found) if (await openCase(tx, run, each)) opened++
  return { ...counts, opened: counts.opened + opened }
}

const accountOfRun = (app: App, { rail, account }: Reconciliation): Account | undefined =>
  accountsOf(app, rail).find((each) => each.account === account)
