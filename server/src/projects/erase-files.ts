// Deletes content that no attachment uses. A job does it after the row is deleted, so a crash or a storage outage
// leaves nothing behind.
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
  /** The organisation is closing: its rows are deleted as well. */
  readonly evenIfKept?: true
}

const DELETE_CONCURRENCY = 10

/** Retries for weeks, because a storage outage can be long. After that the failed job stays for inspection. */
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

/** Deletes the content under this key, unless an attachment uses it when the job runs. */
export async function enqueueErase(
  tx: Tx,
  org: OrgId,
  storageKey: string,
  after: Duration = {},
): Promise<void> {
  const erasure: ErasePayload = { storageKeys: [storageKey] }
  await enqueue(tx, ERASE_JOB, erasure, { org, after })
}

// By then the uploader has attached the file or has failed.
const ORPHAN_GRACE = { days: 1 }

/**
 * Call before storing content. A job deletes content that no attachment uses a day later, so a crash leaves nothing
 * behind. An upload that may take longer than a day needs a new key.
 */
export async function scheduleOrphanCleanup(
  tx: Tx,
  org: OrgId,
  storageKeys: readonly string[],
): Promise<void> {
  for (const storageKey of storageKeys) await enqueueErase(tx, org, storageKey, ORPHAN_GRACE)
}

const KEYS_PER_JOB = 400
// Four million files. An organisation with more is not closed.
const JOBS_MAX = 10_000

/** Schedules the deletion of all content of an organisation that is closing. */
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
  throw new Error(`${org} has more files than one closing can delete`)
}
