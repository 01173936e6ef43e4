// Writing: a model tells what was found, citing findings and nothing else.
import { present } from '../../kernel/assert.ts'
import { payerOf, priceOf } from '../../metering/metering.ts'
import { ceilingWithin } from '../../wallet/wallet.ts'
import { reportIn, reportMessages } from '../asking/asking.ts'
import { conflictsOf } from '../citing/coverage.ts'
import { dateOf } from '../date.ts'
import { tell } from '../events.ts'
import { routeOf } from '../lanes.ts'
import { type ReportOutcome, type Step, stepName } from '../next.ts'
import { findingsOf, skipQueued } from '../sources-sql.ts'
import { keepStopReason } from '../sql.ts'
import { finishStep } from '../steps-sql.ts'
import type { StopReason } from '../terms.ts'
import { askOnce } from '../turn.ts'
import { reportSize } from '../turn-sizes.ts'
import { enter, fenced, Superseded, type Working, writingUntil } from '../working.ts'
import { doWithout } from './without.ts'

export async function report(working: Working, { stopReason }: Step & { kind: 'report' }): Promise<void> {
  await leaveRest(working, stopReason)
  await enter(working, 'report')
  const { app, run } = working
  const findings = await app.db.tx(run.orgId, (tx) => findingsOf(tx, run))
  const outcomeOf = (markdown: string | null): ReportOutcome => ({ markdown, stopReason })
  if (findings.length === 0) return finish(working, outcomeOf(null))
  const plan = present(run.plan, 'findings come from a plan')
  const size = reportSize(run.depth)
  const { messages } = reportMessages(run.nonce, {
    question: run.question,
    askedOn: dateOf(run.createdAt),
    plan,
    findings,
    conflicts: conflictsOf(plan, findings),
    depth: run.depth,
    tokensMax: await promptTokens(working),
  })
  const without = await askOnce<string>(working, {
    step: stepName.report,
    purpose: 'report',
    messages,
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: writingUntil(run, app.clock.now()),
    again: 1,
    read: (answer) => reportIn(answer),
    keep: async (_tx, markdown) => ({ outcome: outcomeOf(markdown), events: [] }),
  })
  if (without === null) return
  await doWithout(working, { step: stepName.report, what: 'The report', without }, async () => ({
    outcome: outcomeOf(null),
    events: [],
  }))
}

/** What has not been read by now is not read any more. */
function leaveRest(working: Working, stopReason: StopReason): Promise<void> {
  const { run } = working
  const reason = stopReason === 'wall_clock' ? 'deadline' : 'budget'
  return fenced(working, async (tx) => {
    if (stopReason !== 'completed') await keepStopReason(tx, run, stopReason)
    const skipped = await skipQueued(tx, run, reason)
    const events = skipped.map((each) => ({ kind: 'source', ...each, status: 'skipped', reason }) as const)
    if (events.length > 0) await tell(tx, run.id, events)
  })
}

// The rest is for the answer.
const PROMPT_SHARE = 0.7

/** As much of the findings as the money that was kept aside can pay for. */
async function promptTokens({ app, orgId, run }: Working): Promise<number> {
  const size = reportSize(run.depth)
  const payer = await app.db.tx(orgId, (tx) => payerOf(tx, orgId))
  if (!payer) return size.prompt
  const { lane } = routeOf(app, payer, run.laneMode, 'report')
  const turn = {
    beforeMicroKobo: run.usedMicroKobo,
    promptTokens: 0,
    outputCeiling: size.prompt + size.output,
  }
  const affordable = ceilingWithin(priceOf(app, lane, payer.currency), turn, run.asideMinor)
  return Math.min(size.prompt, Math.floor(affordable * PROMPT_SHARE))
}

function finish(working: Working, outcome: ReportOutcome): Promise<void> {
  return fenced(working, async (tx) => {
    if (!(await finishStep(tx, working.run, stepName.report, outcome))) throw new Superseded()
  })
}
