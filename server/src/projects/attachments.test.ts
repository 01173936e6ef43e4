import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { auditTrail } from '@cowrie/testkit/sign-in/team.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { contentDisposition } from './download.ts'
import { type Attachment, insertAttachments, scheduleOrphanCleanup } from './projects.ts'

type Page = { attachments: Attachment[]; nextCursor: string | null }

const TEXT = '# Cowries\n\nShells that were money: ₦.\n'

let server: TestServer
let owner: Person
let maker: Person
let viewer: Person
let colleague: Person
let project: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  server.clock.advance({ seconds: 1 })
  owner = await server.person({ type: 'team' })
  maker = await server.member(owner.orgId, 'member')
  viewer = await server.member(owner.orgId, 'member')
  colleague = await server.member(owner.orgId, 'member')
  project = await begin(maker)
  const body = { access: 'viewer' }
  await server.call('PUT', `/projects/${project}/members/${viewer.userId}`, { as: maker, body })
})
afterAll(() => server.close())

const begin = async (as: Person) =>
  (await server.call<{ id: string }>('POST', '/projects', { as, body: { name: 'Cowries' } })).body.id

const keyOf = (id: string): string => `attachments/${owner.orgId}/${id}`

/** A file as a run creates it. */
async function keep(by: Person, projectId: string | null, name = 'report.md'): Promise<Attachment> {
  const { orgId, userId: createdBy } = by
  const [id, contentType] = [newId('att'), 'text/markdown; charset=utf-8']
  const storageKey = keyOf(id)
  await server.app.db.tx(orgId, (tx) => scheduleOrphanCleanup(tx, orgId, [storageKey]))
  const stored = await server.app.storage.put(storageKey, Buffer.from(TEXT), { contentType })
  const file = { ...stored, id, orgId, projectId, origin: 'run_1', name, contentType, storageKey, createdBy }
  const [kept] = await server.app.db.tx(orgId, (tx) => insertAttachments(tx, [file]))
  if (!kept) throw new Error('nothing was kept')
  return kept
}

const get = (as: { bearer: string }, { url }: Attachment) => server.call('GET', url, { as })
const remove = (as: { bearer: string }, { url }: Attachment) => server.call('DELETE', url, { as })
const list = (as: { bearer: string }, query: Record<string, string> = {}) =>
  server.call<Page>('GET', '/attachments', { as, query })
const idsIn = async (as: { bearer: string }, query = {}) =>
  (await list(as, query)).body.attachments.map(({ id }) => id)
const bytesOf = async ({ id }: Attachment) => {
  const found = await server.app.storage.get(keyOf(id))
  await found?.stream.cancel()
  return found?.bytes
}

describe('a download', () => {
  test('sends the content with headers that keep browsers from rendering or caching it', async () => {
    const file = await keep(maker, project, 'Was it "money"? ₦.md')
    const { status, text, headers } = await get(viewer, file)
    expect([status, text]).toEqual([200, TEXT])
    expect(headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-length': String(Buffer.byteLength(TEXT)),
      'content-disposition': `attachment; filename="Was it _money__ _.md"; filename*=UTF-8''Was%20it%20%22money%22%3F%20%E2%82%A6.md`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      etag: `"${file.sha256}"`,
    })
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'; style-src/)
  })

  test('of a file without a project is allowed for the whole organisation only', async () => {
    const file = await keep(maker, null)
    for (const as of [owner, maker, viewer, colleague]) expect((await get(as, file)).status).toBe(200)
    for (const as of [await server.person(), await server.person({ staff: 'super_admin' })])
      expect(await get(as, file)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('of a file in a project is allowed for those who see the project', async () => {
    const file = await keep(maker, project)
    for (const as of [owner, maker, viewer]) expect((await get(as, file)).status).toBe(200)
    expect((await get(colleague, file)).status).toBe(404)
    await server.call('DELETE', `/projects/${project}/members/${maker.userId}`, { as: owner })
    expect((await get(maker, file)).status, 'who made it is not in the project any more').toBe(404)
    expect((await remove(maker, file)).status).toBe(404)
  })

  test('reports missing content and logs it', async () => {
    const file = await keep(maker, project)
    await server.app.storage.delete(keyOf(file.id))
    expect(await get(viewer, file)).toMatchObject({
      status: 404,
      body: { code: 'not_found', error: expect.stringContaining('missing') },
    })
    expect(server.logged.join('\n')).toContain('projects.attachment.content_missing')
  })

  test('has a file name that fits every header and decodes exactly', () => {
    const isReadBack = (name: string) => {
      const [, exact = ''] =
        /^attachment; filename="[\w.() -]+"; filename\*=UTF-8''([\w.~!%-]+)$/.exec(
          contentDisposition(name),
        ) ?? []
      expect(decodeURIComponent(exact)).toBe(name)
    }
    fc.assert(fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), isReadBack))
    for (const name of ['a"\r\nset-cookie: x', "it's (1)*;.md", '../..\\', '\u202efdp.exe']) isReadBack(name)
    expect(contentDisposition('\ud800')).toContain("UTF-8''%EF%BF%BD")
  })
})

