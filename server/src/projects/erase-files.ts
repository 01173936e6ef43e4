// Bytes that no file has any more, or never had, are removed from the storage: after the row, and by a job, so that neither a
// crash nor a storage that is out of reach leaves them there.
import type { Duration } from '../kernel/clock.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { decodeTimeCursor, type TimeCursor } from '../platform/http/page.ts'
import { enqueue, job } from '../platform/jobs/jobs.ts'
import { isStorageKeyUsed, listStorageKeysAfter } from './attachments-sql.ts'

const ERASE_JOB = 'attachments.erase'

type ErasePayload = {
  readonly storageKeys: readonly string[]
  /** Their organisation is closed: the rows are about to go as well. */
  readonly evenIfKept?: true
}

const DELETE_CONCURRENCY = 10

/** Tried for weeks: a storage that cannot be reached today may be back by then. After that it stays for inspection. */
export const eraseFilesJob = job<ErasePayload>(ERASE_JOB, {
  attempts: 100,
  backoff: { firstMs: 5_000, maxMs: 6 * 3_600_000 },
  async run(app, { org, payload: { storageKeys, evenIfKept } }) {
    for (let from = 0; from < storageKeys.length; from += DELETE_CONCURRENCY) {
      const some = storageKeys.slice(from, from + DELETE_CONCURRENCY)
      await Promise.all(
        some.map((key) => (evenIfKept ? app.storage.delete(key) : eraseIfUnused(app, org, key))),
      )
    }
  },
})

async function eraseIfUnused(app: App, org: OrgId | null, storageKey: string): Promise<void> {
  if (org !== null && (await app.db.tx(org, (tx) => isStorageKeyUsed(tx, org, storageKey)))) return
  await app.storage.delete(storageKey)
}

/** Erases what is under a key that no file has by then. */
export async function enqueueErase(
  tx: Tx,
  org: OrgId,
  storageKey: string,
  after: Duration = {},
): Promise<void> {
  const erasure: ErasePayload = { storageKeys: [storageKey] }
  await enqueue(tx, ERASE_JOB, erasure, { org, after })
}

// By then whoever wanted to keep the bytes has done so, or has died.
const ORPHAN_GRACE = { days: 1 }

/**
 * Said before bytes are put into the storage: what is under a key that no file has a day later is erased, so that neither a
 * crash nor a change of mind leaves anything behind. Who may still put bytes there after a day takes another key.
 */
export async function scheduleOrphanCleanup(
  tx: Tx,
  org: OrgId,
  storageKeys: readonly string[],
): Promise<void> {
  for (const storageKey of storageKeys) await enqueueErase(tx, org, storageKey, ORPHAN_GRACE)
}

const KEYS_PER_JOB = 400
// Four million files: more are no organisation's, and it is not closed.
const JOBS_MAX = 10_000

/** All bytes of an organisation that is being closed. */
export async function eraseOrgFiles(tx: Tx, org: OrgId): Promise<void> {
  let after: TimeCursor = decodeTimeCursor(undefined)
  for (let round = 0; round < JOBS_MAX; round++) {
    const files = await listStorageKeysAfter(tx, org, after, KEYS_PER_JOB)
    const last = files.at(-1)
    if (!last) return
    const erasure: ErasePayload = { storageKeys: files.map(({ storageKey }) => storageKey), evenIfKept: true }
    await enqueue(tx, ERASE_JOB, erasure, { org })
    after = { at: last.createdAt, id: last.id }
  }
  throw new Error(`${org} has more files than are erased at once`)
}
