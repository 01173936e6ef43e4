// A task on a repository, from its creation to a pull request that follows later turns and comments.
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { commitOf } from '@cowrie/testkit/fakes/github/contents.ts'
import { gitData, mergeByMaintainer, pushByOthers } from '@cowrie/testkit/fakes/github/git-data.ts'
import { DEFAULT_BRANCH } from '@cowrie/testkit/fakes/github/state.ts'
import { commentPayload } from '@cowrie/testkit/fakes/github/webhooks.ts'
import type { FakeReply } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  type GithubTaskWorld,
  type GithubTenant,
  startGithubTaskWorld,
  WRITE_PERMISSIONS,
} from '@cowrie/testkit/tasks/github-world.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { createTask } from '../api/create-task.ts'

const MAIN = { 'src/sum.js': 'exports.sum = (a, b) => a - b\n', 'README.md': '# Sums\n' }
const FIXED = 'exports.sum = (a, b) => a + b\n'
const FIX = ['edit', { path: 'src/sum.js', edits: [{ find: 'a - b', replace: 'a + b' }] }] as const
const LFS =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n'

let world: GithubTaskWorld
beforeAll(async () => {
  world = await startGithubTaskWorld()
})
afterAll(() => world.close())
afterEach(() => {
  world.github.override = null
  world.upstream.reset()
})

type Refusal = { code: string; permissions?: string[] }
const publish = ({ owner }: GithubTenant, task: string, body: object = {}) =>
  world.server.call<{ url: string; number: number; branch: string; isUpdate: boolean } & Refusal>(
    'POST',
    `/tasks/${task}/pull-request`,
    { as: owner, body },
  )
const patchOf = async ({ owner }: GithubTenant, task: string): Promise<string> => {
  const headers = { accept: 'text/x-diff' }
  const { status, text } = await world.server.call('GET', `/tasks/${task}/diff`, { as: owner, headers })
  expect(status).toBe(200)
  return text
}
type RepositoryView = { workspace: { commit: string; skipped: object[] }; pullRequest: object | null }
const viewOf = async ({ owner }: GithubTenant, task: string) =>
  (await world.read(owner, task)) as unknown as RepositoryView

const answers = () => world.upstream.requests.filter(({ path }) => path === '/chat/completions').length

/** A task with the fix as its first turn. */
async function fixedTask(tenant: GithubTenant, ...later: FakeReply[]): Promise<string> {
  world.upstream.fallback(byStep(calls([...FIX]), 'I corrected `sum`.', ...later))
  const task = await world.create(tenant.owner, tenant.workspace)
  const turn = await world.turn(tenant.owner, task, { prompt: 'Fix the sum' })
  expect(turn).toMatchObject({ stopReason: 'completed', summary: 'I corrected `sum`.' })
  return task
}

test('in production, a repository is opened only if a file of its owner names the organisation', async () => {
  const files: Record<string, string> = { ...MAIN }
  const { owner, workspace } = await world.tenant(files)
  const { app } = world.server
  const production = { ...app, config: { ...app.config, environment: 'production' as const } }
  const actor = { ...owner, via: 'session', role: 'owner', keyId: null } as unknown as Actor
  const once = { commit: () => 'created' } as unknown as Once
  const create = () => createTask(production, actor, { workspace }, once, AbortSignal.timeout(20_000))
  await expect(create()).rejects.toMatchObject({ code: 'installation_unproven' })
  files['.github/cowrie.json'] = JSON.stringify({ org: owner.orgId })
  expect(await create()).toBe('created')
})

test('a pull request shows no secret of prompts, titles, summaries and commands', async () => {
  const tenant = await world.tenant(MAIN)
  const key = planted('paystack-live').secret
  world.upstream.fallback(byStep(calls([...FIX]), `I used ${key}.`))
  const task = await world.create(tenant.owner, tenant.workspace, { title: `Use ${key}` })
  await world.turn(tenant.owner, task, { prompt: 'Fix it', verify: { command: `KEY=${key} true` } })
  const { body: published } = await publish(tenant, task)
  const { commits, pulls } = gitData(tenant.repo)
  const head = commits.get(commitOf(tenant.repo, published.branch) ?? '')
  expect(published.branch).toMatch(/^cowrie\/use-secret-/)
  expect(head?.message).toMatch(/^Use \[secret\]\n\nI used \[secret\]\./)
  const shown = JSON.stringify([published, head, pulls.get(1)]).replaceAll('\\\\', '')
  expect(shown).not.toContain(key.slice(8))
  expect(shown).toContain('KEY=[secret] true')
})

