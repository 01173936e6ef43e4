// The places of content over a real PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { createSemaphore } from '../db/semaphore.ts'
import type { Db, Tx } from '../db/tx.ts'
import type { Log } from '../log/log.ts'
import type { Content, Isolation, Placement } from './content.ts'
import type { ContentContext } from './context.ts'
import type { DedicatedDatabases } from './dedicated/dedicated-databases.ts'
import { deleteContent } from './delete-content.ts'
import type { MoveStep } from './move/move-job.ts'
import { resumeMove } from './move/worker.ts'
import { prepareTarget } from './prepare-target.ts'
import * as sql from './sql.ts'
import { CONNECTIONS_MAX, openOwnerPool } from './table-location.ts'

export type ContentOptions = {
  /** The shared database, with the rights of its owner. */
  url: string
  db: Db
  clock: Clock
  log: Log
  /** Where databases of their own are: the same that `db` has. */
  dedicated: DedicatedDatabases
  /** How long an answer of such a database is waited for. */
  answerTimeoutMs?: number
  /** More changes than these are not followed: the copy is made anew. */
  changesMax?: number
  /** Told where a move is. What it throws ends the mover there; tests do. */
  onStep?: (step: MoveStep) => void | Promise<void>
}

const ANSWER_MS = 60_000
const NOTES_MAX = 100_000
const LOCK_WAIT_MS = 2_000
const LOCK_QUEUE_MAX = 100
const CLOSE_MS = 5_000

export function openContent(options: ContentOptions): Content {
  const { url, db, dedicated, clock, log, onStep = () => undefined } = options
  // Who prepares needs one of the owner's besides those who move.
  const [locks, owner, copies] = [
    openOwnerPool(url),
    openOwnerPool(url, CONNECTIONS_MAX + 2),
    openOwnerPool(url),
  ]
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  const context: ContentContext = {
    locks: { sql: locks, slots: createSemaphore(CONNECTIONS_MAX, LOCK_WAIT_MS, LOCK_QUEUE_MAX) },
    owner,
    copies,
    direct: db.direct,
    dedicated,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_MS,
    changesMax: options.changesMax ?? NOTES_MAX,
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
    prepare: (org, to) => tracked(prepare(context, org, to)),
    startMove: begin,
    resumeMove: (org, deadline, others) => tracked(resumeMove(context, org, deadline, others)),
    placementOf: homeOf,
    isolationsOf,
    unfinishedMoves: (limit) => sql.listUnfinishedMoves(db.direct, limit),
    deleteContent: (org) => tracked(deleteContent(context, org)),
    async close() {
      isClosed = true
      // Those who move look up every now and then; who does not is cut off.
      await Promise.race([Promise.allSettled(underWay), sleep(CLOSE_MS, undefined, { ref: false })])
      await Promise.all([locks, owner, copies].map((sql) => sql.end({ timeout: 2 })))
    },
  }
}

async function prepare(context: ContentContext, org: OrgId, to: Exclude<Isolation, 'shared'>): Promise<void> {
  try {
    await prepareTarget(context, org, to)
  } catch (error) {
    context.log.error({ orgId: org, to, err: error }, 'content.target.prepare_failed')
    throw new ApiError('isolation_unavailable')
  }
}

const STRENGTH: Record<Isolation, number> = { shared: 0, schema: 1, dedicated: 2 }

async function begin(tx: Tx, org: OrgId, to: Isolation): Promise<boolean> {
  if (to !== 'shared' && (await sql.startMoveFromShared(tx, org, to))) return true
  const found = await sql.lockPlacement(tx, org)
  const going = found?.movingTo ?? found?.place ?? 'shared'
  if (to === going) return false
  if (to === found?.place) {
    await sql.cancelMove(tx, org)
    return true
  }
  if (to === 'shared' || STRENGTH[to] < STRENGTH[going]) throw new ApiError('isolation_one_way')
  // One move at a time: what is on its way arrives first.
  if (found?.movingTo) throw new ApiError('isolation_unavailable')
  await sql.startMoveFromSchema(tx, org, to)
  return true
}

async function homeOf(tx: Tx, org: OrgId): Promise<Placement> {
  const found = await sql.readPlacement(tx, org)
  return {
    isolation: found?.movingTo ?? found?.place ?? 'shared',
    // It has not left as long as anything of it is where it was.
    status: found?.movingTo || found?.leftIn ? 'moving' : 'settled',
  }
}

async function isolationsOf(tx: Tx, orgs: readonly OrgId[]): Promise<Map<OrgId, Isolation>> {
  const found = await sql.readPlacements(tx, orgs)
  return new Map(found.map(({ org, place, movingTo }) => [org, movingTo ?? place]))
}
