// One question to a model about a few findings of one file: held, asked, and settled in the transaction that keeps what it said.
// What brings no verdict is not charged.

import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { calculateTurnLimits, type Nonce } from '../../agent/agent.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type FinishedTurn, releaseTurn, routeFor, runModelTurn } from '../../metering/metering.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { retrieve } from '../../repo-index/repo-index.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import type { RunCost } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import type { Batch } from './batches.ts'
import { checkEvidence } from './check-evidence.ts'
import { type ModelVerdict, parseVerdicts } from './parse-verdicts.ts'
import { buildMessages, linesShown, repairMessages } from './prompt.ts'
import { type PromptMaterial, prepareMaterial } from './prompt-material.ts'
import { VerificationStopped } from './stop-reasons.ts'
import { type JudgedFinding, storeVerdicts } from './store-verdicts.ts'

/** What the turns of one review share; it changes with each of them. */
export type VerificationState = {
  readonly review: ReviewContext
  readonly nonce: Nonce
  /** Files of the change, by path. */
  readonly files: ReadonlyMap<string, ScannedFile>
  /** What other reviews of the same pull request have cost within a day. */
  otherRunsMinor: bigint
  spent: RunCost
  /** What the next turn is called: `<run>.v<next>`. */
  next: number
}

const PROMPT_TOKENS_MAX = 24_000
const OUTPUT_TOKENS = 6_000
const LEAST_OUTPUT_TOKENS = 400
const EXCERPTS_MAX = 4
const EXCERPTS_TOKENS = 3_000
const { review_default_budget_minor, review_max_model_turns } = reviewSettings.settings

/** Throws what keeps it from being done; then nothing was charged for it. */
export async function verifyBatch(state: VerificationState, payer: Org, batch: Batch): Promise<void> {
  const material = await gatherMaterial(state, payer, batch)
  const limits = calculateTurnLimits(state.review.app.config.upstreamContextTokens)
  const messages = buildMessages(state.nonce, material, Math.min(PROMPT_TOKENS_MAX, limits.promptTokens))
  const ids = new Set(material.asked.map(({ id }) => id))
  const first = await askModel(state, payer, batch, messages, ids)
  const { taken, said } = first ?? (await askModel(state, payer, batch, repairMessages(messages), ids)) ?? {}
  if (!taken || !said) throw new VerificationStopped('upstream')
  const shown = linesShown(material)
  const judged = material.asked.map(({ id, finding }): JudgedFinding => {
    const verdict = said.get(id) ?? null
    return { finding, said: verdict, gated: verdict && checkEvidence(finding, verdict, shown) }
  })
  await storeOrRelease(state, taken, judged)
}

async function gatherMaterial(
  state: VerificationState,
  payer: Org,
  { findings }: Batch,
): Promise<PromptMaterial> {
  const { app, run, signal } = state.review
  const asked = findings.map((finding, at) => ({ id: `f${at + 1}`, finding }))
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
  return prepareMaterial({ asked, files: state.files, retrieved }, { signal, owner: run.orgId })
}

type ModelAnswer = { readonly taken: FinishedTurn; readonly said: Map<string, ModelVerdict> }

/** Null when it answered nothing that can be read: the turn is let go then. */
async function askModel(
  state: VerificationState,
  payer: Org,
  batch: Batch,
  messages: readonly Message[],
  ids: ReadonlySet<string>,
): Promise<ModelAnswer | null> {
  const { app } = state.review
  const taken = await runTurn(state, payer, batch, messages)
  const said = taken.answer.finish === 'stopped' ? null : parseVerdicts(taken.answer.text, ids)
  if (said) return { taken, said }
  await releaseTurn(app, taken.turn)
  requireTimeLeft(state.review)
  return null
}

/** A name whose hold has ended belongs to an attempt that died: the next one is taken. */
async function runTurn(
  state: VerificationState,
  payer: Org,
  batch: Batch,
  messages: readonly Message[],
): Promise<FinishedTurn> {
  requireTurnLeft(state)
  requireTimeLeft(state.review)
  const ref = `${state.review.run.id}.v${state.next++}`
  try {
    return await startTurn(state, payer, batch, { messages, ref })
  } catch (error) {
    requireTimeLeft(state.review)
    if (error instanceof ApiError && error.code === 'work_ended')
      return runTurn(state, payer, batch, messages)
    throw error
  }
}

function requireTurnLeft({ review, next }: VerificationState): void {
  if (next > review.app.settings.get(review_max_model_turns)) throw new VerificationStopped('turn_limit')
}

/** Timers can be early by a moment. */
const TIMER_TOLERANCE_MS = 10

function requireTimeLeft({ deadlineMs }: ReviewContext): void {
  if (performance.now() >= deadlineMs - TIMER_TOLERANCE_MS) throw new VerificationStopped('too_slow')
}

function startTurn(
  { review, spent, otherRunsMinor }: VerificationState,
  payer: Org,
  { wantsFrontier }: Batch,
  { messages, ref }: { messages: readonly Message[]; ref: string },
): Promise<FinishedTurn> {
  const { app, run, signal, deadlineMs } = review
  const budgetMinor = BigInt(app.settings.get(review_default_budget_minor))
  const maxMinor = budgetMinor - otherRunsMinor - spent.costMinor
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  const limits = calculateTurnLimits(app.config.upstreamContextTokens)
  return runModelTurn(app, {
    orgId: run.orgId,
    userId: null,
    currency: payer.currency,
    ref,
    source: 'review',
    route: routeFor(app, payer, { frontier: wantsFrontier }),
    messages,
    outputCeiling: Math.min(OUTPUT_TOKENS, limits.outputTokens),
    leastOutput: Math.min(LEAST_OUTPUT_TOKENS, limits.minOutputTokens),
    spentMicroKobo: spent.usedMicroKobo,
    maxMinor: maxMinor > 0n ? maxMinor : 0n,
    signal: AbortSignal.any([signal, late]),
  })
}

/** What cannot be kept is not charged. Where it was kept after all, letting go changes nothing. */
async function storeOrRelease(
  state: VerificationState,
  taken: FinishedTurn,
  judged: readonly JudgedFinding[],
): Promise<void> {
  const { app } = state.review
  try {
    state.spent = await storeVerdicts(state.review, state.spent, taken, judged)
  } catch (error) {
    await releaseTurn(app, taken.turn)
    throw error
  }
}
