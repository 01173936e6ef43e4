// Stores the verdicts of a model and settles their turn in one transaction.
import { newId } from '../../kernel/ids.ts'
import { type FinishedTurn, releaseTurnIn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { recordVerdicts, type VerdictChange } from '../findings/corpus.ts'
import {
  findStoredFindings,
  insertFinding,
  type Judgement,
  lockFinding,
  type StoredFinding,
  setVerdict,
} from '../findings/findings-sql.ts'
import { createFindingLookup, lockVerdicts } from '../findings/record-findings.ts'
import type { TrackedFinding } from '../findings/tracked-finding.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import type { ReviewRun, RunCost } from '../runs/runs-sql.ts'
import type { CheckedVerdict } from './check-evidence.ts'
import type { ModelVerdict } from './parse-verdicts.ts'
import { settleReviewTurn } from './review-turn.ts'

export type JudgedFinding = {
  readonly finding: TrackedFinding
  /** Null when the model gave no verdict on this finding. */
  readonly verdict: ModelVerdict | null
  readonly checked: CheckedVerdict | null
}

/**
 * Returns the new cost of the review. Findings that another review of the pull request judged in the meantime are skipped; a
 * turn without any other finding is released. A review that was superseded during the turn still stores its verdicts: the next
 * head has the same findings and does not pay for them again.
 */
export function storeVerdicts(
  { app, run }: ReviewContext,
  cost: RunCost,
  finished: FinishedTurn,
  judged: readonly JudgedFinding[],
): Promise<RunCost> {
  return app.db.tx(run.orgId, async (tx) => {
    const unjudged = await lockUnjudged(tx, run, judged)
    if (unjudged.length === 0) {
      await releaseTurnIn(app, tx, finished.turn)
      return cost
    }
    const settled = await settleReviewTurn(app, tx, run, finished)
    const judgements = unjudged.map((each) => ({ ...each, judgement: toJudgement(each.judged, finished) }))
    await storeJudgements(app, tx, run, judgements, settled.walletMinor / BigInt(unjudged.length))
    return settled.cost
  })
}

/** Stores verdicts from history, by fingerprint. They cost nothing. */
export async function storeRecalledVerdicts(
  app: App,
  tx: Tx,
  run: ReviewRun,
  findings: readonly TrackedFinding[],
  recalled: ReadonlyMap<string, Judgement>,
): Promise<void> {
  const judged = findings.map((finding) => ({ finding, verdict: null, checked: null }))
  const unjudged = await lockUnjudged(tx, run, judged)
  const judgements = unjudged.flatMap((each) => {
    const judgement = recalled.get(each.judged.finding.fingerprint)
    return judgement ? [{ ...each, judgement }] : []
  })
  await storeJudgements(app, tx, run, judgements, 0n)
}

type UnjudgedFinding = { readonly judged: JudgedFinding; readonly stored: StoredFinding | undefined }

/** The findings without a verdict, locked until the end of the transaction. */
async function lockUnjudged(
  tx: Tx,
  run: ReviewRun,
  judged: readonly JudgedFinding[],
): Promise<UnjudgedFinding[]> {
  await lockVerdicts(tx, run)
  const lookUp = createFindingLookup(await findStoredFindings(tx, run))
  const unjudged: UnjudgedFinding[] = []
  for (const each of judged) {
    const stored = lookUp(each.finding)
    const status = stored ? (await lockFinding(tx, run.orgId, stored.id))?.status : 'unadjudicated'
    if (status === 'unadjudicated') unjudged.push({ judged: each, stored })
  }
  return unjudged
}

type DecidedFinding = UnjudgedFinding & { readonly judgement: Judgement }

async function storeJudgements(
  app: App,
  tx: Tx,
  run: ReviewRun,
  decided: readonly DecidedFinding[],
  shareMinor: bigint,
): Promise<void> {
  const changes: VerdictChange[] = []
  const isUntrusted = run.isFork || run.isBot
  for (const { judged, stored, judgement } of decided) {
    const { finding } = judged
    const { status, by } = judgement
    if (stored) await setVerdict(tx, run.orgId, stored.id, finding, judgement, shareMinor)
    else await insertFinding(tx, run, newId('fnd'), finding, judgement, shareMinor)
    const { ruleId, caseKey } = finding
    const before = { status: 'unadjudicated', adjudicatedBy: null } as const
    if (by) changes.push({ ruleId, caseKey, ...before, isUntrusted, now: { status, by } })
  }
  await recordVerdicts(app, tx, run.orgId, changes)
}

const NO_VERDICT_NOTE = 'The model gave no verdict on this finding.'

function toJudgement({ verdict, checked }: JudgedFinding, { turn, answer }: FinishedTurn): Judgement {
  const { lane } = turn.terms
  const by = 'model'
  if (!verdict || !checked)
    return { status: 'unproven', by, note: NO_VERDICT_NOTE, evidence: { lane, model: answer.model } }
  const { status, evidence, doubt } = checked
  const note = verdict.reason === '' ? null : verdict.reason
  const facts = { said: verdict.verdict, doubt, evidence, lane, model: answer.model }
  return { status, by, note, evidence: facts }
}
