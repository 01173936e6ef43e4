// Findings as people see and judge them. A finding that is wrong was not worth its part of what the review cost.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { credit, readBalances } from '../../wallet/wallet.ts'
import { type Before, runsBefore } from '../runs/runs-sql.ts'
import { remember } from './corpus.ts'
import {
  adjudicate,
  type FindingStatus,
  findFinding,
  findingsBefore,
  type ListedFinding,
  lockFinding,
  type Severity,
  type Verdict,
} from './findings-sql.ts'

type ListQuery = { limit: number; cursor?: string | undefined; repo?: string | undefined }
type FindingsQuery = ListQuery & { status?: FindingStatus | undefined; severity?: Severity | undefined }

export async function listFindings(
  app: App,
  { orgId }: Actor,
  { limit, cursor, repo, status, severity }: FindingsQuery,
) {
  const place = placeOf(app, cursor)
  const filter = { repo: repo ?? null, status: status ?? null, severity: severity ?? null }
  const rows = await app.db.tx(orgId, (tx) => findingsBefore(tx, orgId, place, filter, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return { findings: items.map(shownFinding), nextCursor }
}

export async function listRuns(app: App, { orgId }: Actor, { limit, cursor, repo }: ListQuery) {
  const place = placeOf(app, cursor)
  const rows = await app.db.tx(orgId, (tx) => runsBefore(tx, orgId, place, repo ?? null, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return { runs: items, nextCursor }
}

export type GivenVerdict = { readonly verdict: Verdict; readonly note?: string | null | undefined }

/** The last word counts. What was given back for a refuted finding is not taken again, and never given twice. */
export function adjudicateFinding(app: App, actor: Actor, id: string, given: GivenVerdict, ip: string) {
  const { orgId, userId } = actor
  const { verdict, note = null } = given
  return app.db.tx(orgId, async (tx) => {
    const before = await lockFinding(tx, orgId, id)
    if (!before) throw new ApiError('not_found')
    const creditedMinor = verdict === 'refuted' ? await giveBack(app, tx, orgId, id, before.shareMinor) : 0n
    await adjudicate(tx, orgId, id, { verdict, userId, note, creditedMinor })
    await remember(app, tx, orgId, [{ ...before, now: { status: verdict, by: 'person' } }])
    const finding = await findFinding(tx, orgId, id)
    if (!finding) throw new ApiError('not_found')
    const { balanceMinor } = await readBalances(tx, orgId)
    const metadata = { verdict, ruleId: finding.ruleId, creditedMinor: String(creditedMinor) }
    await record(tx, { orgId, actor, ip, action: 'review.findings.adjudicate', target: id, metadata })
    return { finding: shownFinding(finding), creditedMinor, balanceMinor }
  })
}

/** The cause is the finding, for ever: the ledger itself refuses to move its share a second time. */
async function giveBack(app: App, tx: Tx, orgId: OrgId, id: string, shareMinor: bigint): Promise<bigint> {
  if (shareMinor === 0n) return 0n
  const { postedMinor: movedMinor } = await credit(app, tx, {
    orgId,
    amountMinor: shareMinor,
    source: 'review',
    ref: id,
    cause: `refuted ${id}`,
    account: 'refunds',
  })
  return movedMinor
}

const shownFinding = ({ cwe, ...finding }: ListedFinding) => ({ ...finding, cwe: `CWE-${cwe}` })

/** Lists begin with the newest, so without a cursor they begin with what is about to be. */
function placeOf(app: App, cursor: string | undefined): Before {
  return cursor === undefined
    ? { at: after(app.clock.now(), { days: 1 }), id: '~' }
    : decodeTimeCursor(cursor)
}
