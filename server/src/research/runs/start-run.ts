// Starts a run: one transaction fixes its budget, reserves money for its report and enqueues its job.
import { newNonce } from '../../agent/agent.ts'
import { requireThread } from '../../chat/chat.ts'
import { assert } from '../../kernel/assert.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
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
import { countUnfinished, insertRun, type RunRecord } from '../runs-sql.ts'
import { copyPages } from '../sources-sql.ts'
import { toPlanInput } from '../steps/plan.ts'
import type { Depth, ResearchRunId } from '../types.ts'
import { checkAvailability } from './availability.ts'
import {
  type DocumentInput,
  insertOwnSources,
  type ReadDocument,
  readDocuments,
  requireRepositories,
} from './own-sources.ts'
import { requireVisibleRun } from './read-run.ts'

export const RESEARCH_JOB = 'research.run'

export type ResearchInput = {
  readonly question: string
  readonly depth: Depth
  readonly projectId?: string | undefined
  readonly conversationId?: Id<'thr'> | undefined
  readonly budgetMinor?: bigint | undefined
  readonly clarify?: boolean | undefined
  readonly approvePlan?: boolean | undefined
  readonly searchWeb?: boolean | undefined
  readonly repositories?: readonly string[] | undefined
  readonly documents?: readonly DocumentInput[] | undefined
}

// Searches cost us money, even if a run is cancelled at once.
const START_LIMIT: AttemptLimit = { name: 'research.start', most: 120, withinSeconds: 3_600 }
const DOCUMENTS_LIMIT: AttemptLimit = { name: 'research.documents', most: 120, withinSeconds: 3_600 }
// Alternating letters and digits give the most tokens, so the real nonce never costs more than the estimate.
const DENSEST_NONCE = '0a0a0a0a'

export async function startRun(
  app: App,
  actor: Actor,
  input: ResearchInput,
  once: Once,
  /** The finished run that this one follows. */
  parentId: ResearchRunId | null = null,
): Promise<CommittedReply<StartedResearch>> {
  const laneMode = currentLaneMode(app)
  // Throws the specific error if no model may serve this organisation.
  for (const purpose of ['plan', 'report'] as const) routeTurn(app, actor.org, laneMode, purpose)
  const { depth, question, conversationId = null, searchWeb = true, repositories = [] } = input
  await requireAvailable(app, actor, searchWeb)
  const budgetMinor = limitBudget(app, input)
  const limits = { ...limitsFor(app, depth), ...(!searchWeb && { passes: 1 }) }
  const planTokens = estimateMaxPromptTokens(
    planMessages(DENSEST_NONCE, toPlanInput(question, app.clock.now(), limits)),
  )
  const priced: PricedRun = { depth, laneMode, budgetMinor, planTokens, limits }
  const { leastRunMinor } = computeReserve(app, actor.org, priced)
  if (budgetMinor < leastRunMinor)
    throw new ApiError('budget_too_low', { requiredMinor: leastRunMinor, maxMinor: budgetMinor })
  if (!searchWeb && repositories.length === 0 && parentId === null && !input.documents?.length)
    throw invalidFields({ path: 'searchWeb', message: 'must be true without documents and repositories' })
  const documents = await readOwnDocuments(app, actor, input, limits)
  const id: ResearchRunId = newId('run')
  const { orgId, userId } = actor
  return once.commit(orgId, async (tx) => {
    await requireCapacity(tx, actor)
    await countStart(app, tx, orgId)
    const parent = parentId === null ? null : await requireFinishedRun(tx, actor, parentId)
    // Pages of a project stay in it.
    const projectId = parent?.projectId ?? input.projectId ?? null
    if (projectId !== null) await requireEditorAccess(tx, actor, projectId)
    await requireRepositories(tx, orgId, repositories)
    if (conversationId !== null) await requireThread(tx, actor, conversationId)
    const hold = await reserveForReport(app, tx, actor, id, priced)
    await insertRun(tx, {
      ...{ id, orgId, userId, question, depth, projectId, conversationId, laneMode, limits, budgetMinor },
      followUpOf: parentId,
      options: {
        ...{ clarify: input.clarify ?? false, approvePlan: input.approvePlan ?? false },
        ...{ searchWeb, repositories, context: parent?.question ?? null },
      },
      nonce: newNonce(),
      asideMinor: hold.amountMinor,
      asideHoldId: hold.holdId,
    })
    await openStream(tx, orgId, id)
    await insertOwnSources(tx, { id, orgId }, documents)
    if (parent) await copyPages(tx, { id, orgId }, parent, limits.pages - documents.length)
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

/** Without a web search, the search provider may be missing. */
async function requireAvailable(app: App, { org }: Actor, searchWeb: boolean): Promise<void> {
  const { available, enabled, missing } = await checkAvailability(app, org)
  const isOffline = !searchWeb && enabled && missing.every((each) => each === 'search')
  if (!available && !isOffline) throw new ApiError('research_unavailable')
}

async function requireFinishedRun(tx: Tx, actor: Actor, id: ResearchRunId): Promise<RunRecord> {
  const run = await requireVisibleRun(tx, actor, id)
  if (run.finishedAt === null) throw new ApiError('research_running')
  return run
}

/** Throws if the organisation has as many runs in progress as it may. */
export async function requireCapacity(tx: Tx, { orgId, org }: Pick<Actor, 'orgId' | 'org'>): Promise<void> {
  // Without the lock, two concurrent requests could both take the last free place.
  await tx.lock(`research of ${orgId}`)
  if ((await countUnfinished(tx, orgId)) >= inFlightMax(org)) throw new ApiError('too_many_research_runs')
}

/** Reading takes time, also for a run that does not start. */
async function readOwnDocuments(
  app: App,
  actor: Actor,
  { documents = [] }: ResearchInput,
  { pages }: RunLimits,
): Promise<ReadDocument[]> {
  if (documents.length === 0) return []
  const { allowed, retryAfter } = await countAttempt(app, app.db.direct, DOCUMENTS_LIMIT, actor.orgId)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
  return readDocuments(actor, documents, pages)
}

async function countStart(app: App, tx: Tx, orgId: Actor['orgId']): Promise<void> {
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
