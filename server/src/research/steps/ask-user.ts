// Steps that ask the user: a clarifying question before the plan, and the approval of the plan.
import { fullQuestion } from '../engine/full-question.ts'
import { runTurn } from '../engine/model-turn.ts'
import { stepName } from '../engine/next-step.ts'
import {
  enterPhase,
  type RunContext,
  readingDeadline,
  SupersededError,
  toIsoDate,
  withFence,
  withFenceUnlessCancelled,
} from '../engine/run-context.ts'
import { pauseRun } from '../engine/wait.ts'
import { fixedSize } from '../pricing/turn-lanes-sizes.ts'
import { clarifyMessages, parseClarification } from '../prompts/clarify-prompt.ts'
import { appendEvents } from '../run-events.ts'
import { finishStep } from '../runs-sql.ts'

/** A clear question is not asked about. Neither is any other if the model fails: the run continues without. */
export async function clarifyQuestion(context: RunContext): Promise<void> {
  const { app, run } = context
  await enterPhase(context, 'plan')
  const size = fixedSize('clarify')
  const without = await runTurn<string[]>(context, {
    step: stepName.clarify,
    purpose: 'clarify',
    messages: clarifyMessages(run.nonce, {
      question: fullQuestion(run),
      askedOn: toIsoDate(run.createdAt),
    }),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    deadline: readingDeadline(run, app.clock.now()),
    retries: 0,
    parse: ({ text }) => parseClarification(text),
    save: async (tx, questions) => ({
      outcome: { questions },
      events: questions.length === 0 ? [] : [await pauseRun(app, tx, run, 'answer', questions)],
    }),
  })
  if (without === null) return
  await withFence(context, async (tx) => {
    if (!(await finishStep(tx, run, stepName.clarify, { questions: [] }))) throw new SupersededError()
  })
}

/** The step is finished by the user. */
export function requestApproval(context: RunContext): Promise<void> {
  const { app, run } = context
  return withFenceUnlessCancelled(context, async (tx) => {
    await appendEvents(tx, run.id, [await pauseRun(app, tx, run, 'approval')])
  })
}
