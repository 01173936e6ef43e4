import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, startS3, text } from '@cowrie/testkit/fakes/s3.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anchorChains } from '../../audit/anchors/anchor-job.ts'
import { newId } from '../../kernel/ids.ts'
import { insertAttachments } from '../../projects/projects.ts'
import type { App } from '../app.ts'
import { openStorage } from './open-storage.ts'
import { compareObjects, type ObjectDifference } from './stored-objects.ts'

const TYPE = { contentType: 'text/plain' }

let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
let server: TestServer
let app: App
let owner: Person
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-objects-'))
  s3 = await startS3(folder)
  server = await startTestServer()
  app = { ...server.app, storage: openStorage(s3.url, folder, environment) }
  owner = await server.person({ type: 'team' })
  // Writes the first entry of the audit chain.
  await server.call('POST', '/projects', { as: owner, body: { name: 'Cowries' } })
  await anchorChains(app, AbortSignal.timeout(30_000))
})
afterAll(async () => {
  await Promise.all([server.close(), s3.close()])
  await rm(folder, { recursive: true, force: true })
})

/** Stores a file and its row. Returns its key. */
async function keep(name: string): Promise<string> {
  const { orgId, userId: createdBy } = owner
  const storageKey = `research/${orgId}/run_1/1/${name}`
  const stored = await app.storage.put(storageKey, text(name), TYPE)
  const file = { ...stored, id: newId('att'), orgId, projectId: null, origin: 'run_1', name, storageKey }
  await app.db.tx(orgId, (tx) => insertAttachments(tx, [{ ...file, ...TYPE, createdBy }]))
  return storageKey
}

async function compare() {
  const found: ObjectDifference[] = []
  const report = await compareObjects(app, app.storedObjects, (difference) => found.push(difference))
  return { ...report, found: found.map(({ kind, key }) => `${kind} ${key}`).sort(), each: found }
}

test('names each missing, changed and orphaned object with a remedy', async () => {
  const [kept, gone, edited, longer] = [
    await keep('kept'),
    await keep('gone'),
    await keep('edited'),
    await keep('longer'),
  ]
  expect(await compare()).toMatchObject({ differences: 0, found: [] })

  await app.storage.delete(gone)
  await app.storage.put(edited, text('EDITED'), TYPE)
  await app.storage.put(longer, text('longer than before'), TYPE)
  await app.storage.put(`${kept}.later`, text('no row names it'), TYPE)
  await app.storage.put('other/file', text('of another program'), TYPE)
  const { each, found, ...counts } = await compare()
  expect(found).toEqual(
    [
      `missing ${gone}`,
      `changed ${edited}`,
      `changed ${longer}`,
      `orphaned ${kept}.later`,
      'orphaned other/file',
    ].sort(),
  )
  expect(counts.differences).toBe(5)
  const remedies = new Map(each.map(({ kind, key, remedy }) => [`${kind} ${key}`, remedy]))
  expect(remedies.get(`missing ${gone}`)).toContain('Restore the last version')
  expect(remedies.get(`changed ${edited}`)).toContain('the hash of the row')
  expect(remedies.get('orphaned other/file')).toContain('who shares the bucket')
  expect(each.find(({ kind }) => kind === 'missing')?.detail).toContain(owner.orgId)
  for (const key of [gone, edited, longer, `${kept}.later`, 'other/file']) await app.storage.delete(key)
  await server.sql.rows`delete from attachments where name in ('gone', 'edited', 'longer')`
})

test('reports anchors of audit chains that are forged, missing or newer than the database', async () => {
  const key = `audit/anchors/${owner.orgId}`
  await app.storage.put(key, text('{"seal":"forged"}'), TYPE)
  await app.storage.put('audit/anchors/org_later', text('{}'), TYPE)
  expect((await compare()).found).toEqual([`changed ${key}`, 'orphaned audit/anchors/org_later'])
  await app.storage.delete(key)
  await app.storage.delete('audit/anchors/org_later')
  expect((await compare()).found).toEqual([`missing ${key}`])
})

test('fails and reports nothing when the storage does not answer', async () => {
  const url = 's3://cowrie-test?endpoint=http://127.0.0.1:1'
  const away = { ...app, storage: openStorage(url, folder, environment) }
  const found: ObjectDifference[] = []
  await expect(compareObjects(away, app.storedObjects, (one) => found.push(one))).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
  expect(found).toEqual([])
})
