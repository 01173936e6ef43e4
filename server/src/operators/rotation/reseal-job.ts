// After a rotation of the service secret, all stored data that it seals is sealed again. The data itself tells what is left, so a
// pass that was interrupted continues where it was.
import type { App } from '../../platform/app.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import type { SealedData } from '../../platform/sealed-data.ts'
import * as sql from './rotation-sql.ts'

const RESEAL = 'operators.reseal'
const IDS_NAMED = 20

export const rotationJobs: readonly JobKind[] = [
  job(RESEAL, { timeoutMs: 600_000, run: (app, { signal }) => resealAll(app, signal) }),
]

export const rotationSchedules: readonly Schedule[] = [{ name: RESEAL, job: RESEAL, everySeconds: 3_600 }]

/** Another pass as soon as a worker is free. */
export const requestPass = (app: App): Promise<void> =>
  app.db.tx('platform', (tx) => enqueue(tx, RESEAL, {}, { key: 'requested' }))

/**
 * One pass over all sealed data. While there is a previous secret, every hour: replicas that still run with it may seal more.
 * Otherwise only until a pass has shown that everything opens with the current one.
 */
export async function resealAll(app: App, signal: AbortSignal): Promise<void> {
  const { keyId } = app.secrets
  const known = await sql.findRotation(app.db.direct, keyId)
  const isDone = known?.checkedAt != null && known.unreadable.length === 0
  if (app.config.previousSecret === null && isDone) return
  if (!known?.isLatest) await app.db.tx('platform', (tx) => sql.beginRotation(tx, keyId))

  let resealed = 0
  const unreadable: sql.Unreadable[] = []
  for (const data of app.sealed) {
    const found = await resealOne(app, data, signal)
    resealed += found.resealed
    if (found.ids.length > 0)
      unreadable.push({ name: data.name, count: found.ids.length, ids: found.ids.slice(0, IDS_NAMED) })
  }
  await app.db.tx('platform', (tx) => sql.endPass(tx, keyId, { resealed, unreadable }))
  if (resealed > 0) app.log.info({ resealed }, 'secrets.resealed')
  if (unreadable.length > 0) app.log.error({ unreadable }, 'secrets.unreadable')
}

async function resealOne(app: App, data: SealedData<App>, signal: AbortSignal) {
  let resealed = 0
  const ids: string[] = []
  let after: string | undefined = ''
  while (after !== undefined) {
    signal.throwIfAborted()
    const page = await data.resealPage(app, after)
    if (page.resealed > 0)
      await app.db.tx('platform', (tx) => sql.addResealed(tx, app.secrets.keyId, page.resealed))
    resealed += page.resealed
    ids.push(...page.unreadable)
    after = page.next
  }
  return { resealed, ids }
}
