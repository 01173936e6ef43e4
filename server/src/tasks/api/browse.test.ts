// The lists that a client shows before and beside a conversation: repositories, branches, folders, quotes and the list of tasks.
import {
  type GithubTaskWorld,
  type GithubTenant,
  startGithubTaskWorld,
} from '@cowrie/testkit/tasks/github-world.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../platform/http/actor.ts'
import { listOpenRepositories, listRepositoryBranches } from './list-repositories.ts'

const FILES = { 'README.md': '# Sums\n', 'src/sum.js': 'a - b\n', 'src/deep/old.js': 'x\n' }

let world: GithubTaskWorld
let tenant: GithubTenant
beforeAll(async () => {
  world = await startGithubTaskWorld()
  tenant = await world.tenant(FILES)
})
afterAll(() => world.close())
afterEach(() => world.upstream.reset())

const get = <T>(path: string, query: Record<string, string> = {}, as = tenant.owner) =>
  world.server.call<T & { code?: string }>('GET', path, { as, query })

type Entry = { name: string; kind: string; bytes: number; changed: number }
const folder = async (task: string, prefix?: string): Promise<string[]> => {
  const { status, body } = await get<{ entries: Entry[] }>(`/tasks/${task}/files`, prefix ? { prefix } : {})
  expect(status).toBe(200)
  return body.entries.map(({ name, kind, bytes, changed }) => `${kind} ${name} ${bytes} ${changed}`)
}

async function changedTask(workspace: Parameters<GithubTaskWorld['create']>[1]): Promise<string> {
  world.upstream.fallback(
    byStep(
      calls(
        ['edit', { path: 'src/sum.js', edits: [{ find: 'a - b', replace: 'a + b' }] }],
        ['create', { path: 'src/new/add.js', content: 'added\n' }],
        ['delete', { path: 'src/deep/old.js' }],
      ),
      'Three files.',
    ),
  )
  const task = await world.create(tenant.owner, workspace)
  await world.turn(tenant.owner, task, { prompt: 'Change three files' })
  return task
}

test.for(['sent files', 'a repository'])('folders of %s are listed with their changes', async (kind) => {
  const task = await changedTask(kind === 'a repository' ? tenant.workspace : FILES)
  expect(await folder(task)).toEqual(['folder src 12 2', 'file README.md 7 0'])
  expect(await folder(task, 'src/')).toEqual(['folder new 6 1', 'file sum.js 6 1'])
  expect(await folder(task, 'src/new')).toEqual(['file add.js 6 1'])
  expect(await get(`/tasks/${task}/files`, { prefix: 'missing/' })).toMatchObject({ status: 404 })
  const { turns } = await world.read(tenant.owner, task)
  expect(turns).toMatchObject([{ changedFiles: 3 }])
})

test('a client workspace has no files, and strangers see none', async () => {
  const task = await world.create(tenant.owner, { kind: 'client', name: 'my-laptop' })
  expect((await get(`/tasks/${task}/files`)).body.code).toBe('is_client_workspace')
  const stranger = await world.server.person()
  expect((await get(`/tasks/${task}/files`, {}, stranger)).status).toBe(404)
})

test('repositories and branches of an installation are listed for its organisation only', async () => {
  const { owner, repo, name, workspace } = await world.tenant(FILES)
  const path = `/vcs/installations/${workspace.installationId}`
  expect((await get(`${path}/repositories`, {}, owner)).body).toEqual({
    repositories: [{ repository: name, defaultBranch: 'trunk' }],
    isWhole: true,
  })
  repo.commits.set('feature/tax', FILES)
  expect((await get(`${path}/branches`, { repository: name }, owner)).body).toEqual({
    defaultBranch: 'trunk',
    branches: ['trunk', 'feature/tax'],
    isWhole: true,
  })
  const missing = await get(`${path}/branches`, { repository: 'acme/other' }, owner)
  expect([missing.status, missing.body.code]).toEqual([404, 'repository_not_found'])
  expect((await get(`${path}/branches`, { repository: 'x' }, owner)).status).toBe(400)
  expect((await get(`${path}/repositories`)).status).toBe(404)
  expect((await get(`${path}/branches`, { repository: name })).status).toBe(404)
})

test('in production, repositories that the organisation may not open are not named', async () => {
  const files: Record<string, string> = { ...FILES }
  const { owner, external, name, workspace } = await world.tenant(files)
  world.github.addRepo(`${name}-private`, external, FILES)
  const { app } = world.server
  const production = { ...app, config: { ...app.config, environment: 'production' as const } }
  const actor = { ...owner, via: 'session', role: 'owner', keyId: null } as unknown as Actor
  const signal = AbortSignal.timeout(20_000)
  const names = async () =>
    (await listOpenRepositories(production, actor, workspace.installationId, signal)).repositories.map(
      ({ repository }) => repository,
    )
  expect(await names()).toEqual([])
  files['.github/cowrie.json'] = JSON.stringify({ org: owner.orgId })
  expect(await names()).toEqual([name])
  const branches = (repository: string) =>
    listRepositoryBranches(production, actor, { id: workspace.installationId, repository }, signal)
  expect((await branches(name)).branches).toEqual(['trunk'])
  await expect(branches(`${name}-private`)).rejects.toMatchObject({ code: 'repository_not_found' })
})

test('a quote before the task exists equals the quote of its first turn', async () => {
  const body = { prompt: 'Fix the sum', budgetMinor: 4_000 }
  const before = await world.server.call('POST', '/tasks/quote', { as: tenant.owner, body })
  expect(before).toMatchObject({ status: 200, body: { maxMinor: 4_000n, affordable: true } })
  const created = await world.server.call<{ id: string }>('POST', '/tasks', {
    as: tenant.owner,
    body: { workspace: { kind: 'files', files: [] }, budgetMinor: 4_000 },
  })
  const first = await world.server.call('POST', `/tasks/${created.body.id}/quote`, {
    as: tenant.owner,
    body: { prompt: 'Fix the sum' },
  })
  expect(first.body).toEqual(before.body)
})

test('the list shows the last turn, and finds tasks by title and repository', async () => {
  const { owner, name, workspace } = await world.tenant(FILES)
  world.upstream.fallback(byStep('I looked at it. '.repeat(40)))
  const task = await world.create(owner, workspace)
  await world.turn(owner, task, { prompt: 'Explain 100% of the sums' })
  const other = await world.create(owner, FILES)
  type Row = { id: string; lastTurn: { summary: string | null } | null }
  const list = async (q?: string) =>
    (await get<{ tasks: Row[] }>('/tasks', q === undefined ? {} : { q }, owner)).body.tasks
  const [newest, last] = await list()
  expect(newest).toMatchObject({ id: other, lastTurn: null })
  expect(last).toMatchObject({
    id: task,
    lastTurn: { status: 'finished', stopReason: 'completed', verified: false },
  })
  expect(last?.lastTurn?.summary).toHaveLength(300)
  for (const [q, found] of [
    [name.toUpperCase(), [task]],
    ['100% of', [task]],
    ['new task', [other]],
    ['nothing', []],
  ] as const)
    expect((await list(q)).map(({ id }) => id)).toEqual(found)
})
