// Taking work: what is due, in order, and never more for one organisation than its kind allows.
import { after } from '../../kernel/clock.ts'
import type { Tx } from '../db/tx.ts'
import * as sql from './sql.ts'

export type ClaimRequest = {
  readonly names: readonly string[]
  /** How many at most. */
  readonly limit: number
  readonly worker: string
  readonly leaseSeconds: number
  readonly graceSeconds: number
  /** The limit per organisation of those kinds that have one. */
  readonly perOrg: ReadonlyMap<string, number>
}

/** `found` counts what was due, taken or not: as many as asked for means that there may be more. */
export type Claim = { readonly jobs: sql.TakenJob[]; readonly found: number; readonly leaseEndsAt: Date }

/**
 * Takes due jobs for a worker.
 *
 * All who change jobs lock rows before lanes, and lanes in the order of their names: nobody waits in a circle.
 */
export async function claim(tx: Tx, request: ClaimRequest): Promise<Claim> {
  const { names, limit, worker, leaseSeconds, graceSeconds, perOrg } = request
  const leaseEndsAt = after(tx.now, { seconds: leaseSeconds })
  const due = await sql.lockDue(tx, names, limit)
  if (due.length === 0) return { jobs: [], found: 0, leaseEndsAt }

  const parked = await chooseParked(tx, due, perOrg)
  if (parked.size > 0) await sql.parkJobs(tx, [...parked])
  const taken = due.filter(({ id }) => !parked.has(id)).map(({ id }) => id)
  const jobs =
    taken.length > 0
      ? await sql.takeJobs(tx, taken, worker, after(leaseEndsAt, { seconds: graceSeconds }))
      : []
  return { jobs, found: due.length, leaseEndsAt }
}

/** After a job of a lane has ended: as many parked ones may go as there are free places. The rows come first. */
export async function unparkNext(tx: Tx, lane: sql.OrgQueue, limit: number): Promise<void> {
  await tx.lock(lockName(lane))
  const free = limit - (await sql.countRunning(tx, lane))
  if (free <= 0) return
  const unparked = await sql.unparkOldest(tx, lane, free)
  if (unparked.length > 0) tx.notify('jobs', lane.name)
}

/**
 * The due jobs that must not run yet. They are parked, so that a long queue of one organisation is not read again and
 * again in front of everybody else's. Counting under the lane's lock makes the limit exact: who counts sees the takes
 * of all who counted before. A running job whose lease ended is counted already and may be taken over.
 */
async function chooseParked(
  tx: Tx,
  due: sql.DueJob[],
  perOrg: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const limited = due.filter(
    ({ name, org, state }) => state === 'waiting' && org !== null && perOrg.has(name),
  )
  const lanes = Map.groupBy(limited, lockName)
  const parked = new Set<string>()
  for (const [name, jobs] of [...lanes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = jobs
    if (!first) continue
    await tx.lock(name)
    const free = (perOrg.get(first.name) ?? 0) - (await sql.countRunning(tx, first))
    for (const { id } of jobs.slice(Math.max(0, free))) parked.add(id)
  }
  return parked
}

const lockName = ({ name, org }: sql.OrgQueue): string => `jobs ${name} ${org}`
