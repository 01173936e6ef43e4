// The places of content over a real PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { createSlots } from '../db/semaphore.ts'
import type { Db, Tx } from '../db/tx.ts'
import type { Log } from '../log/log.ts'
import type { Content, Home, Isolation } from './content.ts'
import type { Dedicated } from './dedicated/dedicated-databases.ts'
import { remove } from './delete-content.ts'
import type { Step } from './move/move.ts'
import { carryOn } from './move/worker.ts'
import { ready, type World } from './prepare-target.ts'
import * as sql from './sql.ts'
import { CONNECTIONS_MAX, openOwner } from './table-location.ts'

export type ContentOptions = {
  /** The shared database, with the rights of its owner. */
  url: string
  db: Db
  clock: Clock
  log: Log
  /** Where databases of their own are: the same that `db` has. */
  dedicated: Dedicated
  /** How long an answer of such a database is waited for. */
  answerMs?: number
  /** More changes than these are not followed: the copy is made anew. */
  notesMax?: number
  /** Told where a move is. What it throws ends the mover there; tests do. */
  onStep?: (step: Step) => void | Promise<void>
}

const ANSWER_MS = 60_000
const NOTES_MAX = 100_000
const LOCK_WAIT_MS = 2_000
const LOCK_QUEUE_MAX = 100
const CLOSE_MS = 5_000

export function openContent(options: ContentOptions): Content {
  const { url, db, dedicated, clock, log, onStep = () => undefined } = options
  // Who prepares needs one of the owner's besides those who move.
  const [locks, owner, copies] = [openOwner(url), openOwner(url, CONNECTIONS_MAX + 2), openOwner(url)]
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  const world: World = {
    locks: { sql: locks, slots: createSlots(CONNECTIONS_MAX, LOCK_WAIT_MS, LOCK_QUEUE_MAX) },
    owner,
    copies,
    direct: db.direct,
    dedicated,
    answerMs: options.answerMs ?? ANSWER_MS,
    notesMax: options.notesMax ?? NOTES_MAX,
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
    carryOn: (org, deadline, others) => tracked(carryOn(world, org, deadline, others)),
    homeOf,
    isolationsOf,
    unfinished: (most) => sql.unfinished(db.direct, most),
    remove: (org) => tracked(remove(world, org)),
    async close() {
      isClosed = true
      // Those who move look up every now and then; who does not is cut off.
      await Promise.race([Promise.allSettled(underWay), sleep(CLOSE_MS, undefined, { ref: false })])
      await Promise.all([locks, owner, copies].map((sql) => sql.end({ timeout: 2 })))
    },
  }
}

async function prepare(world: World, org: OrgId, to: Exclude<Isolation, 'shared'>): Promise<void> {
  try {
    await ready(world, org, to)
  } catch (error) {
    world.log.error({ orgId: org, to, err: error }, 'content.target.prepare_failed')
    throw new ApiError('isolation_unavailable')
  }
}

const STRENGTH: Record<Isolation, number> = { shared: 0, schema: 1, dedicated: 2 }

async function begin(tx: Tx, org: OrgId, to: Isolation): Promise<boolean> {
  if (to !== 'shared' && (await sql.leaveShared(tx, org, to))) return true
  const found = await sql.lockPlace(tx, org)
  const going = found?.movingTo ?? found?.place ?? 'shared'
  if (to === going) return false
  if (to === found?.place) {
    await sql.callBack(tx, org)
    return true
  }
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

async function isolationsOf(tx: Tx, orgs: readonly OrgId[]): Promise<Map<OrgId, Isolation>> {
  const found = await sql.placesOf(tx, orgs)
  return new Map(found.map(({ org, place, movingTo }) => [org, movingTo ?? place]))
}
