// The first step: what the question is made of, and what to search for.

import { fallbackPlan, planIn, planMessages } from '../asking/asking.ts'
import { dateOf } from '../date.ts'
import type { RunEvent } from '../events.ts'
import type { Limits } from '../limits.ts'
import { stepName } from '../next.ts'
import { keepPlan } from '../sql.ts'
import type { Plan } from '../terms.ts'
import { askOnce } from '../turn.ts'
import { fixedSize } from '../turn-sizes.ts'
import { enter, readingUntil, type Working } from '../working.ts'
import { doWithout } from './without.ts'

export async function plan(working: Working): Promise<void> {
  const { app, run } = working
  await enter(working, 'plan')
  const asked = planAsked(run.question, run.createdAt, run.limits)
  const size = fixedSize('plan')
  const without = await askOnce<Plan>(working, {
    step: stepName.plan,
    purpose: 'plan',
    messages: planMessages(run.nonce, asked),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: readingUntil(run, app.clock.now()),
    again: 0,
    read: ({ text }) => planIn(text, asked),
    async keep(tx, made) {
      await keepPlan(tx, run, made)
      return { outcome: {}, events: [told(made, 'model')] }
    },
  })
  if (without === null) return
  const made = fallbackPlan(run.question, asked.queriesMax)
  await doWithout(working, { step: stepName.plan, what: 'The plan', without }, async (tx) => {
    await keepPlan(tx, run, made)
    return { outcome: {}, events: [told(made, 'rules')] }
  })
}

/** What a plan is asked for with: the same before the run starts, where it is priced, and in it. */
export const planAsked = (question: string, askedAt: Date, { subquestions, queriesPerSub }: Limits) => ({
  question,
  askedOn: dateOf(askedAt),
  subquestionsMax: subquestions,
  queriesMax: queriesPerSub,
})

const told = ({ subquestions }: Plan, by: 'model' | 'rules'): RunEvent => ({
  kind: 'plan',
  subquestions: subquestions.map(({ question }) => question),
  by,
})
