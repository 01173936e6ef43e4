// The places of content over a real PostgreSQL.
import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, Tx } from '../db/tx.ts'
import type { Log } from '../log/log.ts'
import type { Content, Home, Isolation } from './content.ts'
import { createDedicated } from './dedicated.ts'
import type { Step } from './move.ts'
import { carryOn } from './mover.ts'
import { ready, type World } from './ready.ts'
import { remove } from './remove.ts'
import { openOwner } from './site.ts'
import * as sql from './sql.ts'

export type ContentOptions = {
  /** The shared database, with the rights of its owner. */
  url: string
  /** The role that the service works as; null where there is none. */
  role: string | null
  db: Db
  clock: Clock
  log: Log
  /** Where databases of their own are: `{org}` stands for the organisation's id. Null: beside the shared one. */
  dedicatedUrl: string | null
  /** Told where a move is. What it throws ends the mover there; tests do. */
  onStep?: (step: Step) => void | Promise<void>
}

export function openContent(options: ContentOptions): Content {
  const { url, db, clock, log, onStep = () => undefined } = options
  const [locks, owner, copies] = [openOwner(url), openOwner(url), openOwner(url)]
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  const world: World = {
    locks,
    owner,
    copies,
    dedicated: createDedicated(options),
    where: options,
    clock,
    log,
    notify: (org) => db.notify('content', org),
    onStep,
    isClosed: () => isClosed,
  }
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    return work.finally(() => underWay.delete(work))
  }
  return {
    prepare: (org, to) => tracked(prepare(world, org, to)),
    begin,
    carryOn: (org, deadline) => tracked(carryOn(world, org, deadline)),
    homeOf,
    unfinished: (most) => sql.unfinished(db.direct, most),
    remove: (org) => tracked(remove(world, org)),
    async close() {
      isClosed = true
      await Promise.allSettled(underWay)
      await Promise.all([locks, owner, copies].map((sql) => sql.end({ timeout: 5 })))
    },
  }
}

async function prepare(world: World, org: OrgId, to: Exclude<Isolation, 'shared'>): Promise<void> {
  try {
    await ready(world, org, to)
  } catch (error) {
    world.log.error({ orgId: org, to, err: error }, 'a place for content could not be made ready')
    throw new ApiError('isolation_unavailable')
  }
}

const STRENGTH: Record<Isolation, number> = { shared: 0, schema: 1, dedicated: 2 }

async function begin(tx: Tx, org: OrgId, to: Isolation): Promise<boolean> {
  if (to !== 'shared' && (await sql.leaveShared(tx, org, to))) return true
  const found = await sql.lockPlace(tx, org)
  const going = found?.movingTo ?? found?.place ?? 'shared'
  if (to === going) return false
  if (to === 'shared' || STRENGTH[to] < STRENGTH[going]) throw new ApiError('isolation_one_way')
  // One move at a time: what is on its way arrives first.
  if (found?.movingTo) throw new ApiError('isolation_unavailable')
  await sql.leaveOwn(tx, org, to)
  return true
}

async function homeOf(tx: Tx, org: OrgId): Promise<Home> {
  const found = await sql.placeOf(tx, org)
  return {
    isolation: found?.movingTo ?? found?.place ?? 'shared',
    // It has not left as long as anything of it is where it was.
    status: found?.movingTo || found?.leftIn ? 'moving' : 'settled',
  }
}
