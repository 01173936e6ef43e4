import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { auditTrail } from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import {
  listVisibleProjectIds,
  type ProjectCaller,
  readProjectAccess,
  requireProjectEditor,
} from './projects.ts'

type Project = { id: string; name: string; access: string; createdBy: string; createdAt: string }
type Member = { userId: string; email: string; access: string }
type Detail = Project & { members: Member[]; attachments: object[]; attachmentsCursor: string | null }
type Page = { projects: Project[]; nextCursor: string | null }

let server: TestServer
let owner: Person
let admin: Person
let maker: Person
let editor: Person
let viewer: Person
let colleague: Person
let project: Project
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person({ type: 'team' })
  const join = (role: 'admin' | 'member') => server.member(owner.orgId, role)
  admin = await join('admin')
  maker = await join('member')
  editor = await join('member')
  viewer = await join('member')
  colleague = await join('member')
})
afterAll(() => server.close())

const create = (as: { bearer: string }, name: string) =>
  server.call<Project>('POST', '/projects', { as, body: { name } })
const read = (as: { bearer: string }, { id } = project) =>
  server.call<Detail>('GET', `/projects/${id}`, { as })
const list = async (as: { bearer: string }, query: Record<string, string> = {}) =>
  (await server.call<Page>('GET', '/projects', { as, query })).body
const rename = (as: { bearer: string }, name: string) =>
  server.call<Project>('PATCH', `/projects/${project.id}`, { as, body: { name } })
const put = (as: { bearer: string }, userId: string, access: string) =>
  server.call<{ member: Member; code: string }>('PUT', `/projects/${project.id}/members/${userId}`, {
    as,
    body: { access },
  })
const remove = (as: { bearer: string }, userId: string) =>
  server.call('DELETE', `/projects/${project.id}/members/${userId}`, { as })
const idsIn = async (as: { bearer: string }) => (await list(as)).projects.map(({ id }) => id)

/** A project with an editor and a viewer besides its creator. */
const beginAnew = async () => {
  server.clock.advance({ seconds: 1 })
  project = (await create(maker, 'Cowries')).body
  await put(maker, editor.userId, 'editor')
  await put(maker, viewer.userId, 'viewer')
}

