// Replicas for tests: each is a worker of its own over a real database and a clock that the test moves.
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
  // All that the queue itself reaches of the world.
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

/** A door that work waits behind until the test opens it, with a bell that rings when somebody has come. */
export function gate(): { pass: () => Promise<void>; arrived: Promise<void>; open: () => void } {
  const bell = Promise.withResolvers<void>()
  const door = Promise.withResolvers<void>()
  const pass = () => {
    bell.resolve()
    return door.promise
  }
  return { pass, arrived: bell.promise, open: () => door.resolve() }
}

/** A replica hears from the moment a first notification has come through. */
export async function untilListening(db: Db): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unlisten = db.listen('test', () => resolve())
  const knocking = setInterval(() => db.notify('test', ''), 20)
  await promise
  clearInterval(knocking)
  unlisten()
}
