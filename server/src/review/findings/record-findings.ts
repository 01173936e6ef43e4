// Stores findings before they are published, so that everything on GitHub is also in our lists. A finding that an earlier head
// had is the same row: it keeps its verdict while the judged code is unchanged, and is not published again.
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
import type { TrackedFinding } from './tracked-finding.ts'

export type RecordedFinding = {
  readonly id: FindingId
  readonly finding: TrackedFinding
  readonly status: FindingStatus
  readonly by: Judge | null
  /** As an inline comment or a comment, at this head or an earlier one. */
  readonly isPublished: boolean
}

/** Findings that a model judged are already stored, with their share of the cost. */
export async function recordFindings(
  app: App,
  tx: Tx,
  run: ReviewRun,
  findings: readonly TrackedFinding[],
): Promise<RecordedFinding[]> {
  await reopenStaleVerdicts(app, tx, run, findings)
  const stored = await findStoredFindings(tx, run)
  const published = new Set(stored.filter(isPublished).map(({ fingerprint }) => fingerprint))
  const lookUp = createFindingLookup(stored)
  const recorded: RecordedFinding[] = []
  for (const finding of findings) {
    const before = lookUp(finding)
    const id = before?.id ?? newId('fnd')
    if (before) await updateFindingLocation(tx, run, id, finding)
    else await insertFinding(tx, run, id, finding, UNJUDGED, 0n)
    const { status, by } = before ? { ...before, by: before.adjudicatedBy } : UNJUDGED
    recorded.push({ id, finding, status, by, isPublished: published.has(finding.fingerprint) })
  }
  return recorded
}

/** Revokes verdicts of models and history whose code has changed. Returns the findings without a verdict. */
export async function reopenStaleVerdicts(
  app: App,
  tx: Tx,
  run: ReviewRun,
  findings: readonly TrackedFinding[],
): Promise<TrackedFinding[]> {
  await lockVerdicts(tx, run)
  const lookUp = createFindingLookup(await findStoredFindings(tx, run))
  const unjudged: TrackedFinding[] = []
  for (const finding of findings) {
    const before = lookUp(finding)
    if (before && isStale(before, finding)) await revokeVerdict(app, tx, run, before)
    if (!before || before.status === 'unadjudicated' || isStale(before, finding)) unjudged.push(finding)
  }
  return unjudged
}

/** Serialises verdicts on one pull request. */
export const lockVerdicts = (
  tx: Tx,
  { orgId, repoId, pr }: Pick<ReviewRun, 'orgId' | 'repoId' | 'pr'>,
): Promise<void> => tx.lock(`review verdicts ${orgId} ${repoId} ${pr}`)

async function revokeVerdict(app: App, tx: Tx, run: ReviewRun, { id }: StoredFinding): Promise<void> {
  const locked = await lockFinding(tx, run.orgId, id)
  if (!locked || !(await reopenFinding(tx, run.orgId, id))) return
  await recordVerdicts(app, tx, run.orgId, [{ ...locked, now: { status: 'unadjudicated', by: null } }])
}

const UNJUDGED: Judgement = { status: 'unadjudicated', by: null, evidence: null }

const isPublished = ({ publishedAs }: StoredFinding): boolean =>
  publishedAs === 'inline' || publishedAs === 'comment'

const isStale = ({ adjudicatedBy, within }: StoredFinding, finding: TrackedFinding): boolean =>
  (adjudicatedBy === 'model' || adjudicatedBy === 'history') && within !== finding.within

/**
 * Finds the newest stored row of a finding. A person's verdict applies only next to the lines that the person saw: a copy of
 * the statement has the same fingerprint, but not the verdict.
 */
export function createFindingLookup(
  stored: readonly StoredFinding[],
): (finding: TrackedFinding) => StoredFinding | undefined {
  const rows = Map.groupBy(stored, ({ fingerprint }) => fingerprint)
  return ({ fingerprint, near }) => {
    const candidates = rows.get(fingerprint) ?? []
    return (
      candidates.find((each) => each.adjudicatedBy === 'person' && each.near === near) ??
      candidates.find((each) => each.adjudicatedBy !== 'person')
    )
  }
}
