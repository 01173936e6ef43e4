// The content of attachments in object storage.
import type { App } from '../platform/app.ts'
import { filterOrgsPlacedHere } from '../platform/db/placement/each-placement.ts'
import type { TenantScope } from '../platform/db/tx.ts'
import { hasDigest, type ObjectReference, type StoredObjects } from '../platform/storage/stored-objects.ts'
import { listStoredContent } from './attachments-sql.ts'

const PAGE = 500

export const attachmentObjects: StoredObjects<App> = {
  prefixes: ['research/', 'attachments/'],
  remedies: {
    missing:
      'Restore the last version of this object from the versions of the bucket. Without one the file is lost: tell its owner, who can delete it and run the research again.',
    changed: 'Restore the version of this object that has the hash of the row.',
    unreadable:
      'Read the object with the credentials of the service. Correct its access rights, or restore an earlier version if it is damaged.',
    orphaned:
      'Stored after the restored instant, or about to be deleted by the job attachments.erase. If it is still listed after two days, delete the object.',
  },
  async *references(app) {
    // Content is not read here, so that no unavailable placement is left out.
    const scopes = await app.db.forEachPlacement(async (_, scope) => scope)
    for (const scope of scopes) yield* referencesIn(app, scope)
  },
}

async function* referencesIn(app: App, scope: TenantScope): AsyncGenerator<ObjectReference> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const begin: string = after
    const { files, placed } = await app.db.tx(scope, async (tx) => {
      const found = await listStoredContent(tx, begin, PAGE)
      return {
        files: found,
        placed: await filterOrgsPlacedHere(
          tx,
          scope,
          found.map(({ orgId }) => orgId),
        ),
      }
    })
    for (const { id, orgId, storageKey, bytes, sha256 } of files)
      if (placed.has(orgId))
        yield {
          key: storageKey,
          row: `attachment ${id} of ${orgId}`,
          matches: hasDigest({ bytes: Number(bytes), sha256 }),
        }
    after = files.length < PAGE ? undefined : files.at(-1)?.id
  }
}
