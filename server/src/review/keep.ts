// Findings are kept before they are said, so that what stands on GitHub is always also here. A fault that an earlier head had is
// the same finding: it keeps its verdict, and is not told again.
import type { Finding } from '../catalogue/catalogue.ts'
import { newId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import {
  type FindingId,
  type FindingStatus,
  insertFinding,
  type Judge,
  type Judgement,
  type Known,
  knownIn,
  moveFinding,
} from './findings-sql.ts'
import type { Run } from './sql.ts'

export type Kept = {
  readonly id: FindingId
  readonly finding: Finding
  readonly status: FindingStatus
  readonly by: Judge | null
  /** Said on the lines or in a comment, at this head or an earlier one. */
  readonly isSaid: boolean
}

/** What a model has judged is here already, with its part of the cost: it was kept with the turn that was paid for. */
export async function keepFindings(tx: Tx, run: Run, findings: readonly Finding[]): Promise<Kept[]> {
  const known = byFingerprint(await knownIn(tx, run))
  const kept: Kept[] = []
  for (const finding of findings) {
    const before = known.get(finding.fingerprint)
    if (before) {
      await moveFinding(tx, run, before.id, finding)
      const { id, status, adjudicatedBy: by } = before
      kept.push({ id, finding, status, by, isSaid: isSaid(before) })
    } else {
      const id = newId('fnd')
      await insertFinding(tx, run, id, finding, UNJUDGED, 0n)
      kept.push({ id, finding, status: 'unadjudicated', by: null, isSaid: false })
    }
  }
  return kept
}

const UNJUDGED: Judgement = { status: 'unadjudicated', by: null, evidence: null }

const isSaid = ({ publishedAs }: Known): boolean => publishedAs === 'inline' || publishedAs === 'comment'

/** The newest of each. */
export function byFingerprint(known: readonly Known[]): Map<string, Known> {
  return new Map(known.toReversed().map((each) => [each.fingerprint, each]))
}
