// Goes on with what somebody decided about an organisation's content, from wherever the last one who did so had come.
import { newId, type OrgId } from '../../kernel/ids.ts'
import { versionsOf } from '../db/place-files-sql.ts'
import { clearTables } from './clear.ts'
import type { Isolation } from './content.ts'
import { type Move, move, type Step } from './move.ts'
import { alone, dropSchema, inTurn, type Standing, settle, standingOf, takeOver } from './move-sql.ts'
import { ready, type World } from './ready.ts'
import { openOwner, type Site, type Turn } from './site.ts'
import { tablesOf } from './tables-sql.ts'

/** It is time to stop, and somebody goes on later. */
class Stopped extends Error {}

const POLL_MS = 100
const POLLS_MAX = 3_000

/**
 * Moves, and clears what is left behind, until that is done or the deadline has come. Where another process does so it waits for
 * that one. Says whether it is done. What goes wrong is logged: the organisation works on where it is.
 */
export async function carryOn(world: World, org: OrgId, deadline: Date): Promise<boolean> {
  const isOver = () => world.isClosed() || world.clock.now() >= deadline
  const pace = async (step: Step) => {
    await world.onStep(step)
    if (isOver()) throw new Stopped(step)
  }
  try {
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      if (isDone(await standingOf(world.owner, org))) return true
      if ((await alone(world.locks, org, () => carryOnAlone(world, org, pace))) !== null) return true
      if (isOver()) return false
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } catch (error) {
    if (!(error instanceof Stopped)) world.log.error({ orgId: org, err: error }, 'content was not moved')
  }
  return false
}

const isDone = (standing: Standing | undefined): boolean => !standing?.movingTo && !standing?.leftIn

async function carryOnAlone(world: World, org: OrgId, pace: Move['pace']): Promise<true> {
  const turn: Turn = { org, mover: newId('mvr') }
  await takeOver(world.owner, turn)
  await clearLeft(world, turn, pace)
  const standing = await standingOf(world.owner, org)
  if (standing?.movingTo) await moveTo(world, turn, standing, standing.movingTo, pace)
  await clearLeft(world, turn, pace)
  return true
}

async function moveTo(
  world: World,
  turn: Turn,
  standing: Standing,
  to: Exclude<Isolation, 'shared'>,
  pace: Move['pace'],
): Promise<void> {
  const { roleName, url } = await ready(world, turn.org, to)
  const sql = url === null ? world.copies : openOwner(url)
  const source = siteOf(world, turn.org, standing.place)
  const target: Site = { sql, schema: to === 'schema' ? turn.org : 'public' }
  try {
    if (url !== null) await takeOver(sql, turn)
    await refuseUnequal(source, target)
    await pace('ready')
    const tables = await tablesOf(source)
    const warn = (message: string) => world.log.error({ orgId: turn.org }, message)
    await move({ turn, source, target, tables, standing, roleName, pace, warn })
  } finally {
    if (url !== null) await sql.end({ timeout: 5 })
  }
  world.notify(turn.org)
  await pace('arrived')
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

/** The copy that nobody reads any more. */
async function clearLeft(world: World, turn: Turn, pace: Move['pace']): Promise<void> {
  const standing = await standingOf(world.owner, turn.org)
  if (!standing?.leftIn) return
  if (standing.leftIn === 'shared') {
    const site = siteOf(world, turn.org, 'shared')
    await clearTables(site, turn, await tablesOf(site), () => pace('clearing'))
  }
  await inTurn(world.owner, turn, async (tx) => {
    if (standing.leftIn === 'schema') await dropSchema(tx, turn.org)
    await settle(tx, turn.org, world.clock.now())
  })
}

function siteOf({ owner }: World, org: OrgId, place: Isolation): Site {
  return { sql: owner, schema: place === 'schema' ? org : 'public' }
}
