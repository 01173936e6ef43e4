// Goes on with what somebody decided about an organisation's content, from wherever the last one who did so had come.
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
/** How often a mover looks, while it copies, whether its move was taken back. */
const LOOK_EVERY_MS = 1_000
const NOTES_AT_ONCE = 20_000

/** What a mover obeys. */
type Pacing = Pick<MoveJob, 'pace' | 'tell'> & { readonly bound: WithDeadline }

/**
 * Moves, and clears what is left behind, until that is done or the deadline has come. Where another process does so it waits for
 * that one, or leaves it alone. Says whether it is done. What goes wrong is logged: the organisation works on where it is.
 */
export async function resumeMove(
  context: ContentContext,
  org: OrgId,
  deadline: Date,
  others: 'wait' | 'skip' = 'wait',
): Promise<boolean> {
  const isOver = () => context.isClosed() || context.clock.now() >= deadline
  const pacing: Pacing = {
    tell: context.onStep,
    bound: createDeadline(context.answerTimeoutMs, isOver),
    async pace(step: MoveStep) {
      await context.onStep(step)
      if (isOver()) throw new MoveStopped(step)
    },
  }
  try {
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      if (isDone(await readPlacement(context.direct, org))) return true
      if ((await withMoverLock(context.locks, org, () => carryOnAlone(context, org, pacing))) !== null)
        return true
      if (isOver() || others === 'skip') return false
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } catch (error) {
    if (!(error instanceof MoveStopped)) context.log.error({ orgId: org, err: error }, 'content.move.failed')
  }
  return false
}

const isDone = (place: PlacementRow | undefined): boolean => !place?.movingTo && !place?.leftIn

async function carryOnAlone(context: ContentContext, org: OrgId, pacing: Pacing): Promise<true> {
  const fence: MoverFence = { org, mover: newId('mvr') }
  await recordAttempt(context.owner, org, context.clock.now())
  await acquireFence(context.owner, fence)
  await clearLeft(context, fence, pacing)
  await boundNotes(context, fence)
  const state = await readMoveState(context.owner, org)
  if (state?.movingTo) await moveTo(context, fence, state, state.movingTo, pacing)
  await clearLeft(context, fence, pacing)
  return true
}

/** A move that could not go on for long is begun anew rather than followed, and until then nothing more is noted. */
async function boundNotes(context: ContentContext, fence: MoverFence): Promise<void> {
  const location = siteOf(context, fence.org, 'shared')
  const isAnew = await runFenced(location, fence, async (tx) => {
    if (!(await hasMoreChanges(tx, fence.org, context.changesMax))) return false
    await setCapturing(tx, fence.org, false)
    return true
  })
  if (!isAnew) return
  while (
    (await runFenced(location, fence, (tx) => deleteOldestChanges(tx, fence.org, NOTES_AT_ONCE))) ===
    NOTES_AT_ONCE
  );
}

async function moveTo(
  context: ContentContext,
  fence: MoverFence,
  state: MoveState,
  to: Exclude<Isolation, 'shared'>,
  pacing: Pacing,
): Promise<void> {
  const { roleName, url } = await pacing.bound(prepareTarget(context, fence.org, to))
  const source = siteOf(context, fence.org, state.place)
  const sql = url === null ? context.copies : openOwnerPool(url)
  const target: TableLocation = {
    sql,
    schema: to === 'schema' ? fence.org : 'public',
    withDeadline: pacing.bound,
  }
  try {
    await pacing.bound(admit(source, target, fence, url !== null))
    await pacing.pace('ready')
    const tables = await readContentTables(source)
    const warn = (reason: string) => context.log.error({ orgId: fence.org, reason }, 'content.move.mismatch')
    const pace = whileWanted(context, fence.org, to, pacing.pace)
    await move({
      fence,
      source,
      target,
      tables,
      state,
      to,
      roleName,
      pace,
      tell: pacing.tell,
      warn,
    })
  } finally {
    // Whatever the other server still does, nobody waits for it any more.
    if (url !== null) await sql.end({ timeout: 0 })
  }
  context.notify(fence.org)
  await pacing.pace('arrived')
}

async function admit(
  source: TableLocation,
  target: TableLocation,
  fence: MoverFence,
  isElsewhere: boolean,
): Promise<void> {
  if (isElsewhere) {
    await requireOwner(target.sql, fence.org)
    await acquireFence(target.sql, fence)
  }
  await refuseUnequal(source, target)
}

/** Stops, too, when the move was taken back. It asks through the service's connections: all of ours may be in use. */
function whileWanted(
  context: ContentContext,
  org: OrgId,
  to: Isolation,
  pace: MoveJob['pace'],
): (step: MoveStep) => Promise<void> {
  let lookedAt = performance.now()
  return async (step) => {
    await pace(step)
    if (step === 'copying' && performance.now() - lookedAt < LOOK_EVERY_MS) return
    lookedAt = performance.now()
    if ((await readPlacement(context.direct, org))?.movingTo !== to)
      throw new MoveStopped('the move was taken back')
  }
}

/** In a deploy older replicas know fewer files than the shared tables have seen: they leave the move to the newer ones. */
async function refuseUnequal(source: TableLocation, target: TableLocation): Promise<void> {
  const [here, there] = await Promise.all([
    readContentVersions(source.sql, source.schema),
    readContentVersions(target.sql, target.schema),
  ])
  if (here.join() !== there.join())
    throw new Error(`the files of content are ${here.join()} in one place and ${there.join()} in the other`)
}

/** The copy that nobody reads any more: where the content was, or where it was going until it was called back. */
async function clearLeft(context: ContentContext, fence: MoverFence, { pace, bound }: Pacing): Promise<void> {
  const state = await readMoveState(context.owner, fence.org)
  if (!state?.leftIn) return
  const shared = siteOf(context, fence.org, 'shared')
  if (state.leftIn === 'shared')
    await clearTables(shared, fence, await readContentTables(shared), () => pace('clearing'))
  if (state.leftIn === 'dedicated') await bound(dropUnusedDatabase(context, fence.org))
  await runFenced(shared, fence, async (tx) => {
    if (state.leftIn === 'schema') await dropSchema(tx, fence.org)
    await finishMove(tx, fence.org, context.clock.now())
  })
  context.notify(fence.org)
}

/** A database that is not marked as theirs has nothing of them. */
export async function dropUnusedDatabase({ dedicated }: ContentContext, org: OrgId): Promise<void> {
  if (await dedicated.isThere(org)) await dedicated.drop(org)
}

function siteOf({ owner }: ContentContext, org: OrgId, place: Isolation): TableLocation {
  return { sql: owner, schema: place === 'schema' ? org : 'public' }
}