describe('the list', () => {
  test('contains visible files, newest first, page by page', async () => {
    const loose = await keep(maker, null)
    server.clock.advance({ seconds: 1 })
    const [first, second] = [await keep(maker, project), await keep(maker, project)]
    const other = await keep(colleague, await begin(colleague))
    const both = [first.id, second.id].sort().reverse()
    expect(new Set(await idsIn(owner))).toEqual(new Set([loose.id, other.id, ...both]))
    expect(await idsIn(viewer)).toEqual([...both, loose.id])
    expect(new Set(await idsIn(colleague))).toEqual(new Set([loose.id, other.id]))
    expect(await idsIn(viewer, { projectId: project })).toEqual(both)
    const page = (await list(viewer, { limit: '2' })).body
    expect(page.attachments.map(({ id }) => id)).toEqual(both)
    expect(await idsIn(viewer, { cursor: page.nextCursor ?? '' })).toEqual([loose.id])
    expect(page.attachments[0]).toEqual({
      ...{ ...first, id: both[0], url: `/attachments/${both[0]}` },
      createdAt: first.createdAt.toISOString(),
    })
  })

  test('of an invisible project is not found', async () => {
    expect((await list(colleague, { projectId: project })).status).toBe(404)
    expect((await list(owner, { projectId: newId('prj') })).status).toBe(404)
    expect((await list(owner, { projectId: 'nonsense' })).status).toBe(400)
  })

  test('is part of the project, with the cursor of the next page', async () => {
    const kept = await keep(maker, project)
    await server.sql.rows`
      insert into attachments (id, org_id, kind, project_id, origin, name, content_type, bytes, sha256, storage_key, created_by, created_at)
      select ${kept.id} || n, org_id, kind, project_id, origin, name, content_type, bytes, sha256, storage_key, created_by,
             created_at + n * interval '1 second' from attachments, generate_series(1, 101) n where id = ${kept.id}`
    const { body } = await server.call<{ attachments: Attachment[]; attachmentsCursor: string }>(
      ...(['GET', `/projects/${project}`] as const),
      { as: viewer },
    )
    expect(body.attachments).toHaveLength(100)
    expect(await idsIn(viewer, { projectId: project, cursor: body.attachmentsCursor })).toEqual([
      `${kept.id}1`,
      kept.id,
    ])
  })
})

describe('deleting a file', () => {
  test('removes its content, for its creator, editors, owners and admins', async () => {
    const admin = await server.member(owner.orgId, 'admin')
    const editor = await server.member(owner.orgId, 'member')
    const body = { access: 'editor' }
    await server.call('PUT', `/projects/${project}/members/${editor.userId}`, { as: maker, body })
    for (const as of [maker, editor, admin, owner]) {
      const file = await keep(maker, project)
      expect(await remove(as, file)).toMatchObject({ status: 200, body: { ok: true } })
      expect((await get(owner, file)).status).toBe(404)
      expect((await remove(as, file)).status).toBe(404)
      await server.app.jobs.drain()
      expect(await bytesOf(file)).toBeUndefined()
      expect((await auditTrail(server, owner.orgId))[0]).toMatchObject({
        action: 'attachments.delete',
        target: file.id,
        actor_user_id: as.userId,
      })
    }
  })

  test('is refused to all others', async () => {
    const [shared, loose] = [await keep(maker, project), await keep(maker, null)]
    for (const [as, file] of [
      [viewer, shared],
      [colleague, loose],
    ] as const)
      expect(await remove(as, file)).toMatchObject({ status: 403, body: { code: 'project_editor_only' } })
    expect((await remove(colleague, shared)).status).toBe(404)
    expect((await remove(await server.person(), loose)).status).toBe(404)
    await server.app.jobs.drain()
    expect([await bytesOf(shared), await bytesOf(loose)]).toEqual([shared.bytes, loose.bytes])
  })
})

test('content without an attachment is deleted after a day, and attached content stays', async () => {
  const kept = await keep(maker, project)
  const { orgId } = owner
  const orphan = keyOf(newId('att'))
  await server.app.db.tx(orgId, (tx) => scheduleOrphanCleanup(tx, orgId, [orphan]))
  await server.app.storage.put(orphan, Buffer.from(TEXT), { contentType: 'text/plain' })
  await server.app.jobs.drain()
  const early = await server.app.storage.get(orphan)
  await early?.stream.cancel()
  expect(early?.bytes).toBe(kept.bytes)
  server.clock.advance({ hours: 25 })
  await server.app.jobs.drain()
  expect(await server.app.storage.get(orphan)).toBeNull()
  expect(await bytesOf(kept)).toBe(kept.bytes)
})

test('projects and files move with their organisation into its own schema', async () => {
  const file = await keep(maker, project)
  const operator = await server.person({ staff: 'operator' })
  const body = { dataIsolation: 'schema' }
  expect((await server.call('PUT', `/orgs/${owner.orgId}/policy`, { as: operator, body })).status).toBe(200)
  expect((await get(viewer, file)).text).toBe(TEXT)
  expect(await idsIn(viewer, { projectId: project })).toEqual([file.id])
  expect((await get(colleague, file)).status).toBe(404)
  const left = await server.sql.rows`
    select id from public.attachments where org_id = ${owner.orgId}
    union all select id from public.projects where org_id = ${owner.orgId}`
  expect(left).toEqual([])
  expect((await remove(maker, file)).status).toBe(200)
  await server.app.jobs.drain()
  expect(await bytesOf(file)).toBeUndefined()
})

test('closing an organisation deletes the content of all its files', async () => {
  const files = [await keep(maker, project), await keep(maker, null)]
  const { name } = await server.sql.one<{ name: string }>`select name from orgs where id = ${owner.orgId}`
  const body = { confirm: name }
  const closed = await server.call('DELETE', `/orgs/${owner.orgId}`, { as: owner, body })
  expect(closed.status, closed.text).toBe(200)
  await server.app.jobs.drain()
  for (const file of files) expect(await bytesOf(file)).toBeUndefined()
  expect(await server.sql.rows`select id from attachments where org_id = ${owner.orgId}`).toEqual([])
})
