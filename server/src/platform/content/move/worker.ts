// Resumes a move from any step at which the previous mover ended.
import { newId, type OrgId } from '../../../kernel/ids.ts'
import { readContentVersions } from '../../db/migrations/content-migrations.ts'
import type { Isolation } from '../content.ts'
import { readContentTables } from '../content-tables.ts'
import type { ContentContext } from '../context.ts'
import { requireOwner } from '../dedicated/database-owner.ts'
import { prepareTarget } from '../prepare-target.ts'
import { type PlacementRow, readPlacement } from '../sql.ts'
import { type MoverFence, openOwnerPool, type TableLocation } from '../table-location.ts'
import { clearTables } from './clear-tables.ts'
import { createDeadline, type WithDeadline } from './deadline.ts'
import { move } from './move.ts'
import type { MoveJob, MoveStep } from './move-job.ts'
import {
  acquireFence,
  deleteOldestChanges,
  dropSchema,
  finishMove,
  hasMoreChanges,
  type MoveState,
  MoveStopped,
  readMoveState,
  recordAttempt,
  runFenced,
  setCapturing,
  withMoverLock,
} from './move-sql.ts'

const POLL_MS = 100
const POLLS_MAX = 3_000
/** How often a copying mover checks whether its move was cancelled. */
const CANCEL_CHECK_MS = 1_000
const CHANGES_PER_DELETE = 20_000

type Pacing = Pick<MoveJob, 'pace' | 'report'> & { readonly withDeadline: WithDeadline }

/**
 * Moves the content and clears the old copy, until that is done or the deadline has passed. While another process does so, it
 * waits for that process or returns. Returns whether the move is done. Errors are logged: the organisation keeps its placement.
 */
export async function resumeMove(
  context: ContentContext,
  org: OrgId,
  deadline: Date,
  others: 'wait' | 'skip' = 'wait',
): Promise<boolean> {
  const isOver = () => context.isClosed() || context.clock.now() >= deadline
  const pacing: Pacing = {
    report: context.onStep,
    withDeadline: createDeadline(context.answerTimeoutMs, isOver),
    async pace(step: MoveStep) {
      await context.onStep(step)
      if (isOver()) throw new MoveStopped(step)
    },
  }
  try {
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      if (isDone(await readPlacement(context.direct, org))) return true
      if ((await withMoverLock(context.locks, org, () => resumeLocked(context, org, pacing))) !== null)
        return true
      if (isOver() || others === 'skip') return false
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } catch (error) {
    if (!(error instanceof MoveStopped)) context.log.error({ orgId: org, err: error }, 'content.move.failed')
  }
  return false
}

const isDone = (placement: PlacementRow | undefined): boolean => !placement?.movingTo && !placement?.leftIn

async function resumeLocked(context: ContentContext, org: OrgId, pacing: Pacing): Promise<true> {
  const fence: MoverFence = { org, mover: newId('mvr') }
  await recordAttempt(context.owner, org, context.clock.now())
  await acquireFence(context.owner, fence)
  await clearOldCopy(context, fence, pacing)
  await limitChanges(context, fence)
  const state = await readMoveState(context.owner, org)
  if (state?.movingTo) await moveTo(context, fence, state, state.movingTo, pacing)
  await clearOldCopy(context, fence, pacing)
  return true
}

/** With too many recorded changes the copy is started again, and changes are not recorded until then. */
async function limitChanges(context: ContentContext, fence: MoverFence): Promise<void> {
  const location = locationOf(context, fence.org, 'shared')
  const isExceeded = await runFenced(location, fence, async (tx) => {
    if (!(await hasMoreChanges(tx, fence.org, context.changesMax))) return false
    await setCapturing(tx, fence.org, false)
    return true
  })
  if (!isExceeded) return
  const deleteSome = () =>
    runFenced(location, fence, (tx) => deleteOldestChanges(tx, fence.org, CHANGES_PER_DELETE))
  while ((await deleteSome()) === CHANGES_PER_DELETE);
}

