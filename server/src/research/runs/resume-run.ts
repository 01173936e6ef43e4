// Resumes a run that waits for its user: with the answer to its questions, or with the approved plan. The report reserve is
// held again first.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { RESERVATION_ERRORS } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { keyOfHold, reserveIn } from '../../wallet/wallet.ts'
import { answerCharactersMax } from '../engine/full-question.ts'
import { stepName } from '../engine/next-step.ts'
import type { RunPayload } from '../engine/run-context.ts'
import { computeReserve } from '../pricing/estimates.ts'
import { reserveDeadline } from '../pricing/report-reserve.ts'
import { suggestQueries } from '../prompts/plan-prompt.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import { finishStep, lockRun, type RunRecord, savePlan, saveReserveHold, saveResumed } from '../runs-sql.ts'
import type { Clarification, RunNeeds } from '../types.ts'
import { requireEditableRun, requireVisibleRun, toSummary } from './read-run.ts'
import { RESEARCH_JOB, requireCapacity } from './start-run.ts'

type Call = { readonly id: string; readonly request: RequestInfo; readonly once: Once }

export function answerResearch(app: App, actor: Actor, call: Call, answer: string) {
  return resume(app, actor, { ...call, needs: 'answer' }, async (_tx, run) => {
    const most = answerCharactersMax(run.question)
    if (answer.length > most)
      throw invalidFields({
        path: 'answer',
        message: `must have at most ${most} characters beside this question`,
      })
    const questions = run.clarification?.questions ?? []
    return { clarification: { questions, answer }, events: [{ kind: 'resumed', answer }] }
  })
}

/** Changed subquestions get new queries. */
export function approvePlan(app: App, actor: Actor, call: Call, subquestions: readonly string[] | undefined) {
  return resume(app, actor, { ...call, needs: 'approval' }, async (tx, run) => {
    const events: RunEvent[] = [{ kind: 'resumed', answer: null }]
    if (subquestions !== undefined) {
      const { subquestions: most, queriesPerSub } = run.limits
      if (subquestions.length > most)
        throw invalidFields({
          path: 'subquestions',
          message: `must have at most ${most} items at this depth`,
        })
      const known = new Map(run.plan?.subquestions.map((sub) => [sub.question, sub]))
      const plan = {
        subquestions: subquestions.map(
          (question) =>
            known.get(question) ?? { question, queries: suggestQueries(question).slice(0, queriesPerSub) },
        ),
      }
      await savePlan(tx, run, plan)
      events.push({ kind: 'plan', subquestions: [...subquestions], by: 'user' })
    }
    await finishStep(tx, run, stepName.approval, {})
    return { clarification: null, events }
  })
}

type Resumption = { readonly clarification: Clarification | null; readonly events: readonly RunEvent[] }
type ResumeRequest = Call & { readonly needs: RunNeeds }

function resume(
  app: App,
  actor: Actor,
  { id, needs, request, once }: ResumeRequest,
  apply: (tx: Tx, run: RunRecord) => Promise<Resumption>,
) {
  const { orgId } = actor
  return once.commit(orgId, async (tx) => {
    await requireCapacity(tx, actor)
    await requireEditableRun(tx, actor, id)
    const locked = await lockRun(tx, orgId, id)
    if (locked?.needs !== needs || locked.status !== 'running' || locked.finishedAt !== null)
      throw new ApiError('research_not_waiting')
    const run = await requireVisibleRun(tx, actor, id)
    const { clarification, events } = await apply(tx, run)
    await holdReserve(app, tx, actor, run, needs)
    await saveResumed(tx, run, clarification, after(tx.now, { ms: run.limits.wallClockMs }))
    await appendEvents(tx, run.id, events)
    await enqueue(tx, RESEARCH_JOB, { runId: run.id } satisfies RunPayload, { org: orgId, key: run.id })
    await record(tx, { orgId, actor, ip: request.address, action: 'research.resume', target: id })
    return toSummary(await requireVisibleRun(tx, actor, id))
  })
}

/** As much as at the start, or at least enough for a short report. The run still counts against the key that started it. */
async function holdReserve(app: App, tx: Tx, actor: Actor, run: RunRecord, needs: RunNeeds): Promise<void> {
  const { orgId, userId, laneMode, depth, budgetMinor, asideMinor } = run
  const { leastAsideMinor } = computeReserve(app, actor.org, { depth, laneMode, budgetMinor })
  const leastMinor = leastAsideMinor < asideMinor ? leastAsideMinor : asideMinor
  const reserved = await reserveIn(app, tx, {
    ...{ orgId, userId, source: 'research', terms: {}, amountMinor: asideMinor, leastMinor },
    keyId: await keyOfHold(tx, { orgId, holdId: run.asideHoldId }),
    // A run waits once for each of them.
    ref: `${run.id}.aside.${needs}`,
    deadline: reserveDeadline(tx.now, run.limits.wallClockMs),
  })
  if (!reserved.ok) {
    if (reserved.reason === 'ended') throw new ApiError('research_not_waiting')
    throw new ApiError(RESERVATION_ERRORS[reserved.reason], {
      requiredMinor: leastMinor,
      availableMinor: reserved.availableMinor,
    })
  }
  await saveReserveHold(tx, run, reserved.hold.holdId)
}
