// Lists findings and reviews, and records verdicts of people. Refuting a finding refunds its share of the review's cost.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { decodeTimeCursor, type TimeCursor, toPage } from '../../platform/http/page.ts'
import { credit, readBalances } from '../../wallet/wallet.ts'
import type { Suggestion } from '../publish/format-suggestion.ts'
import { listRunsBefore } from '../runs/runs-sql.ts'
import { recordVerdicts } from './corpus.ts'
import {
  type FindingId,
  type FindingStatus,
  findFinding,
  type ListedFinding,
  listFindingsBefore,
  lockFinding,
  type Severity,
  type StoredSuggestion,
  setPersonVerdict,
  type Verdict,
} from './findings-sql.ts'

type ListQuery = { limit: number; cursor?: string | undefined; repo?: string | undefined }
type FindingsQuery = ListQuery & { status?: FindingStatus | undefined; severity?: Severity | undefined }

export async function listFindings(
  app: App,
  { orgId }: Actor,
  { limit, cursor, repo, status, severity }: FindingsQuery,
) {
  const start = pageStart(app, cursor)
  const filter = { repo: repo ?? null, status: status ?? null, severity: severity ?? null }
  const rows = await app.db.tx(orgId, (tx) => listFindingsBefore(tx, orgId, start, filter, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return { findings: items.map(toFindingReply), nextCursor }
}

export async function readFinding(app: App, { orgId }: Actor, id: string) {
  const finding = await app.db.tx(orgId, (tx) => findFinding(tx, orgId, id))
  if (!finding) throw new ApiError('not_found')
  return toFindingReply(finding)
}

export async function listRuns(app: App, { orgId }: Actor, { limit, cursor, repo }: ListQuery) {
  const start = pageStart(app, cursor)
  const rows = await app.db.tx(orgId, (tx) => listRunsBefore(tx, orgId, start, repo ?? null, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return { runs: items, nextCursor }
}

export type VerdictInput = { readonly verdict: Verdict; readonly note?: string | null | undefined }

/** The latest verdict counts. A refund is never taken back and never paid twice. */
export function adjudicateFinding(app: App, actor: Actor, id: string, input: VerdictInput, ip: string) {
  const { orgId, userId } = actor
  const { verdict, note = null } = input
  return app.db.tx(orgId, async (tx) => {
    const before = await lockFinding(tx, orgId, id)
    if (!before) throw new ApiError('not_found')
    const creditedMinor =
      verdict === 'refuted' ? await refundShare(app, tx, orgId, id, before.shareMinor) : 0n
    await setPersonVerdict(tx, orgId, id, { verdict, userId, note, creditedMinor })
    await recordVerdicts(app, tx, orgId, [{ ...before, now: { status: verdict, by: 'person' } }])
    const finding = await findFinding(tx, orgId, id)
    if (!finding) throw new ApiError('not_found')
    const { balanceMinor } = await readBalances(tx, orgId)
    const metadata = { verdict, ruleId: finding.ruleId, creditedMinor: String(creditedMinor) }
    await record(tx, { orgId, actor, ip, action: 'review.findings.adjudicate', target: id, metadata })
    return { finding: toFindingReply(finding), creditedMinor, balanceMinor }
  })
}

export type Dismissal = {
  /** The name of the person at the code host. */
  readonly login: string
  readonly host: string
  readonly reason: string
}

/** A verdict from a reply at the code host, where the person has proven write access. It counts as a person's. */
export function dismissFinding(
  app: App,
  orgId: OrgId,
  id: FindingId,
  { login, host, reason }: Dismissal,
): Promise<void> {
  return app.db.tx(orgId, async (tx) => {
    const before = await lockFinding(tx, orgId, id)
    if (!before) throw new ApiError('not_found')
    const creditedMinor = await refundShare(app, tx, orgId, id, before.shareMinor)
    const verdict = 'refuted'
    await setPersonVerdict(tx, orgId, id, { verdict, userId: null, login, note: reason, creditedMinor })
    await recordVerdicts(app, tx, orgId, [{ ...before, now: { status: verdict, by: 'person' } }])
    const { ruleId } = before
    const metadata = { verdict, ruleId, login, host, reason, creditedMinor: String(creditedMinor) }
    const action = 'review.findings.adjudicate'
    await record(tx, { orgId, actor: { kind: 'system' }, action, target: id, metadata })
  })
}

/** The cause names the finding, so the ledger refuses a second refund. */
async function refundShare(app: App, tx: Tx, orgId: OrgId, id: string, shareMinor: bigint): Promise<bigint> {
  if (shareMinor === 0n) return 0n
  const { postedMinor } = await credit(app, tx, {
    orgId,
    amountMinor: shareMinor,
    source: 'review',
    ref: id,
    cause: `refuted ${id}`,
    account: 'refunds',
  })
  return postedMinor
}

const toFindingReply = ({ cwe, suggestion, ...finding }: ListedFinding) => ({
  ...finding,
  suggestion: suggestion && withoutHead(suggestion),
  cwe: `CWE-${cwe}`,
})

const withoutHead = ({ headSha: _, ...suggestion }: StoredSuggestion): Suggestion => suggestion

/** Lists start with the newest row, so without a cursor they start in the future. */
function pageStart(app: App, cursor: string | undefined): TimeCursor {
  return cursor === undefined
    ? { at: after(app.clock.now(), { days: 1 }), id: '~' }
    : decodeTimeCursor(cursor)
}
