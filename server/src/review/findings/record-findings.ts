// Findings are kept before they are said, so that what stands on GitHub is always also here. A fault that an earlier head had is
// the same finding: it keeps its verdict as long as the code that was judged is the same, and is not told again.
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { ReviewRun } from '../runs/runs-sql.ts'
import { recordVerdicts } from './corpus.ts'
import {
  type FindingId,
  type FindingStatus,
  findStoredFindings,
  insertFinding,
  type Judge,
  type Judgement,
  lockFinding,
  reopenFinding,
  type StoredFinding,
  updateFindingLocation,
} from './findings-sql.ts'
import type { LocatedFinding } from './located-finding.ts'

export type RecordedFinding = {
  readonly id: FindingId
  readonly finding: LocatedFinding
  readonly status: FindingStatus
  readonly by: Judge | null
  /** Said on the lines or in a comment, at this head or an earlier one. */
  readonly isPublished: boolean
}

/** What a model has judged is here already, with its part of the cost: it was kept with the turn that was paid for. */
export async function recordFindings(
  app: App,
  tx: Tx,
  run: ReviewRun,
  findings: readonly LocatedFinding[],
): Promise<RecordedFinding[]> {
  await reopenStaleVerdicts(app, tx, run, findings)
  const known = await findStoredFindings(tx, run)
  const said = new Set(known.filter(isPublished).map(({ fingerprint }) => fingerprint))
  const beforeOf = createFindingLookup(known)
  const kept: RecordedFinding[] = []
  for (const finding of findings) {
    const before = beforeOf(finding)
    const id = before?.id ?? newId('fnd')
    if (before) await updateFindingLocation(tx, run, id, finding)
    else await insertFinding(tx, run, id, finding, UNJUDGED, 0n)
    const { status, by } = before ? { ...before, by: before.adjudicatedBy } : UNJUDGED
    kept.push({ id, finding, status, by, isPublished: said.has(finding.fingerprint) })
  }
  return kept
}

/** Takes verdicts of models and of history back that were about other code than is there now. Says what nobody has judged. */
export async function reopenStaleVerdicts(
  app: App,
  tx: Tx,
  run: ReviewRun,
  findings: readonly LocatedFinding[],
): Promise<LocatedFinding[]> {
  await lockVerdicts(tx, run)
  const beforeOf = createFindingLookup(await findStoredFindings(tx, run))
  const open: LocatedFinding[] = []
  for (const finding of findings) {
    const before = beforeOf(finding)
    if (before && isStale(before, finding)) await revokeVerdict(app, tx, run, before)
    if (!before || before.status === 'unadjudicated' || isStale(before, finding)) open.push(finding)
  }
  return open
}

/** Who judges findings of one pull request waits for others who do. */
export const lockVerdicts = (tx: Tx, { orgId, repoId, pr }: ReviewRun): Promise<void> =>
  tx.lock(`review verdicts ${orgId} ${repoId} ${pr}`)

async function revokeVerdict(app: App, tx: Tx, run: ReviewRun, { id }: StoredFinding): Promise<void> {
  const locked = await lockFinding(tx, run.orgId, id)
  if (!locked || !(await reopenFinding(tx, run.orgId, id))) return
  await recordVerdicts(app, tx, run.orgId, [{ ...locked, now: { status: 'unadjudicated', by: null } }])
}

const UNJUDGED: Judgement = { status: 'unadjudicated', by: null, evidence: null }

const isPublished = ({ publishedAs }: StoredFinding): boolean =>
  publishedAs === 'inline' || publishedAs === 'comment'

const isStale = ({ adjudicatedBy, within }: StoredFinding, finding: LocatedFinding): boolean =>
  (adjudicatedBy === 'model' || adjudicatedBy === 'history') && within !== finding.within

/**
 * What is known of a finding, the newest first. What a person said counts only next to the lines that they saw: a copy of the
 * statement that is put before it has its name, and not its verdict.
 */
export function createFindingLookup(
  known: readonly StoredFinding[],
): (finding: LocatedFinding) => StoredFinding | undefined {
  const rows = Map.groupBy(known, ({ fingerprint }) => fingerprint)
  return ({ fingerprint, near }) => {
    const own = rows.get(fingerprint) ?? []
    return (
      own.find((each) => each.adjudicatedBy === 'person' && each.near === near) ??
      own.find((each) => each.adjudicatedBy !== 'person')
    )
  }
}
