// Starts a run: one transaction fixes its budget, reserves money for its report and enqueues its job.
import { newNonce } from '../../agent/agent.ts'
import { requireThread } from '../../chat/chat.ts'
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Id, newId } from '../../kernel/ids.ts'
import { RESERVATION_ERRORS } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { estimateMaxPromptTokens } from '../../platform/inference/inference.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { openStream } from '../../platform/streams/streams.ts'
import { requireEditorAccess } from '../../projects/projects.ts'
import { releaseIn, reserveIn } from '../../wallet/wallet.ts'
import type { RunPayload } from '../engine/run-context.ts'
import { budgetCeiling, computeReserve, inFlightMax } from '../pricing/estimates.ts'
import { reserveDeadline } from '../pricing/report-reserve.ts'
import { limitsFor, type RunLimits } from '../pricing/run-limits.ts'
import { currentLaneMode, routeTurn } from '../pricing/turn-lanes-sizes.ts'
import { planMessages } from '../prompts/plan-prompt.ts'
import { countUnfinished, insertRun } from '../runs-sql.ts'
import { toPlanInput } from '../steps/plan.ts'
import type { Depth, ResearchRunId } from '../types.ts'
import { checkAvailability } from './availability.ts'

export const RESEARCH_JOB = 'research.run'

export type ResearchInput = {
  readonly question: string
  readonly depth: Depth
  readonly projectId?: string | undefined
  readonly conversationId?: Id<'thr'> | undefined
  readonly budgetMinor?: bigint | undefined
}

// Searches cost us money, even if a run is cancelled at once.
const START_LIMIT: AttemptLimit = { name: 'research.start', most: 120, withinSeconds: 3_600 }
// Alternating letters and digits give the most tokens, so the real nonce never costs more than the estimate.
const DENSEST_NONCE = '0a0a0a0a'

export async function startRun(
  app: App,
  actor: Actor,
  input: ResearchInput,
  once: Once,
): Promise<CommittedReply<StartedResearch>> {
  const laneMode = currentLaneMode(app)
  // Throws the specific error if no model may serve this organisation.
  for (const purpose of ['plan', 'report'] as const) routeTurn(app, actor.org, laneMode, purpose)
  if (!(await checkAvailability(app, actor.org)).available) throw new ApiError('research_unavailable')
  const { depth, question, projectId = null, conversationId = null } = input
  const budgetMinor = limitBudget(app, input)
  const limits = limitsFor(app, depth)
  const planTokens = estimateMaxPromptTokens(
    planMessages(DENSEST_NONCE, toPlanInput(question, app.clock.now(), limits)),
  )
  const priced: PricedRun = { depth, laneMode, budgetMinor, planTokens, limits }
  const { leastRunMinor } = computeReserve(app, actor.org, priced)
  if (budgetMinor < leastRunMinor)
    throw new ApiError('budget_too_low', { requiredMinor: leastRunMinor, maxMinor: budgetMinor })
  const id: ResearchRunId = newId('run')
  const { orgId, userId } = actor
  return once.commit(orgId, async (tx) => {
    await requireCapacity(app, tx, actor)
    if (projectId !== null) await requireEditorAccess(tx, actor, projectId)
    if (conversationId !== null) await requireThread(tx, actor, conversationId)
    const hold = await reserveForReport(app, tx, actor, id, priced)
    await insertRun(tx, {
      ...{ id, orgId, userId, question, depth, projectId, conversationId, laneMode, limits, budgetMinor },
      nonce: newNonce(),
      asideMinor: hold.amountMinor,
      asideHoldId: hold.holdId,
    })
    await openStream(tx, orgId, id)
    await enqueue(tx, RESEARCH_JOB, { runId: id } satisfies RunPayload, { org: orgId, key: id })
    return { id, status: 'running' as const, depth, budgetMinor, laneMode }
  })
}

type PricedRun = Parameters<typeof computeReserve>[2] & { readonly limits: RunLimits }

export type StartedResearch = {
  readonly id: ResearchRunId
  readonly status: 'running'
  readonly depth: Depth
  readonly budgetMinor: bigint
  readonly laneMode: ReturnType<typeof currentLaneMode>
}

/** The customer can lower the budget but not raise it. */
function limitBudget(app: App, { budgetMinor }: ResearchInput): bigint {
  const ceiling = budgetCeiling(app)
  return budgetMinor === undefined || budgetMinor > ceiling ? ceiling : budgetMinor
}

async function requireCapacity(app: App, tx: Tx, { orgId, org }: Actor): Promise<void> {
  // Without the lock, two concurrent requests could both take the last free place.
  await tx.lock(`research of ${orgId}`)
  if ((await countUnfinished(tx, orgId)) >= inFlightMax(org)) throw new ApiError('too_many_research_runs')
  const { allowed, retryAfter } = await countAttempt(app, tx, START_LIMIT, orgId)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

/** Reserves the report money from what budget, wallet and cap allow, and leaves enough for a plan. */
async function reserveForReport(
  app: App,
  tx: Tx,
  { orgId, userId, keyId, org }: Actor,
  id: ResearchRunId,
  run: PricedRun,
) {
  const { leastRunMinor } = computeReserve(app, org, run)
  const deadline = reserveDeadline(tx.now, run.limits.wallClockMs)
  const work = { orgId, userId, keyId, source: 'research', terms: {}, deadline } as const
  const room = await reserveIn(app, tx, {
    ...work,
    ref: `${id}.room`,
    amountMinor: run.budgetMinor,
    leastMinor: leastRunMinor,
  })
  if (!room.ok) {
    assert(room.reason !== 'ended', 'the reference of a new run has no hold')
    throw new ApiError(RESERVATION_ERRORS[room.reason], {
      requiredMinor: leastRunMinor,
      availableMinor: room.availableMinor,
    })
  }
  await releaseIn(app, tx, { orgId, holdId: room.hold.holdId })
  const { asideMinor: amountMinor } = computeReserve(app, org, { ...run, budgetMinor: room.hold.amountMinor })
  const aside = await reserveIn(app, tx, { ...work, ref: `${id}.aside`, amountMinor })
  assert(aside.ok, 'the amount released in this transaction is still available')
  return aside.hold
}
