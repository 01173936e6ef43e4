// Goes on with what somebody decided about an organisation's content, from wherever the last one who did so had come.
import { newId, type OrgId } from '../../../kernel/ids.ts'
import { versionsOf } from '../../db/migrations/content-migrations.ts'
import type { Isolation } from '../content.ts'
import { tablesOf } from '../content-tables.ts'
import { requireMark } from '../dedicated/database-owner.ts'
import { ready, type World } from '../prepare-target.ts'
import { type Place, placeOf } from '../sql.ts'
import { openOwner, type Site, type Turn } from '../table-location.ts'
import { clearTables } from './clear-tables.ts'
import { type Bound, patience } from './deadline.ts'
import { type Move, move, type Step } from './move.ts'
import {
  alone,
  dropSchema,
  forgetNotes,
  hasManyNotes,
  inTurn,
  noteTry,
  type Standing,
  Stopped,
  setNoting,
  settle,
  standingOf,
  takeOver,
} from './move-sql.ts'

const POLL_MS = 100
const POLLS_MAX = 3_000
/** How often a mover looks, while it copies, whether its move was taken back. */
const LOOK_EVERY_MS = 1_000
const NOTES_AT_ONCE = 20_000

/** What a mover obeys. */
type Pacing = Pick<Move, 'pace' | 'tell'> & { readonly bound: Bound }

/**
 * Moves, and clears what is left behind, until that is done or the deadline has come. Where another process does so it waits for
 * that one, or leaves it alone. Says whether it is done. What goes wrong is logged: the organisation works on where it is.
 */
export async function carryOn(
  world: World,
  org: OrgId,
  deadline: Date,
  others: 'wait' | 'skip' = 'wait',
): Promise<boolean> {
  const isOver = () => world.isClosed() || world.clock.now() >= deadline
  const pacing: Pacing = {
    tell: world.onStep,
    bound: patience(world.answerMs, isOver),
    async pace(step: Step) {
      await world.onStep(step)
      if (isOver()) throw new Stopped(step)
    },
  }
  try {
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      if (isDone(await placeOf(world.direct, org))) return true
      if ((await alone(world.locks, org, () => carryOnAlone(world, org, pacing))) !== null) return true
      if (isOver() || others === 'skip') return false
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } catch (error) {
    if (!(error instanceof Stopped)) world.log.error({ orgId: org, err: error }, 'content.move.failed')
  }
  return false
}

const isDone = (place: Place | undefined): boolean => !place?.movingTo && !place?.leftIn

async function carryOnAlone(world: World, org: OrgId, pacing: Pacing): Promise<true> {
  const turn: Turn = { org, mover: newId('mvr') }
  await noteTry(world.owner, org, world.clock.now())
  await takeOver(world.owner, turn)
  await clearLeft(world, turn, pacing)
  await boundNotes(world, turn)
  const standing = await standingOf(world.owner, org)
  if (standing?.movingTo) await moveTo(world, turn, standing, standing.movingTo, pacing)
  await clearLeft(world, turn, pacing)
  return true
}

/** A move that could not go on for long is begun anew rather than followed, and until then nothing more is noted. */
async function boundNotes(world: World, turn: Turn): Promise<void> {
  const site = siteOf(world, turn.org, 'shared')
  const isAnew = await inTurn(site, turn, async (tx) => {
    if (!(await hasManyNotes(tx, turn.org, world.notesMax))) return false
    await setNoting(tx, turn.org, false)
    return true
  })
  if (!isAnew) return
  while ((await inTurn(site, turn, (tx) => forgetNotes(tx, turn.org, NOTES_AT_ONCE))) === NOTES_AT_ONCE);
}

async function moveTo(
  world: World,
  turn: Turn,
  standing: Standing,
  to: Exclude<Isolation, 'shared'>,
  pacing: Pacing,
): Promise<void> {
  const { roleName, url } = await pacing.bound(ready(world, turn.org, to))
  const source = siteOf(world, turn.org, standing.place)
  const sql = url === null ? world.copies : openOwner(url)
  const target: Site = { sql, schema: to === 'schema' ? turn.org : 'public', bound: pacing.bound }
  try {
    await pacing.bound(admit(source, target, turn, url !== null))
    await pacing.pace('ready')
    const tables = await tablesOf(source)
    const warn = (reason: string) => world.log.error({ orgId: turn.org, reason }, 'content.move.mismatch')
    const pace = whileWanted(world, turn.org, to, pacing.pace)
    await move({ turn, source, target, tables, standing, to, roleName, pace, tell: pacing.tell, warn })
  } finally {
    // Whatever the other server still does, nobody waits for it any more.
    if (url !== null) await sql.end({ timeout: 0 })
  }
  world.notify(turn.org)
  await pacing.pace('arrived')
}

async function admit(source: Site, target: Site, turn: Turn, isElsewhere: boolean): Promise<void> {
  if (isElsewhere) {
    await requireMark(target.sql, turn.org)
    await takeOver(target.sql, turn)
  }
  await refuseUnequal(source, target)
}

/** Stops, too, when the move was taken back. It asks through the service's connections: all of ours may be in use. */
function whileWanted(
  world: World,
  org: OrgId,
  to: Isolation,
  pace: Move['pace'],
): (step: Step) => Promise<void> {
  let lookedAt = performance.now()
  return async (step) => {
    await pace(step)
    if (step === 'copying' && performance.now() - lookedAt < LOOK_EVERY_MS) return
    lookedAt = performance.now()
    if ((await placeOf(world.direct, org))?.movingTo !== to) throw new Stopped('the move was taken back')
  }
}

/** In a deploy older replicas know fewer files than the shared tables have seen: they leave the move to the newer ones. */
async function refuseUnequal(source: Site, target: Site): Promise<void> {
  const [here, there] = await Promise.all([
    versionsOf(source.sql, source.schema),
    versionsOf(target.sql, target.schema),
  ])
  if (here.join() !== there.join())
    throw new Error(`the files of content are ${here.join()} in one place and ${there.join()} in the other`)
}

/** The copy that nobody reads any more: where the content was, or where it was going until it was called back. */
async function clearLeft(world: World, turn: Turn, { pace, bound }: Pacing): Promise<void> {
  const standing = await standingOf(world.owner, turn.org)
  if (!standing?.leftIn) return
  const shared = siteOf(world, turn.org, 'shared')
  if (standing.leftIn === 'shared')
    await clearTables(shared, turn, await tablesOf(shared), () => pace('clearing'))
  if (standing.leftIn === 'dedicated') await bound(dropHalfMade(world, turn.org))
  await inTurn(shared, turn, async (tx) => {
    if (standing.leftIn === 'schema') await dropSchema(tx, turn.org)
    await settle(tx, turn.org, world.clock.now())
  })
  world.notify(turn.org)
}

/** A database that is not marked as theirs has nothing of them. */
export async function dropHalfMade({ dedicated }: World, org: OrgId): Promise<void> {
  if (await dedicated.isThere(org)) await dedicated.drop(org)
}

function siteOf({ owner }: World, org: OrgId, place: Isolation): Site {
  return { sql: owner, schema: place === 'schema' ? org : 'public' }
}
