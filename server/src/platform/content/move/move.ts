// Moves the content of one organisation while the organisation keeps working.
//
// From the barrier on, every transaction records the rows it changes, in the same commit. The copy may therefore take its time and
// be inaccurate: every row that it reads too early or misses is among the recorded changes. These are applied to the copy until
// few are left. Then access is locked for a moment, the rest is applied, and the placement is switched.
import { codeOf } from '../../db/errors.ts'
import { applyChanges, applyChangesIn } from './apply-changes.ts'
import { clearTables } from './clear-tables.ts'
import { copyTables } from './copy.ts'
import type { MoveJob } from './move-job.ts'
import { lockContent, runFenced, setCapturing, switchPlacement } from './move-sql.ts'
import { countRows } from './rows-sql.ts'

/** Below this number of pending changes, the final lock is taken. */
const FEW_CHANGES = 100
const CATCH_UP_ROUNDS_MAX = 10_000
const LOCK_ATTEMPTS_MAX = 100
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 800
/** Transactions that wait for the lock fail after three seconds. */
const HOLD_MS = 1_200
const STARTS_MAX = 2

/** The copy differs from its source. No transaction has read it, so it is made again. */
class Mismatch extends Error {}

export async function move(job: MoveJob): Promise<void> {
  if (!job.state.isCapturing) await startCapture(job)
  // The barrier: every transaction that began before the capture has ended.
  await withContentLock(job, {
    work: async () => undefined,
    betweenTries: () => job.pace('ready'),
  })
  await job.pace('barrier')
  await copyExactly(job)
  await withContentLock(job, {
    work: (tx) => finish(job, tx),
    betweenTries: () => catchUp(job),
  })
}

/** Deletes the rest of an earlier copy and starts to record changes. */
async function startCapture({ fence, source, target, tables, pace }: MoveJob): Promise<void> {
  await clearTables(target, fence, tables, () => pace('ready'))
  await runFenced(source, fence, (tx) => setCapturing(tx, fence.org, true))
}

async function copyExactly(job: MoveJob): Promise<void> {
  for (let start = 1; ; start++) {
    await copyTables(job)
    await job.pace('copied')
    await catchUp(job)
    await job.pace('caught up')
    try {
      return await compare(job)
    } catch (error) {
      if (!(error instanceof Mismatch) || start === STARTS_MAX) throw error
      job.warn(error.message)
      await clearTables(job.target, job.fence, job.tables, () => job.pace('copying'))
    }
  }
}

async function catchUp(job: MoveJob): Promise<void> {
  for (let round = 0; round < CATCH_UP_ROUNDS_MAX; round++) {
    if ((await applyChanges(job)) < FEW_CHANGES) return
    await job.pace('copied')
  }
  throw new Error('Content changes faster than the changes can be applied to the copy.')
}

/** Compares row counts in one snapshot, after all changes up to it are applied. Takes no lock. */
async function compare(job: MoveJob): Promise<void> {
  const { fence, source, target, tables } = job
  await runFenced(
    source,
    fence,
    async (tx) => {
      while ((await applyChangesIn(tx, job)) > 0);
      const expected = await countRows(tx, source.schema, tables, fence.org)
      const copied = await runFenced(target, fence, (copy) =>
        countRows(copy, target.schema, tables, fence.org),
      )
      if (expected.join() !== copied.join())
        throw new Mismatch(
          `The copy of ${fence.org} has ${copied.join()} rows, but its source has ${expected.join()}.`,
        )
    },
    'isolation level repeatable read',
  )
}

type Tx = Parameters<typeof lockContent>[0]

type LockedWork = { work: (tx: Tx) => Promise<void>; betweenTries: () => Promise<void> }

/** Waits briefly for the lock, lets queued transactions pass, and tries again with a longer wait. */
async function withContentLock(
  { fence, source, state }: MoveJob,
  { work, betweenTries }: LockedWork,
): Promise<void> {
  const platform = state.place === 'shared'
  for (let attempt = 0; ; attempt++) {
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS)
    try {
      return await runFenced(source, fence, async (tx) => {
        await lockContent(tx, { org: fence.org, platform, waitMs, holdMs: HOLD_MS })
        await work(tx)
      })
    } catch (error) {
      if (codeOf(error) !== '55P03' || attempt === LOCK_ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      await betweenTries()
    }
  }
}

async function finish(job: MoveJob, tx: Tx): Promise<void> {
  const until = performance.now() + HOLD_MS
  // Transactions wait for the lock, so the deadline does not stop the move here.
  await job.report('locked')
  while ((await applyChangesIn(tx, job, until)) > 0);
  await switchPlacement(tx, job.fence.org, job.to, job.roleName)
}
