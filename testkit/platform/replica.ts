// Replicas for tests: each has its own worker on a real database, and a clock that the test controls.
import type { Clock } from '@cowrie/server/src/kernel/clock.ts'
import type { App } from '@cowrie/server/src/platform/app.ts'
import type { Db } from '@cowrie/server/src/platform/db/tx.ts'
import type { JobQueue } from '@cowrie/server/src/platform/jobs/job-queue.ts'
import {
  createJobs,
  type JobKind,
  type JobsOptions,
  type Schedule,
} from '@cowrie/server/src/platform/jobs/jobs.ts'
import { createLog } from '@cowrie/server/src/platform/log/log.ts'

type World = { readonly db: Db; readonly clock: Clock }
type Options = Partial<JobsOptions> & { schedules?: readonly Schedule[]; lines?: string[] }

export function replica({ db, clock }: World, kinds: readonly JobKind[], options: Options = {}): JobQueue {
  const { schedules = [], lines, ...rest } = options
  const destination = { write: (line: string) => void lines?.push(line) }
  // The parts of App that the queue uses.
  const app = {
    db,
    clock,
    log: createLog({ level: lines ? 'info' : 'silent', destination }),
  } as unknown as App
  const settings = {
    leaseSeconds: () => 60,
    graceSeconds: () => 30,
    slowEnabled: () => true,
    random: () => 1,
    pollMs: 50,
  }
  return createJobs(() => app, kinds, schedules, { ...settings, ...rest })
}

/** A gate that jobs wait at until the test opens it. `arrived` resolves when the first job waits. */
export function gate(): { pass: () => Promise<void>; arrived: Promise<void>; open: () => void } {
  const arrival = Promise.withResolvers<void>()
  const opening = Promise.withResolvers<void>()
  const pass = () => {
    arrival.resolve()
    return opening.promise
  }
  return { pass, arrived: arrival.promise, open: () => opening.resolve() }
}

/** Waits until the replica receives notifications. */
export async function untilListening(db: Db): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unlisten = db.listen('test', () => resolve())
  const sending = setInterval(() => db.notify('test', ''), 20)
  await promise
  clearInterval(sending)
  unlisten()
}
