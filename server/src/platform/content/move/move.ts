// Moves the content of one organisation while it goes on working.
//
// From the barrier on, every transaction notes which rows it changes, in the same commit. So the copy may be made at leisure
// and be wrong: a row that it took too early, or not at all, is in those notes. They are followed until few are left, then for
// a moment everybody is kept out, the rest is followed, and the organisation has arrived.
import { codeOf } from '../../db/errors.ts'
import { applyChanges, applyChangesIn } from './apply-changes.ts'
import { clearTables } from './clear-tables.ts'
import { copyTables } from './copy.ts'
import type { MoveJob } from './move-job.ts'
import { lockContent, runFenced, setCapturing, switchPlacement } from './move-sql.ts'
import { countRows } from './rows-sql.ts'

/** Fewer changes than this are followed while everybody is kept out. */
const FEW = 100
const FOLLOW_ROUNDS_MAX = 10_000
const KEEP_OUT_ATTEMPTS_MAX = 100
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 800
/** Those who are kept out give up after three seconds. */
const HOLD_MS = 1_200
const STARTS_MAX = 2

/** The copy is not what it is a copy of. Nobody has read it, so it is made anew. */
class Mismatch extends Error {}

export async function move(job: MoveJob): Promise<void> {
  if (!job.state.isCapturing) await startAnew(job)
  await keepingOut(job, {
    work: async () => undefined,
    betweenTries: () => job.pace('ready'),
  })
  await job.pace('barrier')
  await copyExactly(job)
  await keepingOut(job, {
    work: (tx) => finish(job, tx),
    betweenTries: () => follow(job),
  })
}

/** What is left of an earlier copy does not count. From the barrier on changes are noted. */
async function startAnew({ fence, source, target, tables, pace }: MoveJob): Promise<void> {
  await clearTables(target, fence, tables, () => pace('ready'))
  await runFenced(source, fence, (tx) => setCapturing(tx, fence.org, true))
}

async function copyExactly(job: MoveJob): Promise<void> {
  for (let start = 1; ; start++) {
    await copyTables(job)
    await job.pace('copied')
    await follow(job)
    await job.pace('followed')
    try {
      return await compare(job)
    } catch (error) {
      if (!(error instanceof Mismatch) || start === STARTS_MAX) throw error
      job.warn(error.message)
      await clearTables(job.target, job.fence, job.tables, () => job.pace('copying'))
    }
  }
}

async function follow(job: MoveJob): Promise<void> {
  for (let round = 0; round < FOLLOW_ROUNDS_MAX; round++) {
    if ((await applyChanges(job)) < FEW) return
    await job.pace('copied')
  }
  throw new Error('changes come faster than they can be followed')
}

/** As of one instant: once all that had changed by then is followed, both have the same rows. Nobody waits for this. */
async function compare({ fence, source, target, tables, ...job }: MoveJob): Promise<void> {
  await runFenced(
    source,
    fence,
    async (tx) => {
      while ((await applyChangesIn(tx, { fence, source, target, tables, ...job })) > 0);
      const here = await countRows(tx, source.schema, tables, fence.org)
      const there = await runFenced(target, fence, (copy) =>
        countRows(copy, target.schema, tables, fence.org),
      )
      if (here.join() !== there.join())
        throw new Mismatch(`the copy of ${fence.org} has ${there.join()} rows where there are ${here.join()}`)
    },
    'isolation level repeatable read',
  )
}

type Tx = Parameters<typeof lockContent>[0]

type Kept = { work: (tx: Tx) => Promise<void>; betweenTries: () => Promise<void> }

/** Tries for a moment, lets those pass who queue behind us, and tries for a little longer. */
async function keepingOut({ fence, source, state }: MoveJob, { work, betweenTries }: Kept): Promise<void> {
  const platform = state.place === 'shared'
  for (let attempt = 0; ; attempt++) {
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS)
    try {
      return await runFenced(source, fence, async (tx) => {
        await lockContent(tx, { org: fence.org, platform, waitMs, holdMs: HOLD_MS })
        await work(tx)
      })
    } catch (error) {
      if (codeOf(error) !== '55P03' || attempt === KEEP_OUT_ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      await betweenTries()
    }
  }
}

async function finish(job: MoveJob, tx: Tx): Promise<void> {
  const until = performance.now() + HOLD_MS
  // Others wait: what has come so far is brought to its end.
  await job.tell('kept out')
  while ((await applyChangesIn(tx, job, until)) > 0);
  await switchPlacement(tx, job.fence.org, job.to, job.roleName)
}
