// Verdicts of a model, kept together with the charge for them: both or neither.
import { newId } from '../../kernel/ids.ts'
import { type FinishedTurn, releaseTurnIn, settleFinishedIn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Changed, remember } from '../findings/corpus.ts'
import {
  insertFinding,
  type Judgement,
  judgeFinding,
  type Known,
  knownIn,
  lockFinding,
} from '../findings/findings-sql.ts'
import type { Case } from '../findings/located-finding.ts'
import { lockVerdicts, lookUpIn } from '../findings/record-findings.ts'
import type { Review } from '../runs/pipeline.ts'
import { keepSpent, type Run, type Spent } from '../runs/runs-sql.ts'
import type { Gated } from './check-evidence.ts'
import type { SaidVerdict } from './parse-verdicts.ts'

export type Judged = {
  readonly finding: Case
  /** Null when the model left it out. */
  readonly said: SaidVerdict | null
  readonly gated: Gated | null
}

/**
 * Says what the review has spent with it. What another review of the same pull request has had judged meanwhile is not judged
 * again, and a turn that brings nothing else is let go. A review that was superseded during the turn keeps what it brought: the
 * next head has the same findings, and does not pay for them again.
 */
export function keepVerdicts(
  { app, run }: Review,
  spent: Spent,
  taken: FinishedTurn,
  judged: readonly Judged[],
): Promise<Spent> {
  return app.db.tx(run.orgId, async (tx) => {
    const open = await openOf(tx, run, judged)
    if (open.length === 0) {
      await releaseTurnIn(app, tx, taken.turn)
      return spent
    }
    const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, taken)
    const { includedMinor } = taken.turn.hold
    const walletMinor = chargedMinor > includedMinor ? chargedMinor - includedMinor : 0n
    const judgements = open.map((each) => ({ ...each, judgement: judgementOf(each.judged, taken) }))
    await keepJudgements(app, tx, run, judgements, walletMinor / BigInt(open.length))
    const total = {
      costMinor: spent.costMinor + chargedMinor,
      walletMinor: spent.walletMinor + walletMinor,
      turns: spent.turns + 1,
      usedMicroKobo: spentMicroKobo,
    }
    await keepSpent(tx, run.orgId, run.id, total)
    return total
  })
}

/** What history says of findings, by fingerprint. It costs nothing. */
export async function keepRecalled(
  app: App,
  tx: Tx,
  run: Run,
  findings: readonly Case[],
  recalled: ReadonlyMap<string, Judgement>,
): Promise<void> {
  const judged = findings.map((finding) => ({ finding, said: null, gated: null }))
  const open = await openOf(tx, run, judged)
  const judgements = open.flatMap((each) => {
    const judgement = recalled.get(each.judged.finding.fingerprint)
    return judgement ? [{ ...each, judgement }] : []
  })
  await keepJudgements(app, tx, run, judgements, 0n)
}

type Open = { readonly judged: Judged; readonly known: Known | undefined }

/** Those that nobody has judged yet, held against everybody else until the end of the transaction. */
async function openOf(tx: Tx, run: Run, judged: readonly Judged[]): Promise<Open[]> {
  await lockVerdicts(tx, run)
  const knownOf = lookUpIn(await knownIn(tx, run))
  const open: Open[] = []
  for (const each of judged) {
    const known = knownOf(each.finding)
    const status = known ? (await lockFinding(tx, run.orgId, known.id))?.status : 'unadjudicated'
    if (status === 'unadjudicated') open.push({ judged: each, known })
  }
  return open
}

type Decided = Open & { readonly judgement: Judgement }

async function keepJudgements(
  app: App,
  tx: Tx,
  run: Run,
  decided: readonly Decided[],
  shareMinor: bigint,
): Promise<void> {
  const changes: Changed[] = []
  const isForeign = run.isFork || run.isBot
  for (const { judged, known, judgement } of decided) {
    const { finding } = judged
    const { status, by } = judgement
    if (known) await judgeFinding(tx, run.orgId, known.id, finding, judgement, shareMinor)
    else await insertFinding(tx, run, newId('fnd'), finding, judgement, shareMinor)
    const { ruleId, caseKey } = finding
    const before = { status: 'unadjudicated', adjudicatedBy: null } as const
    if (by) changes.push({ ruleId, caseKey, ...before, isForeign, now: { status, by } })
  }
  await remember(app, tx, run.orgId, changes)
}

const NOTHING_SAID = 'The model was asked about this finding and gave no verdict on it.'

function judgementOf({ said, gated }: Judged, { turn, answer }: FinishedTurn): Judgement {
  const { lane } = turn.terms
  const by = 'model'
  if (!said || !gated)
    return { status: 'unproven', by, note: NOTHING_SAID, evidence: { lane, model: answer.model } }
  const { status, evidence, doubt } = gated
  const note = said.reason === '' ? null : said.reason
  const facts = { said: said.verdict, doubt, evidence, lane, model: answer.model }
  return { status, by, note, evidence: facts }
}
