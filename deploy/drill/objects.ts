// The objects of the drill: files that are stored, lost, changed and added around the instant, and the remedies of the check.
import { buffer } from 'node:stream/consumers'
import { type Id, isId, newId } from '../../server/src/kernel/ids.ts'
import type { App } from '../../server/src/platform/app.ts'
import { compareObjects, type ObjectDifference } from '../../server/src/platform/storage/stored-objects.ts'
import { insertAttachments } from '../../server/src/projects/projects.ts'
import { check } from './customers.ts'

export type Objects = {
  /** The kinds of differences that the check names after the restore. */
  readonly restored: readonly string[]
  /** The number of differences after their remedies. */
  readonly remedied: number
}

type File = { readonly id: Id<'att'>; readonly key: string; readonly content: string }
const TYPE = { contentType: 'text/markdown; charset=utf-8' }

/** Stores three files and their rows, as a research run does. */
export async function storeFiles(app: App, { orgId, userId }: Record<string, unknown>): Promise<File[]> {
  const createdBy = String(userId)
  check(typeof orgId === 'string' && isId('org', orgId), 'GET /me names no organisation')
  const files: File[] = ['deleted later', 'changed later', 'unchanged'].map((content) => {
    const id = newId('att')
    return { id, key: `research/${orgId}/${id}`, content }
  })
  for (const { id, key: storageKey, content } of files) {
    const stored = await app.storage.put(storageKey, Buffer.from(content), TYPE)
    const file = { ...stored, ...TYPE, id, orgId, projectId: null, origin: 'drill', name: 'report.md' }
    await app.db.tx(orgId, (tx) => insertAttachments(tx, [{ ...file, storageKey, createdBy }]))
  }
  return files
}

/** After the instant: one object is deleted, one is changed, and one is stored. */
export async function changeObjects(app: App, [deleted, changed]: readonly File[]): Promise<void> {
  check(deleted !== undefined && changed !== undefined, 'the drill needs two files')
  await app.storage.delete(deleted.key)
  await app.storage.put(changed.key, Buffer.from('another content'), TYPE)
  await app.storage.put(`${changed.key}.later`, Buffer.from('stored later'), TYPE)
}

/** Compares rows and objects, and applies the remedies: earlier versions are restored, and orphans are deleted. */
export async function checkObjects(app: App, versions: readonly File[]): Promise<Objects> {
  const differences = await compare(app)
  for (const { kind, key } of differences) {
    const version = versions.find((file) => file.key === key)
    if (kind === 'orphaned') await app.storage.delete(key)
    else if (version) await app.storage.put(key, Buffer.from(version.content), TYPE)
  }
  for (const { key, content } of versions) {
    const found = await app.storage.get(key)
    check(found !== null && String(await buffer(found.stream)) === content, `${key} was not restored`)
  }
  return { restored: differences.map(({ kind }) => kind).sort(), remedied: (await compare(app)).length }
}

async function compare(app: App): Promise<ObjectDifference[]> {
  const found: ObjectDifference[] = []
  await compareObjects(app, app.storedObjects, (difference) => found.push(difference))
  return found
}
