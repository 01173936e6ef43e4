// Verdicts of a model, kept together with the charge for them: both or neither.
import { newId } from '../../kernel/ids.ts'
import { type FinishedTurn, releaseTurnIn, settleFinishedIn } from '../../metering/metering.ts'
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
import type { LocatedFinding } from '../findings/located-finding.ts'
import { createFindingLookup, lockVerdicts } from '../findings/record-findings.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import { type ReviewRun, type RunCost, setRunCost } from '../runs/runs-sql.ts'
import type { CheckedVerdict } from './check-evidence.ts'
import type { ModelVerdict } from './parse-verdicts.ts'

export type JudgedFinding = {
  readonly finding: LocatedFinding
  /** Null when the model left it out. */
  readonly said: ModelVerdict | null
  readonly gated: CheckedVerdict | null
}

/**
 * Says what the review has spent with it. What another review of the same pull request has had judged meanwhile is not judged
 * again, and a turn that brings nothing else is let go. A review that was superseded during the turn keeps what it brought: the
 * next head has the same findings, and does not pay for them again.
 */
export function storeVerdicts(
  { app, run }: ReviewContext,
  spent: RunCost,
  taken: FinishedTurn,
  judged: readonly JudgedFinding[],
): Promise<RunCost> {
  return app.db.tx(run.orgId, async (tx) => {
    const open = await lockUnjudged(tx, run, judged)
    if (open.length === 0) {
      await releaseTurnIn(app, tx, taken.turn)
      return spent
    }
    const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, taken)
    const { includedMinor } = taken.turn.hold
    const walletMinor = chargedMinor > includedMinor ? chargedMinor - includedMinor : 0n
    const judgements = open.map((each) => ({ ...each, judgement: toJudgement(each.judged, taken) }))
    await storeJudgements(app, tx, run, judgements, walletMinor / BigInt(open.length))
    const total = {
      costMinor: spent.costMinor + chargedMinor,
      walletMinor: spent.walletMinor + walletMinor,
      turns: spent.turns + 1,
      usedMicroKobo: spentMicroKobo,
    }
    await setRunCost(tx, run.orgId, run.id, total)
    return total
  })
}

/** What history says of findings, by fingerprint. It costs nothing. */
export async function storeRecalledVerdicts(
  app: App,
  tx: Tx,
  run: ReviewRun,
  findings: readonly LocatedFinding[],
  recalled: ReadonlyMap<string, Judgement>,
): Promise<void> {
  const judged = findings.map((finding) => ({ finding, said: null, gated: null }))
  const open = await lockUnjudged(tx, run, judged)
  const judgements = open.flatMap((each) => {
    const judgement = recalled.get(each.judged.finding.fingerprint)
    return judgement ? [{ ...each, judgement }] : []
  })
  await storeJudgements(app, tx, run, judgements, 0n)
}

type UnjudgedFinding = { readonly judged: JudgedFinding; readonly known: StoredFinding | undefined }

/** Those that nobody has judged yet, held against everybody else until the end of the transaction. */
async function lockUnjudged(
  tx: Tx,
  run: ReviewRun,
  judged: readonly JudgedFinding[],
): Promise<UnjudgedFinding[]> {
  await lockVerdicts(tx, run)
  const knownOf = createFindingLookup(await findStoredFindings(tx, run))
  const open: UnjudgedFinding[] = []
  for (const each of judged) {
    const known = knownOf(each.finding)
    const status = known ? (await lockFinding(tx, run.orgId, known.id))?.status : 'unadjudicated'
    if (status === 'unadjudicated') open.push({ judged: each, known })
  }
  return open
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
  for (const { judged, known, judgement } of decided) {
    const { finding } = judged
    const { status, by } = judgement
    if (known) await setVerdict(tx, run.orgId, known.id, finding, judgement, shareMinor)
    else await insertFinding(tx, run, newId('fnd'), finding, judgement, shareMinor)
    const { ruleId, caseKey } = finding
    const before = { status: 'unadjudicated', adjudicatedBy: null } as const
    if (by) changes.push({ ruleId, caseKey, ...before, isUntrusted, now: { status, by } })
  }
  await recordVerdicts(app, tx, run.orgId, changes)
}

const NO_VERDICT_NOTE = 'The model was asked about this finding and gave no verdict on it.'

function toJudgement({ said, gated }: JudgedFinding, { turn, answer }: FinishedTurn): Judgement {
  const { lane } = turn.terms
  const by = 'model'
  if (!said || !gated)
    return { status: 'unproven', by, note: NO_VERDICT_NOTE, evidence: { lane, model: answer.model } }
  const { status, evidence, doubt } = gated
  const note = said.reason === '' ? null : said.reason
  const facts = { said: said.verdict, doubt, evidence, lane, model: answer.model }
  return { status, by, note, evidence: facts }
}