/** Leaves the organisation and rejoins a moment later. */
async function comeBack(person: Person): Promise<void> {
  const { orgId, userId } = person
  await server.sql.rows`delete from memberships where org_id = ${orgId} and user_id = ${userId}`
  server.clock.advance({ seconds: 1 })
  await server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at) values (${orgId}, ${userId}, 'member', ${server.clock.now()})`
}

describe('a project', () => {
  test('can be created by any member, who becomes its first editor', async () => {
    const { status, body } = await create(colleague, '  Shells ')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^prj_/),
      name: 'Shells',
      access: 'editor',
      createdBy: colleague.userId,
      createdAt: server.clock.now().toISOString(),
    })
    expect((await read(colleague, body)).body).toEqual({
      ...body,
      members: [
        {
          userId: colleague.userId,
          email: colleague.email,
          name: null,
          access: 'editor',
          addedAt: body.createdAt,
        },
      ],
      attachments: [],
      attachmentsCursor: null,
    })
    expect((await auditTrail(server, owner.orgId))[0]).toEqual({
      action: 'projects.create',
      target: body.id,
      metadata: {},
      actor_user_id: colleague.userId,
    })
  })

  test('requires a name of one line', async () => {
    for (const name of [undefined, ' ', 'two\nlines', 'x'.repeat(201), 7])
      expect((await server.call('POST', '/projects', { as: maker, body: { name } })).status).toBe(400)
  })

  test('is refused to an organisation with two hundred projects, and not to others', async () => {
    const [full, other] = [await server.person(), await server.person()]
    await server.sql.rows`
      insert into projects (id, org_id, name, created_by, created_at)
      select 'prj_' || ${full.orgId} || n, ${full.orgId}, 'x', 'usr_1', ${server.clock.now()} from generate_series(1, 199) n`
    const made = await Promise.all(Array.from({ length: 3 }, (_, n) => create(full, `${n}`)))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(made.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'limit_reached' })
    expect((await create(other, 'First')).status).toBe(201)
  })

  test('is listed newest first, page by page without gaps', async () => {
    const ada = await server.person()
    for (let n = 0; n < 5; n++) {
      await create(ada, `${n}`)
      // Two projects at one instant, twice, and then the newest alone.
      if (n % 2 === 1) server.clock.advance({ seconds: 1 })
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await list(ada, { limit: '2', ...(cursor !== null && { cursor }) })
      seen.push(...page.projects.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null && seen.length < 10)
    expect(seen).toEqual((await list(ada)).projects.map(({ id }) => id))
    expect(new Set(seen).size).toBe(5)
    expect((await list(ada)).projects[0]?.name).toBe('4')
  })
})

describe('access to a project', () => {
  beforeEach(beginAnew)

  const who = { owner: () => owner, admin: () => admin, maker: () => maker, editor: () => editor }
  test.for(Object.keys(who) as (keyof typeof who)[])('allows everything to an editor: %s', async (name) => {
    const as = who[name]()
    expect((await read(as)).body).toMatchObject({ access: 'editor', name: 'Cowries' })
    expect(await idsIn(as)).toContain(project.id)
    expect((await rename(as, 'Beads')).body).toEqual({ ...project, name: 'Beads', access: 'editor' })
    expect((await put(as, colleague.userId, 'viewer')).body.member).toMatchObject({ access: 'viewer' })
    expect((await read(colleague)).status).toBe(200)
    expect((await remove(as, colleague.userId)).status).toBe(200)
    expect((await read(colleague)).status).toBe(404)
  })

  test('allows only reading to a viewer', async () => {
    expect((await read(viewer)).body).toMatchObject({ access: 'viewer' })
    expect(await idsIn(viewer)).toContain(project.id)
    for (const refused of [
      await rename(viewer, 'Mine'),
      await put(viewer, viewer.userId, 'editor'),
      await put(viewer, colleague.userId, 'viewer'),
      await remove(viewer, maker.userId),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'project_editor_only' } })
    expect((await read(maker)).body).toMatchObject({ name: 'Cowries' })
    expect((await read(maker)).body.members).toHaveLength(3)
  })

  test('does not exist for other members, strangers and staff', async () => {
    const strangers = [colleague, await server.person(), await server.person({ staff: 'super_admin' })]
    for (const as of strangers) {
      expect(await idsIn(as)).not.toContain(project.id)
      const replies = [await read(as), await rename(as, 'Mine'), await put(as, as.userId, 'editor')]
      for (const reply of [...replies, await remove(as, maker.userId)])
        expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await read(maker, { ...project, id: newId('prj') })).status).toBe(404)
  })

  test('is the same with an API key, except for changes of members', async () => {
    const key = await server.key(editor, [])
    expect((await read(key)).body).toMatchObject({ access: 'editor' })
    expect((await rename(key, 'By a script')).status).toBe(200)
    expect(await put(key, colleague.userId, 'viewer')).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    })
  })

  test('is available to other modules', async () => {
    const other = (await create(colleague, 'Another')).body
    const as = (person: Person, role: ProjectCaller['role'] = 'member'): ProjectCaller => ({
      ...person,
      role,
    })
    await server.app.db.tx(owner.orgId, async (tx) => {
      const both = [project.id, other.id, newId('prj')]
      const told = async (seer: ProjectCaller) => Object.fromEntries(await readProjectAccess(tx, seer, both))
      expect(await told(as(viewer))).toEqual({ [project.id]: 'viewer' })
      expect(await told(as(colleague))).toEqual({ [other.id]: 'editor' })
      expect(await told(as(admin, 'admin'))).toEqual({ [project.id]: 'editor', [other.id]: 'editor' })
      expect(await listVisibleProjectIds(tx, as(owner, 'owner'))).toBe('all')
      expect(await listVisibleProjectIds(tx, as(viewer))).toContain(project.id)
      expect(await listVisibleProjectIds(tx, as(viewer))).not.toContain(other.id)
      await requireProjectEditor(tx, as(editor), project.id)
      await expect(requireProjectEditor(tx, as(viewer), project.id)).rejects.toMatchObject({
        code: 'project_editor_only',
      })
      await expect(requireProjectEditor(tx, as(colleague), project.id)).rejects.toMatchObject({
        code: 'not_found',
      })
    })
  })
})

describe('project members', () => {
  beforeEach(beginAnew)

  test('are changed with an audit event, and without one if nothing changes', async () => {
    await put(editor, viewer.userId, 'editor')
    const [entry] = await auditTrail(server, owner.orgId)
    expect(entry).toEqual({
      action: 'projects.members.put',
      target: project.id,
      metadata: { userId: viewer.userId, from: 'viewer', to: 'editor' },
      actor_user_id: editor.userId,
    })
    const before = await auditTrail(server, owner.orgId)
    expect((await put(editor, viewer.userId, 'editor')).status).toBe(200)
    expect(await auditTrail(server, owner.orgId)).toEqual(before)
    await remove(editor, viewer.userId)
    expect((await auditTrail(server, owner.orgId))[0]).toMatchObject({
      action: 'projects.members.remove',
      metadata: { userId: viewer.userId, access: 'editor' },
    })
    expect(await remove(editor, viewer.userId)).toMatchObject({ status: 404 })
  })

  test('must be members of the organisation', async () => {
    const outsider = await server.person()
    const refused = await put(maker, outsider.userId, 'viewer')
    expect(refused).toMatchObject({ status: 404, body: { error: expect.stringContaining('organisation') } })
    expect(await put(maker, newId('usr'), 'viewer')).toMatchObject({ status: 404 })
    expect((await put(maker, colleague.userId, 'owner')).status).toBe(400)
  })

  test('are editors while they are admins, whatever their access', async () => {
    expect((await put(maker, admin.userId, 'viewer')).body.member.access).toBe('editor')
    expect((await rename(admin, 'Beads')).status).toBe(200)
  })

  test('lose access when they leave the organisation, even if they rejoin', async () => {
    await comeBack(editor)
    expect((await read(editor)).status).toBe(404)
    expect(await idsIn(editor)).not.toContain(project.id)
    expect((await read(maker)).body.members.map(({ userId }) => userId)).toEqual([
      maker.userId,
      viewer.userId,
    ])
    expect(await remove(maker, editor.userId)).toMatchObject({ status: 404 })
    expect((await put(maker, editor.userId, 'viewer')).status).toBe(200)
    expect((await read(editor)).body).toMatchObject({ access: 'viewer' })
  })

  test('are limited to a hundred; members who left do not count', async () => {
    await server.sql.rows`
      insert into users (id, email, created_at) select 'usr_' || ${project.id} || n, ${project.id} || n || '@example.com', ${server.clock.now()}
      from generate_series(1, 97) n`
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      select ${owner.orgId}, 'usr_' || ${project.id} || n, 'member', ${server.clock.now()} from generate_series(1, 97) n`
    await server.sql.rows`
      insert into project_members (project_id, user_id, org_id, access, added_by, added_at)
      select ${project.id}, 'usr_' || ${project.id} || n, ${owner.orgId}, 'viewer', 'x', ${server.clock.now()} from generate_series(1, 97) n`
    expect(await put(maker, colleague.userId, 'viewer')).toMatchObject({
      status: 409,
      body: { code: 'limit_reached' },
    })
    expect((await put(maker, viewer.userId, 'editor')).status).toBe(200)
    await server.sql.rows`delete from memberships where user_id = ${`usr_${project.id}1`}`
    expect((await put(maker, colleague.userId, 'viewer')).status).toBe(200)
    expect((await read(maker)).body.members).toHaveLength(100)
  })
})
