// Writing: a model tells what was found, citing findings and nothing else.

import { calculateTurnLimits } from '../../agent/agent.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Lane, priceOf } from '../../metering/metering.ts'
import { findOrg, type Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { ModelAnswer } from '../../platform/inference/inference.ts'
import { task } from '../../platform/workers/workers.ts'
import { ceilingWithin, spendable } from '../../wallet/wallet.ts'
import { reportIn, reportMessages } from '../asking/asking.ts'
import { conflictsOf } from '../citing/coverage.ts'
import { dateOf } from '../date.ts'
import { tell } from '../events.ts'
import { routeOf } from '../lanes.ts'
import { type ReportOutcome, type Step, stepName } from '../next.ts'
import type { JudgeInput } from '../report/judge-task.ts'
import type { Unsupported } from '../report/verify.ts'
import { findingsOf, skipQueued } from '../sources-sql.ts'
import { keepStopReason, type Run } from '../sql.ts'
import { finishStep } from '../steps-sql.ts'
import type { StopReason } from '../terms.ts'
import { askOnce } from '../turn.ts'
import { reportSize } from '../turn-sizes.ts'
import { enter, fenced, Superseded, type Working, writingUntil } from '../working.ts'
import { patiently } from './patient.ts'
import { doWithout } from './without.ts'

type Written = { readonly markdown: string; readonly unsupported: readonly Unsupported[] }
const NOTHING = { markdown: null, unsupported: [] }

/** More are not asked about again. */
const REPAIRED_MAX = 12
// More would leave no room for what they are about.
const CONFLICTS_MAX = 5

export async function report(working: Working, { stopReason }: Step & { kind: 'report' }): Promise<void> {
  await leaveRest(working, stopReason)
  await enter(working, 'report')
  const { app, run } = working
  const findings = await app.db.tx(run.orgId, (tx) => findingsOf(tx, run))
  const outcomeOf = ({ markdown, unsupported }: Written | typeof NOTHING): ReportOutcome => ({
    markdown,
    unsupported,
    stopReason,
  })
  if (findings.length === 0) return finish(working, outcomeOf(NOTHING))
  const plan = present(run.plan, 'findings come from a plan')
  const size = reportSize(run.depth)
  const { messages } = reportMessages(run.nonce, {
    question: run.question,
    askedOn: dateOf(run.createdAt),
    plan,
    findings,
    conflicts: conflictsOf(plan, findings).slice(0, CONFLICTS_MAX),
    depth: run.depth,
    tokensMax: await promptTokens(working),
  })
  const without = await askOnce<Written>(working, {
    step: stepName.report,
    purpose: 'report',
    messages,
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: writingUntil(run, app.clock.now()),
    again: 1,
    read: (answer) => written(working, answer, { findings, plan }),
    keep: async (_tx, report) => ({ outcome: outcomeOf(report), events: [] }),
  })
  if (without === null) return
  await doWithout(working, { step: stepName.report, what: 'The report', without }, async () => ({
    outcome: outcomeOf(NOTHING),
    events: [],
  }))
}

const judging = task<JudgeInput, readonly Unsupported[] | null>(
  new URL('../report/judge-task.ts', import.meta.url),
)
// Many times what the longest text takes.
const JUDGED_MS = 20_000

/** A report of which nothing holds is none, and is not paid for. */
async function written(
  working: Working,
  answer: ModelAnswer,
  known: Pick<JudgeInput, 'findings' | 'plan'>,
): Promise<Written | null> {
  const markdown = reportIn(answer)
  if (markdown === null) return null
  const judged = await patiently(working, judging, { markdown, ...known }, JUDGED_MS)
  if (judged === 'failed' || judged.value === null) return null
  return { markdown, unsupported: judged.value.slice(0, REPAIRED_MAX) }
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

/** As much of the findings as can be paid for: at least by what was kept aside, and by what is free beside it. */
async function promptTokens({ app, orgId, run }: Working): Promise<number> {
  const size = reportSize(run.depth)
  const { payer, freeMinor } = await app.db.tx(orgId, async (tx) => ({
    payer: await findOrg(tx, orgId),
    freeMinor: (await spendable(tx, orgId, run.userId)).spendableMinor,
  }))
  if (!payer) return size.prompt
  const lane = laneOf(app, payer, run)
  // Without a model there is no prompt either.
  if (lane === null) return size.prompt
  const turn = {
    beforeMicroKobo: run.usedMicroKobo,
    promptTokens: 0,
    outputCeiling: size.prompt + size.output,
  }
  const tokensFor = (minor: bigint) => ceilingWithin(priceOf(app, lane, payer.currency), turn, minor)
  const affordable = Math.min(
    tokensFor(run.budgetMinor - run.spentMinor),
    tokensFor(run.asideMinor + freeMinor),
  )
  const { promptTokens: roomTokens } = calculateTurnLimits(app.config.upstreamContextTokens)
  return Math.min(size.prompt, roomTokens, Math.floor(affordable * PROMPT_SHARE))
}

function laneOf(app: App, payer: Org, { laneMode }: Run): Lane | null {
  try {
    return routeOf(app, payer, laneMode, 'report').lane
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function finish(working: Working, outcome: ReportOutcome): Promise<void> {
  return fenced(working, async (tx) => {
    if (!(await finishStep(tx, working.run, stepName.report, outcome))) throw new Superseded()
  })
}
