// Writing: a model tells what was found, citing findings and nothing else.

import { calculateTurnLimits } from '../../agent/agent.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Lane, priceOf } from '../../metering/metering.ts'
import { findOrg, type Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { ModelAnswer } from '../../platform/inference/inference.ts'
import { task } from '../../platform/workers/workers.ts'
import { affordableOutput, keyOfHold, readSpendable } from '../../wallet/wallet.ts'
import { fullQuestion } from '../engine/full-question.ts'
import { runTurn } from '../engine/model-turn.ts'
import { type ReportOutcome, type ResearchStep, stepName } from '../engine/next-step.ts'
import {
  enterPhase,
  type RunContext,
  SupersededError,
  toIsoDate,
  withFence,
  writingDeadline,
} from '../engine/run-context.ts'
import { describeConflicts } from '../evidence/coverage.ts'
import { reportSize, routeTurn } from '../pricing/turn-lanes-sizes.ts'
import { parseReport, reportMessages } from '../prompts/report-prompt.ts'
import type { CheckDraftInput } from '../report/check-draft-task.ts'
import { reportLanguage } from '../report/report-document.ts'
import type { UnsupportedSentence } from '../report/verify-draft.ts'
import { appendEvents } from '../run-events.ts'
import { finishStep, type RunRecord, saveStopReason } from '../runs-sql.ts'
import { listFindings, skipQueuedSources } from '../sources-sql.ts'
import type { ResearchStopReason } from '../types.ts'
import { runOptionalTask } from './run-optional-task.ts'
import { finishWithoutModel } from './without-model.ts'

type CheckedDraft = { readonly markdown: string; readonly unsupported: readonly UnsupportedSentence[] }
const NO_DRAFT = { markdown: null, unsupported: [] }

/** Further sentences are not repaired. */
const REPAIRS_MAX = 12
// More would leave no room for findings.
const CONFLICTS_MAX = 5

export async function writeReport(
  context: RunContext,
  { stopReason }: ResearchStep & { kind: 'report' },
): Promise<void> {
  await skipUnread(context, stopReason)
  await enterPhase(context, 'report')
  const { app, run } = context
  const findings = await app.db.tx(run.orgId, (tx) => listFindings(tx, run))
  const outcomeOf = ({ markdown, unsupported }: CheckedDraft | typeof NO_DRAFT): ReportOutcome => ({
    markdown,
    unsupported,
    stopReason,
  })
  if (findings.length === 0) return finishReport(context, outcomeOf(NO_DRAFT))
  const plan = present(run.plan, 'a run with findings has a plan')
  const size = reportSize(run.depth)
  const { messages } = reportMessages(run.nonce, {
    question: fullQuestion(run),
    language: reportLanguage(run.question, plan),
    askedOn: toIsoDate(run.createdAt),
    plan,
    findings,
    conflicts: describeConflicts(plan, findings).slice(0, CONFLICTS_MAX),
    depth: run.depth,
    tokensMax: await readPromptTokensMax(context),
  })
  const without = await runTurn<CheckedDraft>(context, {
    step: stepName.report,
    purpose: 'report',
    messages,
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    deadline: writingDeadline(run, app.clock.now()),
    retries: 1,
    parse: (answer) => checkDraft(context, answer, { findings, plan }),
    save: async (_tx, report) => ({ outcome: outcomeOf(report), events: [] }),
  })
  if (without === null) return
  await finishWithoutModel(context, { step: stepName.report, what: 'The report', without }, async () => ({
    outcome: outcomeOf(NO_DRAFT),
    events: [],
  }))
}

const checkDraftTask = task<CheckDraftInput, readonly UnsupportedSentence[] | null>(
  new URL('../report/check-draft-task.ts', import.meta.url),
)
// Many times the time for the longest draft.
const CHECK_MS = 20_000

/** A draft without a supported sentence is unusable, and is not charged. */
async function checkDraft(
  context: RunContext,
  answer: ModelAnswer,
  known: Pick<CheckDraftInput, 'findings' | 'plan'>,
): Promise<CheckedDraft | null> {
  const markdown = parseReport(answer)
  if (markdown === null) return null
  const judged = await runOptionalTask(context, checkDraftTask, { markdown, ...known }, CHECK_MS)
  if (judged === 'failed' || judged.value === null) return null
  return { markdown, unsupported: judged.value.slice(0, REPAIRS_MAX) }
}

/** Skips sources that are still queued. */
function skipUnread(context: RunContext, stopReason: ResearchStopReason): Promise<void> {
  const { run } = context
  const reason = stopReason === 'wall_clock' ? 'deadline' : 'budget'
  return withFence(context, async (tx) => {
    if (stopReason !== 'completed') await saveStopReason(tx, run, stopReason)
    const skipped = await skipQueuedSources(tx, run, reason)
    const events = skipped.map((each) => ({ kind: 'source', ...each, status: 'skipped', reason }) as const)
    if (events.length > 0) await appendEvents(tx, run.id, events)
  })
}

// The rest is for the answer.
const PROMPT_SHARE = 0.7

/** The prompt tokens that the reserve and the free balance can pay for. */
async function readPromptTokensMax({ app, orgId, run }: RunContext): Promise<number> {
  const size = reportSize(run.depth)
  const { payer, freeMinor } = await app.db.tx(orgId, async (tx) => {
    const keyId = await keyOfHold(tx, { orgId, holdId: run.asideHoldId })
    const { spendableMinor: freeMinor } = await readSpendable(tx, orgId, run.userId, keyId)
    return { payer: await findOrg(tx, orgId), freeMinor }
  })
  if (!payer) return size.prompt
  const lane = findReportLane(app, payer, run)
  // Without a model there is no prompt.
  if (lane === null) return size.prompt
  const turn = {
    beforeMicroKobo: run.usedMicroKobo,
    promptTokens: 0,
    outputCeiling: size.prompt + size.output,
  }
  const tokensFor = (minor: bigint) => affordableOutput(priceOf(app, lane, payer.currency), turn, minor)
  const affordable = Math.min(
    tokensFor(run.budgetMinor - run.spentMinor),
    tokensFor(run.asideMinor + freeMinor),
  )
  const { promptTokens: roomTokens } = calculateTurnLimits(app.config.upstreamContextTokens)
  return Math.min(size.prompt, roomTokens, Math.floor(affordable * PROMPT_SHARE))
}

function findReportLane(app: App, payer: Org, { laneMode }: RunRecord): Lane | null {
  try {
    return routeTurn(app, payer, laneMode, 'report').lane
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function finishReport(context: RunContext, outcome: ReportOutcome): Promise<void> {
  return withFence(context, async (tx) => {
    if (!(await finishStep(tx, context.run, stepName.report, outcome))) throw new SupersededError()
  })
}
