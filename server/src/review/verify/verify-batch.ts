// Asks a model about a few findings of one file. The turn is held first and settled in the transaction that stores the verdicts.
// A turn without a verdict is not charged.

import { calculateTurnLimits } from '../../agent/agent.ts'
import { type FinishedTurn, releaseTurn } from '../../metering/metering.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { retrieve } from '../../repo-index/repo-index.ts'
import type { Batch } from './batches.ts'
import { checkEvidence } from './check-evidence.ts'
import { type ModelVerdict, parseVerdicts } from './parse-verdicts.ts'
import { buildMessages, linesShown, repairMessages } from './prompt.ts'
import { type PromptMaterial, prepareMaterial } from './prompt-material.ts'
import { requireTimeLeft, runReviewTurn, type VerificationState } from './review-turn.ts'
import { VerificationStopped } from './stop-reasons.ts'
import { type JudgedFinding, storeVerdicts } from './store-verdicts.ts'

const PROMPT_TOKENS_MAX = 24_000
const EXCERPTS_MAX = 4
const EXCERPTS_TOKENS = 3_000

/** Throws if no verdict can be obtained. Then nothing is charged. */
export async function verifyBatch(state: VerificationState, payer: Org, batch: Batch): Promise<void> {
  const material = await gatherMaterial(state, payer, batch)
  const limits = calculateTurnLimits(state.review.app.config.upstreamContextTokens)
  const messages = buildMessages(state.nonce, material, Math.min(PROMPT_TOKENS_MAX, limits.promptTokens))
  const ids = new Set(material.findings.map(({ id }) => id))
  const first = await askModel(state, payer, batch, messages, ids)
  const { finished, verdicts } =
    first ?? (await askModel(state, payer, batch, repairMessages(messages), ids)) ?? {}
  if (!finished || !verdicts) throw new VerificationStopped('upstream')
  const shownLines = linesShown(material)
  const judged = material.findings.map(({ id, finding }): JudgedFinding => {
    const verdict = verdicts.get(id) ?? null
    return { finding, verdict, checked: verdict && checkEvidence(finding, verdict, shownLines) }
  })
  await storeOrRelease(state, finished, judged)
}

async function gatherMaterial(
  state: VerificationState,
  payer: Org,
  { findings }: Batch,
): Promise<PromptMaterial> {
  const { app, run, signal } = state.review
  const numbered = findings.map((finding, at) => ({ id: `f${at + 1}`, finding }))
  const query = findings.map(({ snippet, flow }) => [snippet, ...flow.map(({ what }) => what)].join('\n'))
  const retrieved = await retrieve(
    app,
    { orgId: run.orgId, org: payer },
    {
      query: query.join('\n'),
      repo: run.repo,
      limit: EXCERPTS_MAX,
      tokensMax: EXCERPTS_TOKENS,
      exclude: [...state.files.keys()],
    },
  )
  return prepareMaterial({ findings: numbered, files: state.files, retrieved }, { signal, owner: run.orgId })
}

type TurnVerdicts = { readonly finished: FinishedTurn; readonly verdicts: Map<string, ModelVerdict> }

/** Null when the answer has no readable verdict. Then the turn is released. */
async function askModel(
  state: VerificationState,
  payer: Org,
  batch: Batch,
  messages: readonly Message[],
  ids: ReadonlySet<string>,
): Promise<TurnVerdicts | null> {
  const { app } = state.review
  const finished = await runReviewTurn(state, payer, batch.wantsFrontier, messages)
  const verdicts = finished.answer.finish === 'stopped' ? null : parseVerdicts(finished.answer.text, ids)
  if (verdicts) return { finished, verdicts }
  await releaseTurn(app, finished.turn)
  requireTimeLeft(state.review)
  return null
}

/** Verdicts that cannot be stored are not charged. Releasing a turn that was settled has no effect. */
async function storeOrRelease(
  state: VerificationState,
  finished: FinishedTurn,
  judged: readonly JudgedFinding[],
): Promise<void> {
  const { app } = state.review
  try {
    state.cost = await storeVerdicts(state.review, state.cost, finished, judged)
  } catch (error) {
    await releaseTurn(app, finished.turn)
    throw error
  }
}