test('a turn becomes a draft pull request, a later turn and a comment update it', async () => {
  const tenant = await world.tenant(MAIN)
  const { owner, repo, name } = tenant
  const base = commitOf(repo, DEFAULT_BRANCH)
  const task = await fixedTask(
    tenant,
    calls(['create', { path: 'test/sum.test.js', content: 'test\n' }]),
    'I added a test.',
    calls(['edit', { path: 'README.md', edits: [{ find: '# Sums', replace: '# Good sums' }] }]),
    'I changed the title.',
  )
  expect(await viewOf(tenant, task)).toMatchObject({ workspace: { commit: base, skipped: [] } })
  const { body: published } = await publish(tenant, task)
  expect(published).toMatchObject({ number: 1, isUpdate: false, branch: expect.stringMatching(/^cowrie\//) })
  expect(repo.commits.get(published.branch)).toEqual({ ...MAIN, 'src/sum.js': FIXED })
  const first = commitOf(repo, published.branch) ?? ''
  expect(gitData(repo).commits.get(first)).toMatchObject({
    parents: [base],
    message: expect.stringContaining('Fix the sum'),
  })
  const pull = gitData(repo).pulls.get(1)
  expect(pull).toMatchObject({ draft: true, base: DEFAULT_BRANCH, title: 'Fix the sum' })
  const cost = Number((await world.read(owner, task)).spentMinor) / 100
  for (const part of ['I corrected `sum`.', '### Evidence', `${cost.toFixed(2)} so far, in 1 turn.`])
    expect(pull?.body).toContain(part)

  await world.turn(owner, task, { prompt: 'Add a test.' })
  expect(repo.commits.get(published.branch)).toEqual({
    ...MAIN,
    'src/sum.js': FIXED,
    'test/sum.test.js': 'test\n',
  })
  expect(pull?.body).toContain('in 2 turns.')
  expect(gitData(repo).commits.get(commitOf(repo, published.branch) ?? '')?.parents).toEqual([first])

  gitData(repo).access.set('ada', 'write')
  const { event, body } = commentPayload(world.github, name, 1, '@cowrie fix this title')
  const message = world.github.message(event, body)
  for (let delivery = 0; delivery < 2; delivery++) {
    const { headers, raw } = message
    expect((await world.server.call('POST', '/webhooks/github', { headers, raw })).status).toBeLessThan(300)
    await world.perform()
  }
  const { turns } = await world.read(owner, task)
  expect(turns).toHaveLength(3)
  expect(turns[2]).toMatchObject({ stopReason: 'completed', summary: 'I changed the title.' })
  expect(JSON.stringify(world.upstream.requests.at(-1)?.body.messages)).toContain('fix this title')
  expect(repo.commits.get(published.branch)?.['README.md']).toBe('# Good sums\n')
  expect(world.github.comments.map(({ body: text }) => text)).toEqual([
    expect.stringContaining('A turn of this task has started.'),
  ])
  expect(await viewOf(tenant, task)).toMatchObject({
    pullRequest: { number: 1, branch: published.branch, state: 'draft' },
  })
})

test('a task shows whether its pull request is a draft, open, merged or closed, and late events change nothing', async () => {
  const tenant = await world.tenant(MAIN)
  const task = await fixedTask(tenant)
  await publish(tenant, task, { draft: false })
  const stateOf = async () => ((await viewOf(tenant, task)).pullRequest as { state?: string } | null)?.state
  const deliver = async (action: string, minute: number, change: object = {}) => {
    const at = new Date(Date.UTC(2026, 10, 18, 12, minute))
    const { headers, raw } = world.github.pullMessage(action, tenant.name, 1, { at, ...change })
    expect((await world.server.call('POST', '/webhooks/github', { headers, raw })).status).toBeLessThan(300)
    await world.perform()
  }
  expect(await stateOf()).toBe('open')
  await deliver('converted_to_draft', 1, { draft: true })
  expect(await stateOf()).toBe('draft')
  await deliver('closed', 2)
  expect(await stateOf()).toBe('closed')
  await deliver('reopened', 3)
  mergeByMaintainer(tenant.repo, 1)
  await deliver('closed', 5, { merged: true })
  await deliver('ready_for_review', 4)
  expect(await stateOf()).toBe('merged')
  expect(tenant.repo.commits.get(DEFAULT_BRANCH)?.['src/sum.js']).toBe(FIXED)
})

test('a ref that moves later, and files that are not read', async () => {
  const files = { ...MAIN, 'vendor/lib': 'x', link: '/etc/passwd', 'film.mp4': LFS }
  const tenant = await world.tenant(files)
  tenant.repo.modes.set('vendor/lib', '160000').set('link', '120000')
  const pinned = commitOf(tenant.repo, DEFAULT_BRANCH)
  const task = await world.create(tenant.owner, { ...tenant.workspace, ref: DEFAULT_BRANCH })
  const moved = pushByOthers(tenant.repo, DEFAULT_BRANCH, { 'src/sum.js': 'changed by others\n' })
  expect(moved).not.toBe(pinned)
  world.upstream.fallback(byStep(calls([...FIX]), 'Done.'))
  expect(await world.turn(tenant.owner, task)).toMatchObject({ stopReason: 'completed' })
  expect(await patchOf(tenant, task)).toContain('-exports.sum = (a, b) => a - b')
  const { workspace } = await viewOf(tenant, task)
  expect(workspace).toMatchObject({ commit: pinned })
  expect(workspace.skipped).toEqual([
    { path: 'film.mp4', reason: 'lfs' },
    { path: 'link', reason: 'link' },
    { path: 'vendor/lib', reason: 'submodule' },
  ])
  const { body } = await publish(tenant, task)
  expect(gitData(tenant.repo).commits.get(commitOf(tenant.repo, body.branch) ?? '')?.parents).toEqual([
    pinned,
  ])
  expect(gitData(tenant.repo).pulls.get(1)?.body).toContain('Not part of the workspace')
})

describe('access that is lost', () => {
  test.for(['silently', 'with a webhook'])('before a turn (%s) ends it, and the work stays', async (how) => {
    const tenant = await world.tenant(MAIN)
    const task = await fixedTask(tenant)
    const installed = world.github.installations.get(tenant.external)
    if (installed) installed.suspended = true
    if (how === 'silently') world.server.clock.advance({ minutes: 6 })
    else {
      const { headers, raw } = world.github.installationMessage('suspend', tenant.external)
      expect((await world.server.call('POST', '/webhooks/github', { headers, raw })).status).toBe(200)
      await world.perform()
    }
    const asked = answers()
    expect(await world.turn(tenant.owner, task)).toMatchObject({
      stopReason: 'workspace_unavailable',
      errorCode: 'installation_unavailable',
      spentMinor: 0n,
    })
    expect(answers()).toBe(asked)
    expect(await patchOf(tenant, task)).toContain('+exports.sum = (a, b) => a + b')
    expect(await world.file(tenant.owner, task, 'src/sum.js')).toBe(FIXED)
    expect(await publish(tenant, task)).toMatchObject({
      status: 409,
      body: { code: 'installation_unavailable' },
    })
  })

  test('to write names what to grant, and the patch stays', async () => {
    const tenant = await world.tenant(MAIN, {
      ...WRITE_PERMISSIONS,
      contents: 'read',
      pull_requests: 'read',
    })
    const task = await fixedTask(tenant)
    expect(await publish(tenant, task)).toMatchObject({
      status: 409,
      body: { code: 'permission_missing', permissions: ['contents: write', 'pull_requests: write'] },
    })
    expect(await patchOf(tenant, task)).toContain('+exports.sum')
    expect(gitData(tenant.repo).pulls.size).toBe(0)
  })

  test('by a revoked token before publishing', async () => {
    const tenant = await world.tenant(MAIN)
    const task = await fixedTask(tenant)
    world.github.override = (method, path) =>
      method === 'POST' && path.includes('/git/')
        ? { status: 401, body: { message: 'Bad credentials' } }
        : null
    expect(await publish(tenant, task)).toMatchObject({
      status: 409,
      body: { code: 'installation_unavailable' },
    })
  })
})

test('a branch that others moved is left alone, and another one can be named', async () => {
  const tenant = await world.tenant(MAIN)
  const { owner, repo } = tenant
  const task = await fixedTask(tenant, calls(['create', { path: 'a.txt', content: 'a\n' }]), 'Added.')
  const { body } = await publish(tenant, task)
  const theirs = pushByOthers(repo, body.branch, { ...MAIN, 'b.txt': 'theirs\n' })
  expect(await world.turn(owner, task)).toMatchObject({ stopReason: 'completed' })
  expect(commitOf(repo, body.branch)).toBe(theirs)
  expect(await publish(tenant, task)).toMatchObject({ status: 409, body: { code: 'branch_moved' } })
  expect(await publish(tenant, task, { branch: 'cowrie/again' })).toMatchObject({
    status: 200,
    body: { number: 2 },
  })
  expect(repo.commits.get('cowrie/again')).toMatchObject({ 'a.txt': 'a\n', 'src/sum.js': FIXED })
})

test('creation names what is wrong with the repository', async () => {
  const { owner, workspace } = await world.tenant(MAIN)
  const create = async (change: object) => {
    const body = { workspace: { ...workspace, ...change } }
    const reply = await world.server.call<Refusal>('POST', '/tasks', { as: owner, body })
    return [reply.status, reply.body.code]
  }
  expect(await create({ ref: 'no-such-branch' })).toEqual([404, 'ref_not_found'])
  expect(await create({ repository: 'acme-1/unknown' })).toEqual([404, 'repository_not_found'])
  expect(await create({ installationId: 'ins_unknown' })).toEqual([404, 'not_found'])
  expect(await create({ ref: '../../../user' })).toEqual([404, 'ref_not_found'])
  const stranger = await world.customer()
  const reply = await world.server.call<Refusal>('POST', '/tasks', { as: stranger, body: { workspace } })
  expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
})
