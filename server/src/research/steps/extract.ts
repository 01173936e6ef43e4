// Extracts findings from a batch of pages: claims with quotes, saved only if the quote occurs on the page.

import { calculateTurnLimits } from '../../agent/agent.ts'
import { present } from '../../kernel/assert.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { task } from '../../platform/workers/workers.ts'
import { fullQuestion } from '../engine/full-question.ts'
import { runTurn } from '../engine/model-turn.ts'
import { type ResearchStep, stepName } from '../engine/next-step.ts'
import {
  enterPhase,
  type RunContext,
  readingDeadline,
  SupersededError,
  withFence,
} from '../engine/run-context.ts'
import type { CheckedFindings, CheckInput } from '../evidence/check-findings-task.ts'
import { extractSize } from '../pricing/turn-lanes-sizes.ts'
import type { ExtractPromptTaskInput } from '../prompts/extract-prompt-task.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import { finishStep } from '../runs-sql.ts'
import { listFindings, listPages, saveFindings } from '../sources-sql.ts'
import type { ResearchFinding } from '../types.ts'
import { runOptionalTask } from './run-optional-task.ts'
import { finishWithoutModel, type StepResult } from './without-model.ts'

const promptTask = task<ExtractPromptTaskInput, Message[]>(
  new URL('../prompts/extract-prompt-task.ts', import.meta.url),
)
const checkTask = task<CheckInput, CheckedFindings | null>(
  new URL('../evidence/check-findings-task.ts', import.meta.url),
)

// Ten times the time for the longest pages.
const PROMPT_MS = 10_000
const CHECK_MS = 20_000

type ExtractBatch = Omit<CheckInput, 'answer'> & { readonly step: string }

export async function extractFindings(
  context: RunContext,
  { pass, batch, pages: numbers }: ResearchStep & { kind: 'extract' },
): Promise<void> {
  const { app, run } = context
  await enterPhase(context, 'extract', pass)
  const plan = present(run.plan, 'a run with pages has a plan')
  const question = fullQuestion(run)
  const one: ExtractBatch = await app.db.tx(run.orgId, async (tx) => ({
    step: stepName.extract(pass, batch),
    question,
    plan,
    pages: await listPages(tx, run, numbers),
    known: await listFindings(tx, run),
  }))
  if (run.limits.extractMode === 'quote') return finishBatch(context, one, await quoteFromPages(context, one))
  const size = extractSize(one.pages.length)
  const { promptTokens } = calculateTurnLimits(app.config.upstreamContextTokens)
  const tokensMax = Math.min(size.prompt, promptTokens)
  const input = { question, plan, pages: one.pages, tokensMax }
  const messages = await runOptionalTask(context, promptTask, { nonce: run.nonce, input }, PROMPT_MS)
  if (messages === 'failed') return finishBatch(context, one, NO_FINDINGS)
  const without = await runTurn<CheckedFindings>(context, {
    step: one.step,
    purpose: 'extract',
    messages: messages.value,
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    deadline: readingDeadline(run, app.clock.now()),
    retries: 1,
    parse: ({ text }) => checkAnswer(context, one, text),
    save: (tx, found) => saveBatch(context, tx, found),
  })
  if (without === null) return
  const found = await quoteFromPages(context, one)
  await finishWithoutModel(context, { step: one.step, what: 'Finding extraction', without }, (tx) =>
    saveBatch(context, tx, found),
  )
}

/** Null if the answer cannot be parsed or checked in time. An unusable answer is not charged. */
async function checkAnswer(
  context: RunContext,
  { step: _, ...one }: ExtractBatch,
  answer: string,
): Promise<CheckedFindings | null> {
  const looked = await runOptionalTask(context, checkTask, { ...one, answer }, CHECK_MS)
  return looked === 'failed' ? null : looked.value
}

async function quoteFromPages(
  context: RunContext,
  { step: _, ...one }: ExtractBatch,
): Promise<BatchFindings> {
  const looked = await runOptionalTask(context, checkTask, { ...one, answer: null }, CHECK_MS)
  return (looked === 'failed' ? null : looked.value) ?? NO_FINDINGS
}

function finishBatch(context: RunContext, { step }: ExtractBatch, found: BatchFindings): Promise<void> {
  const { run } = context
  return withFence(context, async (tx) => {
    const { outcome, events } = await saveBatch(context, tx, found)
    if (!(await finishStep(tx, run, step, outcome))) throw new SupersededError()
    if (events.length > 0) await appendEvents(tx, run.id, events)
  })
}

type BatchFindings = CheckedFindings & { readonly isUnread?: true }
/** For pages that could not be checked. */
const NO_FINDINGS: BatchFindings = { added: [], merged: [], dropped: 0, isUnread: true }

async function saveBatch({ run }: RunContext, tx: Tx, found: BatchFindings): Promise<StepResult> {
  const { added, merged, dropped: lost } = found
  if (added.length + merged.length > 0) await saveFindings(tx, run, [...merged, ...added])
  return {
    outcome: { added: added.length, dropped: lost },
    events: [
      ...added.map(toFindingEvent),
      ...toDroppedEvents(lost),
      ...(found.isUnread ? [NOT_SEARCHED] : []),
    ],
  }
}

const NOT_SEARCHED: RunEvent = {
  kind: 'warning',
  code: 'pages_not_searched',
  message: 'Some pages could not be searched for findings in time.',
}

const toFindingEvent = ({ id, claim, quote, sources }: ResearchFinding): RunEvent => ({
  kind: 'finding',
  id,
  claim,
  quote,
  sources,
})

const toDroppedEvents = (dropped: number): RunEvent[] =>
  dropped === 0
    ? []
    : [
        {
          kind: 'warning',
          code: 'findings_dropped',
          message: `${dropped} findings were dropped because their page does not support them.`,
        },
      ]
