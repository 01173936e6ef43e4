// Claims due jobs in order, within the limit per organisation of each kind.
import { after } from '../../kernel/clock.ts'
import type { Tx } from '../db/tx.ts'
import * as sql from './sql.ts'

export type ClaimRequest = {
  readonly names: readonly string[]
  /** The maximum number of jobs to claim. */
  readonly limit: number
  readonly worker: string
  readonly leaseSeconds: number
  readonly graceSeconds: number
  /** By kind: its limit per organisation. */
  readonly perOrg: ReadonlyMap<string, number>
}

/** `found` counts all due jobs that were read, claimed or parked. When it equals the limit, there may be more. */
export type ClaimedJobs = {
  readonly jobs: sql.ClaimedJob[]
  readonly found: number
  readonly leaseEndsAt: Date
}

/**
 * Claims due jobs for a worker.
 *
 * All writers lock rows before organisation queues, and queues in the order of their names. This prevents deadlocks.
 */
export async function claim(tx: Tx, request: ClaimRequest): Promise<ClaimedJobs> {
  const { names, limit, worker, leaseSeconds, graceSeconds, perOrg } = request
  const leaseEndsAt = after(tx.now, { seconds: leaseSeconds })
  const due = await sql.lockDue(tx, names, limit)
  if (due.length === 0) return { jobs: [], found: 0, leaseEndsAt }

  const parked = await chooseParked(tx, due, perOrg)
  if (parked.size > 0) await sql.parkJobs(tx, [...parked])
  const claimed = due.filter(({ id }) => !parked.has(id)).map(({ id }) => id)
  const jobs =
    claimed.length > 0
      ? await sql.claimJobs(tx, claimed, worker, after(leaseEndsAt, { seconds: graceSeconds }))
      : []
  return { jobs, found: due.length, leaseEndsAt }
}

/** After a job has ended, unparks as many jobs of its organisation queue as may run. The caller has already locked the row. */
export async function unparkNext(tx: Tx, queue: sql.OrgQueue, limit: number): Promise<void> {
  await tx.lock(lockName(queue))
  const free = limit - (await sql.countRunning(tx, queue))
  if (free <= 0) return
  const unparked = await sql.unparkOldest(tx, queue, free)
  if (unparked.length > 0) tx.notify('jobs', queue.name)
}

/**
 * The due jobs that must not run yet. Parking them keeps a long queue of one organisation from being read again with every claim.
 * Counting under the lock of the organisation queue makes the limit exact: each count sees all earlier claims. A running job whose
 * lease ended is already counted and may be taken over.
 */
async function chooseParked(
  tx: Tx,
  due: sql.DueJob[],
  perOrg: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const limited = due.filter(
    ({ name, org, state }) => state === 'waiting' && org !== null && perOrg.has(name),
  )
  const queues = Map.groupBy(limited, lockName)
  const parked = new Set<string>()
  for (const [name, jobs] of [...queues].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = jobs
    if (!first) continue
    await tx.lock(name)
    const free = (perOrg.get(first.name) ?? 0) - (await sql.countRunning(tx, first))
    for (const { id } of jobs.slice(Math.max(0, free))) parked.add(id)
  }
  return parked
}

const lockName = ({ name, org }: sql.OrgQueue): string => `jobs ${name} ${org}`
