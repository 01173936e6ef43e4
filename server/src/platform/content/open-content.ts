// Implements `Content` over PostgreSQL.
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
  /** The same dedicated databases that `db` uses. */
  dedicated: DedicatedDatabases
  /** Timeout for answers of a dedicated database. */
  answerTimeoutMs?: number
  /** With more recorded changes than this, the copy is made again. */
  changesMax?: number
  /** Called at each step of a move. If it throws, the mover ends there. Used in tests. */
  onStep?: (step: MoveStep) => void | Promise<void>
}

const ANSWER_TIMEOUT_MS = 60_000
const CHANGES_MAX = 100_000
const LOCK_WAIT_MS = 2_000
const LOCK_QUEUE_MAX = 100
const CLOSE_MS = 5_000

export function openContent(options: ContentOptions): Content {
  const { url, db, dedicated, clock, log, onStep = () => undefined } = options
  // `prepare` needs owner connections besides those of the movers.
  const [locks, owner, copies] = [
    openOwnerPool(url),
    openOwnerPool(url, CONNECTIONS_MAX + 2),
    openOwnerPool(url),
  ]
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  const context: ContentContext = {
    locks: { sql: locks, slots: createSemaphore(CONNECTIONS_MAX, LOCK_WAIT_MS, LOCK_QUEUE_MAX) },
    owner,
    copies,
    direct: db.direct,
    dedicated,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    changesMax: options.changesMax ?? CHANGES_MAX,
    clock,
    log,
    notify: (org) => db.notify('content', org),
    onStep,
    isClosed: () => isClosed,
  }
  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  return {
    prepare: (org, to) => track(prepare(context, org, to)),
    startMove,
    resumeMove: (org, deadline, others) => track(resumeMove(context, org, deadline, others)),
    placementOf,
    isolationsOf,
    unfinishedMoves: (limit) => sql.listUnfinishedMoves(db.direct, limit),
    deleteContent: (org) => track(deleteContent(context, org)),
    async close() {
      isClosed = true
      // Movers check `isClosed` between batches. After the timeout their connections are closed.
      await Promise.race([Promise.allSettled(running), sleep(CLOSE_MS, undefined, { ref: false })])
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

async function startMove(tx: Tx, org: OrgId, to: Isolation): Promise<boolean> {
  if (to !== 'shared' && (await sql.startMoveFromShared(tx, org, to))) return true
  const found = await sql.lockPlacement(tx, org)
  const current = found?.movingTo ?? found?.place ?? 'shared'
  if (to === current) return false
  if (to === found?.place) {
    await sql.cancelMove(tx, org)
    return true
  }
  if (to === 'shared' || STRENGTH[to] < STRENGTH[current]) throw new ApiError('isolation_one_way')
  // One move at a time: the current one must finish first.
  if (found?.movingTo) throw new ApiError('isolation_unavailable')
  await sql.startMoveFromSchema(tx, org, to)
  return true
}

async function placementOf(tx: Tx, org: OrgId): Promise<Placement> {
  const found = await sql.readPlacement(tx, org)
  return {
    isolation: found?.movingTo ?? found?.place ?? 'shared',
    // The move is not finished until the old copy is cleared.
    status: found?.movingTo || found?.leftIn ? 'moving' : 'settled',
  }
}

async function isolationsOf(tx: Tx, orgs: readonly OrgId[]): Promise<Map<OrgId, Isolation>> {
  const found = await sql.readPlacements(tx, orgs)
  return new Map(found.map(({ org, place, movingTo }) => [org, movingTo ?? place]))
}
