// Finds gaps after a pass by rules. A model only proposes queries for them.

import { present } from '../../kernel/assert.ts'
import { fullQuestion } from '../engine/full-question.ts'
import { runTurn } from '../engine/model-turn.ts'
import { type GapOutcome, type ResearchStep, stepName } from '../engine/next-step.ts'
import {
  enterPhase,
  type RunContext,
  readingDeadline,
  SupersededError,
  withFence,
} from '../engine/run-context.ts'
import { findGaps, isWorthAnotherPass } from '../evidence/coverage.ts'
import { fixedSize } from '../pricing/turn-lanes-sizes.ts'
import { fallbackQueries, gapMessages, parseQueries } from '../prompts/gap-prompt.ts'
import { finishStep, listFinishedSteps } from '../runs-sql.ts'
import { listFindings, listSources, toReportSources } from '../sources-sql.ts'
import type { SearchQuery } from '../types.ts'
import { finishWithoutModel } from './without-model.ts'

export async function searchGaps(
  context: RunContext,
  { pass }: ResearchStep & { kind: 'gap' },
): Promise<void> {
  const { app, run } = context
  await enterPhase(context, 'gap', pass)
  const step = stepName.gap(pass)
  const plan = present(run.plan, 'a run with gaps has a plan')
  const { findings, sources, earlierQueries } = await app.db.tx(run.orgId, async (tx) => ({
    findings: await listFindings(tx, run),
    sources: toReportSources(await listSources(tx, run)),
    earlierQueries: listEarlierQueries(run.plan, await listFinishedSteps(tx, run)),
  }))
  const gaps = findGaps(plan, findings, sources)
  if (!isWorthAnotherPass({ plan, findings, sources, pass })) return finishGap(context, step, [])
  const queriesMax = Math.max(2, run.limits.queriesPerSub * gaps.length)
  const outcomeOf = (queries: readonly SearchQuery[]): GapOutcome => ({ queries })
  const size = fixedSize('gap')
  const without = await runTurn<SearchQuery[]>(context, {
    step,
    purpose: 'gap',
    messages: gapMessages(run.nonce, { question: fullQuestion(run), plan, gaps, earlierQueries, queriesMax }),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    deadline: readingDeadline(run, app.clock.now()),
    retries: 0,
    parse: ({ text }) => parseQueries(text, { subs: plan.subquestions.length, queriesMax }),
    save: async (_tx, queries) => ({
      outcome: outcomeOf(withoutEarlier(queries, earlierQueries)),
      events: [],
    }),
  })
  if (without === null) return
  const queries = withoutEarlier(fallbackQueries(gaps, earlierQueries), earlierQueries).slice(0, queriesMax)
  await finishWithoutModel(context, { step, what: 'The choice of further searches', without }, async () => ({
    outcome: outcomeOf(queries),
    events: [],
  }))
}

function finishGap(context: RunContext, step: string, queries: readonly SearchQuery[]): Promise<void> {
  const outcome: GapOutcome = { queries }
  return withFence(context, async (tx) => {
    if (!(await finishStep(tx, context.run, step, outcome))) throw new SupersededError()
  })
}

/** The same query finds the same pages. */
const withoutEarlier = (
  queries: readonly SearchQuery[],
  earlierQueries: readonly string[],
): SearchQuery[] => {
  const known = new Set(earlierQueries.map((text) => text.toLowerCase()))
  return queries.filter(({ text }) => !known.has(text.toLowerCase()))
}

function listEarlierQueries(
  plan: RunContext['run']['plan'],
  done: readonly { step: string; outcome: unknown }[],
): string[] {
  const later = done
    .filter(({ step }) => step.startsWith('gap.'))
    .flatMap(({ outcome }) => (outcome as GapOutcome).queries.map(({ text }) => text))
  return [...(plan?.subquestions ?? []).flatMap(({ queries }) => queries), ...later]
}
