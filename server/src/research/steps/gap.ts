// What is still missing after a pass: computed, not asked. A model only proposes where to look for it.

import { present } from '../../kernel/assert.ts'
import { fallbackQueries, gapMessages, queriesIn } from '../asking/asking.ts'
import { gapsOf, isWorthAnotherPass } from '../citing/coverage.ts'
import { listed } from '../listed.ts'
import { type GapOutcome, type Step, stepName } from '../next.ts'
import { findingsOf, sourcesOf } from '../sources-sql.ts'
import { doneSteps, finishStep } from '../steps-sql.ts'
import type { Query } from '../terms.ts'
import { askOnce } from '../turn.ts'
import { fixedSize } from '../turn-sizes.ts'
import { enter, fenced, readingUntil, Superseded, type Working } from '../working.ts'
import { doWithout } from './without.ts'

export async function gap(working: Working, { pass }: Step & { kind: 'gap' }): Promise<void> {
  const { app, run } = working
  await enter(working, 'gap', pass)
  const step = stepName.gap(pass)
  const plan = present(run.plan, 'gaps are those of a plan')
  const { findings, sources, asked } = await app.db.tx(run.orgId, async (tx) => ({
    findings: await findingsOf(tx, run),
    sources: listed(await sourcesOf(tx, run)),
    asked: askedBefore(run.plan, await doneSteps(tx, run)),
  }))
  const gaps = gapsOf(plan, findings, sources)
  if (!isWorthAnotherPass({ plan, findings, sources, pass })) return finish(working, step, [])
  const queriesMax = Math.max(2, run.limits.queriesPerSub * gaps.length)
  const outcomeOf = (queries: readonly Query[]): GapOutcome => ({ queries })
  const size = fixedSize('gap')
  const without = await askOnce<Query[]>(working, {
    step,
    purpose: 'gap',
    messages: gapMessages(run.nonce, { question: run.question, plan, gaps, asked, queriesMax }),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: readingUntil(run, app.clock.now()),
    again: 0,
    read: ({ text }) => queriesIn(text, { subs: plan.subquestions.length, queriesMax }),
    keep: async (_tx, queries) => ({ outcome: outcomeOf(fresh(queries, asked)), events: [] }),
  })
  if (without === null) return
  const queries = fresh(fallbackQueries(gaps, asked), asked).slice(0, queriesMax)
  await doWithout(working, { step, what: 'The choice of further searches', without }, async () => ({
    outcome: outcomeOf(queries),
    events: [],
  }))
}

function finish(working: Working, step: string, queries: readonly Query[]): Promise<void> {
  const outcome: GapOutcome = { queries }
  return fenced(working, async (tx) => {
    if (!(await finishStep(tx, working.run, step, outcome))) throw new Superseded()
  })
}

/** The same words again bring the same pages. */
const fresh = (queries: readonly Query[], asked: readonly string[]): Query[] => {
  const known = new Set(asked.map((text) => text.toLowerCase()))
  return queries.filter(({ text }) => !known.has(text.toLowerCase()))
}

function askedBefore(
  plan: Working['run']['plan'],
  done: readonly { step: string; outcome: unknown }[],
): string[] {
  const later = done
    .filter(({ step }) => step.startsWith('gap.'))
    .flatMap(({ outcome }) => (outcome as GapOutcome).queries.map(({ text }) => text))
  return [...(plan?.subquestions ?? []).flatMap(({ queries }) => queries), ...later]
}