async function moveTo(
  context: ContentContext,
  fence: MoverFence,
  state: MoveState,
  to: Exclude<Isolation, 'shared'>,
  { pace, report, withDeadline }: Pacing,
): Promise<void> {
  const { roleName, url } = await withDeadline(prepareTarget(context, fence.org, to))
  const source = locationOf(context, fence.org, state.place)
  const sql = url === null ? context.copies : openOwnerPool(url)
  const target: TableLocation = { sql, schema: to === 'schema' ? fence.org : 'public', withDeadline }
  try {
    await withDeadline(checkTarget(source, target, fence, url !== null))
    await pace('ready')
    const tables = await readContentTables(source)
    const warn = (reason: string) => context.log.error({ orgId: fence.org, reason }, 'content.move.mismatch')
    await move({
      fence,
      source,
      target,
      tables,
      state,
      to,
      roleName,
      pace: stopWhenCancelled(context, fence.org, to, pace),
      report,
      warn,
    })
  } finally {
    // Does not wait for statements that still run in the dedicated database.
    if (url !== null) await sql.end({ timeout: 0 })
  }
  context.notify(fence.org)
  await pace('switched')
}

async function checkTarget(
  source: TableLocation,
  target: TableLocation,
  fence: MoverFence,
  isDedicated: boolean,
): Promise<void> {
  if (isDedicated) {
    await requireOwner(target.sql, fence.org)
    await acquireFence(target.sql, fence)
  }
  await requireSameVersions(source, target)
}

/** Also stops when the move was cancelled. Uses the connections of the service, because all of the mover's may be in use. */
function stopWhenCancelled(
  context: ContentContext,
  org: OrgId,
  to: Isolation,
  pace: MoveJob['pace'],
): (step: MoveStep) => Promise<void> {
  let checkedAt = performance.now()
  return async (step) => {
    await pace(step)
    if (step === 'copying' && performance.now() - checkedAt < CANCEL_CHECK_MS) return
    checkedAt = performance.now()
    if ((await readPlacement(context.direct, org))?.movingTo !== to)
      throw new MoveStopped('The move was cancelled.')
  }
}

/** During a deploy, older replicas lack the newest content migrations. They leave the move to newer replicas. */
async function requireSameVersions(source: TableLocation, target: TableLocation): Promise<void> {
  const [ofSource, ofTarget] = await Promise.all([
    readContentVersions(source.sql, source.schema),
    readContentVersions(target.sql, target.schema),
  ])
  if (ofSource.join() !== ofTarget.join())
    throw new Error(
      `The source has content migrations ${ofSource.join()}, but the target has ${ofTarget.join()}.`,
    )
}

/** Clears the unused copy: in the old placement, or in the target of a cancelled move. */
async function clearOldCopy(
  context: ContentContext,
  fence: MoverFence,
  { pace, withDeadline }: Pacing,
): Promise<void> {
  const state = await readMoveState(context.owner, fence.org)
  if (!state?.leftIn) return
  const shared = locationOf(context, fence.org, 'shared')
  if (state.leftIn === 'shared')
    await clearTables(shared, fence, await readContentTables(shared), () => pace('clearing'))
  if (state.leftIn === 'dedicated') await withDeadline(dropUnusedDatabase(context, fence.org))
  await runFenced(shared, fence, async (tx) => {
    if (state.leftIn === 'schema') await dropSchema(tx, fence.org)
    await finishMove(tx, fence.org, context.clock.now())
  })
  context.notify(fence.org)
}

/** A database without the owner record of this organisation has none of its content. */
export async function dropUnusedDatabase({ dedicated }: ContentContext, org: OrgId): Promise<void> {
  if (await dedicated.exists(org)) await dedicated.drop(org)
}

function locationOf({ owner }: ContentContext, org: OrgId, isolation: Isolation): TableLocation {
  return { sql: owner, schema: isolation === 'schema' ? org : 'public' }
}
