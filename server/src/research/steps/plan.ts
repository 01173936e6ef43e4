// The first step: splits the question into subquestions with queries.

import { fullQuestion } from '../engine/full-question.ts'
import { runTurn } from '../engine/model-turn.ts'
import { stepName } from '../engine/next-step.ts'
import { enterPhase, type RunContext, readingDeadline, toIsoDate } from '../engine/run-context.ts'
import type { RunLimits } from '../pricing/run-limits.ts'
import { fixedSize } from '../pricing/turn-lanes-sizes.ts'
import { fallbackPlan, parsePlan, planMessages } from '../prompts/plan-prompt.ts'
import type { RunEvent } from '../run-events.ts'
import { savePlan } from '../runs-sql.ts'
import type { ResearchPlan } from '../types.ts'
import { finishWithoutModel } from './without-model.ts'

export async function makePlan(context: RunContext): Promise<void> {
  const { app, run } = context
  await enterPhase(context, 'plan')
  const input = toPlanInput(fullQuestion(run), run.createdAt, run.limits)
  const size = fixedSize('plan')
  const without = await runTurn<ResearchPlan>(context, {
    step: stepName.plan,
    purpose: 'plan',
    messages: planMessages(run.nonce, input),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    deadline: readingDeadline(run, app.clock.now()),
    retries: 0,
    parse: ({ text }) => parsePlan(text, input),
    async save(tx, made) {
      await savePlan(tx, run, made)
      return { outcome: {}, events: [toPlanEvent(made, 'model')] }
    },
  })
  if (without === null) return
  const made = fallbackPlan(input.question, input.queriesMax)
  await finishWithoutModel(context, { step: stepName.plan, what: 'The plan', without }, async (tx) => {
    await savePlan(tx, run, made)
    return { outcome: {}, events: [toPlanEvent(made, 'rules')] }
  })
}

/** Input of the plan prompt. The estimate before the start and the step itself use the same input. */
export const toPlanInput = (question: string, askedAt: Date, { subquestions, queriesPerSub }: RunLimits) => ({
  question,
  askedOn: toIsoDate(askedAt),
  subquestionsMax: subquestions,
  queriesMax: queriesPerSub,
})

const toPlanEvent = ({ subquestions }: ResearchPlan, by: 'model' | 'rules'): RunEvent => ({
  kind: 'plan',
  subquestions: subquestions.map(({ question }) => question),
  by,
})
