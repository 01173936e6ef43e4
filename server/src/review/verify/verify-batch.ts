// Asks a model about a few findings of one file. The turn is held first and settled in the transaction that stores the verdicts.
// A turn without a verdict is not charged.

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

/** State that the turns of one review share and update. */
export type VerificationState = {
  readonly review: ReviewContext
  readonly nonce: Nonce
  /** Files of the change, by path. */
  readonly files: ReadonlyMap<string, ScannedFile>
  /** The cost of other reviews of the same pull request within a day. */
  otherRunsMinor: bigint
  cost: RunCost
  /** Number of the next turn. Its hold has the reference `<run>.v<next>`. */
  next: number
}

const PROMPT_TOKENS_MAX = 24_000
const OUTPUT_TOKENS = 6_000
const OUTPUT_TOKENS_MIN = 400
const EXCERPTS_MAX = 4
const EXCERPTS_TOKENS = 3_000
const { review_default_budget_minor, review_max_model_turns } = reviewSettings.settings

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
  const finished = await runTurn(state, payer, batch, messages)
  const verdicts = finished.answer.finish === 'stopped' ? null : parseVerdicts(finished.answer.text, ids)
  if (verdicts) return { finished, verdicts }
  await releaseTurn(app, finished.turn)
  requireTimeLeft(state.review)
  return null
}

/** If a crashed attempt already used the reference, the next number is tried. */
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

/** Timers can fire slightly early. */
const TIMER_TOLERANCE_MS = 10

function requireTimeLeft({ deadlineMs }: ReviewContext): void {
  if (performance.now() >= deadlineMs - TIMER_TOLERANCE_MS) throw new VerificationStopped('too_slow')
}

function startTurn(
  { review, cost, otherRunsMinor }: VerificationState,
  payer: Org,
  { wantsFrontier }: Batch,
  { messages, ref }: { messages: readonly Message[]; ref: string },
): Promise<FinishedTurn> {
  const { app, run, signal, deadlineMs } = review
  const budgetMinor = BigInt(app.settings.get(review_default_budget_minor))
  const maxMinor = budgetMinor - otherRunsMinor - cost.costMinor
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  const limits = calculateTurnLimits(app.config.upstreamContextTokens)
  return runModelTurn(app, {
    orgId: run.orgId,
    userId: null,
    keyId: null,
    currency: payer.currency,
    ref,
    source: 'review',
    route: routeFor(app, payer, { frontier: wantsFrontier }),
    messages,
    outputCeiling: Math.min(OUTPUT_TOKENS, limits.outputTokens),
    leastOutput: Math.min(OUTPUT_TOKENS_MIN, limits.minOutputTokens),
    spentMicroKobo: cost.usedMicroKobo,
    maxMinor: maxMinor > 0n ? maxMinor : 0n,
    signal: AbortSignal.any([signal, deadline]),
  })
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
