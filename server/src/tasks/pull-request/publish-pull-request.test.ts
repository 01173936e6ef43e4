// Publishing to the fake GitHub: branches, commits, pull requests, and every way in which it can fail.
import { commitOf } from '@cowrie/testkit/fakes/github/contents.ts'
import { gitData, pushByOthers } from '@cowrie/testkit/fakes/github/git-data.ts'
import { DEFAULT_BRANCH, type FakeRepo, requireRepo } from '@cowrie/testkit/fakes/github/state.ts'
import { type ReviewWorld, startReviewWorld } from '@cowrie/testkit/review/review-world.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { publishPullRequest } from './publish-pull-request.ts'
import type { PublishInput } from './types.ts'

const GRANTED = { metadata: 'read', contents: 'write', pull_requests: 'write', checks: 'write' }
const MAIN = { 'src/sum.js': 'exports.sum = (a, b) => a - b\n', 'run.sh': 'echo 1\n', 'old.txt': 'old\n' }
const FIXED = 'exports.sum = (a, b) => a + b\n'

let world: ReviewWorld
beforeAll(async () => {
  world = await startReviewWorld()
})
afterAll(() => world.close())
afterEach(() => {
  world.github.override = null
  world.github.dropsReply = null
})

let count = 0

/** A repository whose app may write, and the input that publishes a first change of it. */
function prepare(change: Partial<PublishInput> = {}): { repo: FakeRepo; input: PublishInput } {
  const { github } = world
  const external = 700 + ++count
  const name = `acme-${external}/shop`
  github.install(external).permissions = { ...GRANTED }
  github.addRepo(name, external, MAIN)
  const repo = requireRepo(github, name)
  repo.modes.set('run.sh', '100755')
  const input: PublishInput = {
    orgId: newId('org'),
    task: { id: newId('tsk'), title: 'Fix the sum' },
    installation: { externalId: BigInt(external), status: 'active', permissions: GRANTED },
    repository: name,
    repositoryId: repo.id,
    baseCommit: commitOf(repo, DEFAULT_BRANCH) ?? '',
    baseBranch: DEFAULT_BRANCH,
    changes: [
      { path: 'src/sum.js', content: FIXED },
      { path: 'run.sh', content: 'echo 2\n' },
      { path: 'docs/a/new.md', content: '# New\n' },
      { path: 'old.txt', content: null },
    ],
    message: 'Fix the sum',
    branch: null,
    title: 'Fix the sum',
    body: 'The sum was a difference.',
    draft: true,
    existing: null,
    signal: undefined,
    ...change,
  }
  github.clear()
  github.tokens.clear()
  return { repo, input }
}

const publish = (input: PublishInput) => publishPullRequest(world.server.app, input)
async function refusalOf(input: PublishInput): Promise<{ code: string; detail: object; message: string }> {
  try {
    await publish(input)
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, detail: error.detail, message: error.message }
    throw error
  }
  throw new Error('it was published')
}
const followUp = (input: PublishInput, { number, branch, headSha }: Awaited<ReturnType<typeof publish>>) => ({
  ...input,
  existing: { number, branch, headSha },
})
const writes = () => world.github.requests.filter((request) => !request.startsWith('GET'))

test('a task becomes a draft pull request with one commit, and a follow-up adds one to it', async () => {
  const { repo, input } = prepare()
  const first = await publish(input)
  expect(first).toEqual({
    url: `https://github.example/${input.repository}/pull/1`,
    number: 1,
    branch: `cowrie/fix-the-sum-${input.task.id.slice(-6)}`,
    headSha: commitOf(repo, first.branch),
    isDraft: true,
    isUpdate: false,
  })
  expect(repo.commits.get(first.branch)).toEqual({
    'src/sum.js': FIXED,
    'run.sh': 'echo 2\n',
    'docs/a/new.md': '# New\n',
  })
  expect(repo.modes.get('run.sh')).toBe('100755')
  expect(gitData(repo).commits.get(first.headSha)).toMatchObject({
    message: 'Fix the sum',
    parents: [input.baseCommit],
  })
  expect(gitData(repo).pulls.get(1)).toMatchObject({
    title: 'Fix the sum',
    draft: true,
    base: DEFAULT_BRANCH,
  })
  expect([...world.github.tokens.values()]).toEqual([
    {
      installation: Number(input.installation.externalId),
      repositories: [repo.id],
      permissions: { contents: 'write', pull_requests: 'write' },
    },
  ])

  const opened = gitData(repo).pulls.get(1)
  if (opened) opened.body = `A note by a person.\n\n${opened.body}\n\nAnd another.`
  const changes = [{ path: 'src/sum.js', content: `${FIXED}// checked\n` }]
  const second = await publish({
    ...followUp(input, first),
    changes,
    body: 'Checked as well.',
    message: 'Check it',
  })
  expect(second).toEqual({ ...first, headSha: commitOf(repo, first.branch), isUpdate: true })
  expect(second.headSha).not.toBe(first.headSha)
  // The net difference to the base: what the first turn changed otherwise is as it was.
  expect(repo.commits.get(first.branch)).toEqual({ ...MAIN, 'src/sum.js': `${FIXED}// checked\n` })
  expect(gitData(repo).commits.get(second.headSha)).toMatchObject({ parents: [first.headSha] })
  expect(opened?.body).toMatch(
    /^A note by a person\.\n\n<!-- .+ -->\nChecked as well\.\n<!-- .+ -->\n\nAnd another\.$/,
  )
  expect(gitData(repo).pulls.size).toBe(1)

  expect(await refusalOf({ ...followUp(input, second), changes })).toMatchObject({ code: 'no_changes' })
  const reverted = await publish({ ...followUp(input, second), changes: [] })
  expect(repo.commits.get(reverted.branch)).toEqual(MAIN)
})

test('large texts are sent as blobs, and a body that a person replaced stays', async () => {
  const large = 'x'.repeat(300_000)
  const { repo, input } = prepare({
    changes: [{ path: 'large.txt', content: large }],
    branch: 'feature/large',
  })
  const first = await publish(input)
  expect(repo.commits.get('feature/large')?.['large.txt']).toBe(large)
  expect(writes().filter((request) => request.endsWith('/git/blobs'))).toHaveLength(1)
  const opened = gitData(repo).pulls.get(1)
  if (opened) opened.body = 'Rewritten.'
  await publish({ ...followUp(input, first), changes: [{ path: 'a.txt', content: 'a\n' }] })
  expect(opened?.body).toBe('Rewritten.')
})

describe('an attempt that ended between two requests is repeated', () => {
  const steps: readonly [string, RegExp][] = [
    ['the commit', /^POST .*\/git\/commits$/],
    ['the branch', /^POST .*\/git\/refs$/],
    ['the pull request', /^POST .*\/pulls$/],
  ]
  test.for(steps)('after %s was created', async ([, step]) => {
    const { repo, input } = prepare()
    world.github.dropsReply = (method, path) => step.test(`${method} ${path}`)
    expect(await refusalOf(input)).toMatchObject({ code: 'github_unavailable' })
    world.github.dropsReply = null
    const published = await publish(input)
    expect(published).toMatchObject({ number: 1, isUpdate: false, headSha: commitOf(repo, published.branch) })
    expect(gitData(repo).pulls.size).toBe(1)
    expect(gitData(repo).commits.get(published.headSha)?.parents).toEqual([input.baseCommit])
  })

  test('after the branch of an existing pull request was moved', async () => {
    const { repo, input } = prepare()
    const next = { ...followUp(input, await publish(input)), changes: [{ path: 'a.txt', content: 'a\n' }] }
    world.github.dropsReply = (method, path) => method === 'PATCH' && path.includes('/git/refs/')
    expect(await refusalOf(next)).toMatchObject({ code: 'github_unavailable' })
    world.github.dropsReply = null
    const pushed = commitOf(repo, next.existing.branch)
    expect(await publish(next)).toMatchObject({ headSha: pushed, isUpdate: true })
    expect(commitOf(repo, next.existing.branch)).toBe(pushed)
  })
})

describe('nothing is overwritten', () => {
  test('on a branch that others made', async () => {
    const { repo, input } = prepare({ branch: 'feature' })
    const theirs = pushByOthers(repo, 'feature', { ...MAIN, 'a.txt': 'theirs\n' })
    expect(await refusalOf(input)).toMatchObject({ code: 'branch_exists' })
    expect(await refusalOf({ ...input, branch: DEFAULT_BRANCH })).toMatchObject({ code: 'branch_exists' })
    expect(commitOf(repo, 'feature')).toBe(theirs)
    expect(gitData(repo).pulls.size).toBe(0)
    expect(await refusalOf({ ...input, branch: 'feature/x' })).toMatchObject({
      code: 'push_refused',
      detail: { reason: 'Reference update failed' },
    })
  })

  test('on our branch after others pushed to it, not even between our requests', async () => {
    const { repo, input } = prepare()
    const first = await publish(input)
    const next = { ...followUp(input, first), changes: [{ path: 'a.txt', content: 'a\n' }] }
    let theirs = ''
    world.github.override = (method, path) => {
      if (method === 'PATCH' && path.includes('/git/refs/') && theirs === '')
        theirs = pushByOthers(repo, first.branch, { ...MAIN, 'b.txt': 'theirs\n' })
      return null
    }
    expect(await refusalOf(next)).toMatchObject({ code: 'branch_moved' })
    expect(commitOf(repo, first.branch)).toBe(theirs)
    expect(await refusalOf(next)).toMatchObject({ code: 'branch_moved' })
    expect(commitOf(repo, first.branch)).toBe(theirs)
    expect(await publish({ ...next, branch: 'cowrie/again' })).toMatchObject({ number: 2, isUpdate: false })
  })

  test('on a closed pull request', async () => {
    const { repo, input } = prepare()
    const first = await publish(input)
    const pull = repo.pulls.get(1)
    if (pull) pull.state = 'closed'
    world.github.clear()
    expect(await refusalOf({ ...followUp(input, first), changes: [] })).toMatchObject({
      code: 'pull_request_closed',
    })
    expect(writes()).toEqual([expect.stringContaining('/access_tokens')])
  })
})

describe('a missing permission is named', () => {
  test('from the current state on GitHub, before anything is written', async () => {
    const granted = { metadata: 'read', contents: 'read', pull_requests: 'read' }
    const { input } = prepare({ installation: { externalId: 0n, status: 'active', permissions: granted } })
    const stale = { ...input.installation, externalId: BigInt(700 + count) }
    // GitHub has granted them by now.
    expect(await publish({ ...input, installation: stale })).toMatchObject({ number: 1 })
    const installed = world.github.installations.get(700 + count)
    if (installed) installed.permissions = granted
    world.github.clear()
    for (const permissions of [granted, GRANTED]) {
      const refusal = await refusalOf({ ...input, branch: 'other', installation: { ...stale, permissions } })
      expect(refusal).toEqual({
        code: 'permission_missing',
        detail: { permissions: ['contents: write', 'pull_requests: write'] },
        message: expect.stringMatching(
          /lacks contents: write and pull_requests: write.*patch stays downloadable/,
        ),
      })
    }
    expect(writes().filter((request) => !request.includes('access_tokens'))).toEqual([])
  })

  test('for changed workflows', async () => {
    const { input } = prepare({ changes: [{ path: '.github/workflows/ci.yml', content: 'on: push\n' }] })
    expect(await refusalOf(input)).toMatchObject({
      code: 'permission_missing',
      detail: { permissions: ['workflows: write'] },
    })
  })
})

describe('GitHub refuses', () => {
  test.for([
    ['a revoked token', 401, 'Bad credentials', 'installation_unavailable'],
    ['a deleted repository', 404, 'Not Found', 'installation_unavailable'],
    ['an archived repository', 403, 'Repository was archived so is read-only.', 'push_refused'],
    ['a forbidden action', 403, 'Resource not accessible by integration', 'permission_missing'],
    ['a rule of the repository', 422, 'Repository rule violations found', 'push_refused'],
  ] as const)('%s', async ([, status, message, code]) => {
    const { input } = prepare()
    world.github.override = (method, path) =>
      method === 'POST' && path.includes('/git/') ? { status, body: { message } } : null
    expect(await refusalOf(input)).toMatchObject({ code })
  })

  test('a removed installation, a deselected repository, and a long pause', async () => {
    const { input } = prepare()
    const gone = { ...input.installation, externalId: 1n }
    expect(await refusalOf({ ...input, installation: gone })).toMatchObject({
      code: 'installation_unavailable',
    })
    const removed = { ...input.installation, status: 'removed' as const }
    expect(await refusalOf({ ...input, installation: removed })).toMatchObject({
      code: 'installation_unavailable',
    })
    expect(await refusalOf({ ...input, repositoryId: 1 })).toMatchObject({ code: 'installation_unavailable' })
    const headers = { 'retry-after': '120' }
    world.github.override = (_, path) => (path.includes('/git/') ? { status: 429, body: {}, headers } : null)
    expect(await refusalOf(input)).toMatchObject({ code: 'github_unavailable' })
  })

  test('drafts, so an ordinary pull request is opened', async () => {
    const { repo, input } = prepare()
    let refusals = 0
    world.github.override = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/pulls') || refusals++ > 0) return null
      return { status: 422, body: { message: 'Draft pull requests are not supported in this repository.' } }
    }
    expect(await publish(input)).toMatchObject({ number: 1 })
    expect(gitData(repo).pulls.get(1)).toMatchObject({ draft: false })
  })
})

test('changes that are already in the base are no changes', async () => {
  const changes = [
    { path: 'run.sh', content: MAIN['run.sh'] },
    { path: 'never/there.txt', content: null },
  ]
  const { repo, input } = prepare({ changes })
  expect(await refusalOf(input)).toMatchObject({ code: 'no_changes' })
  expect(await refusalOf({ ...input, changes: [] })).toMatchObject({ code: 'no_changes' })
  expect(gitData(repo).pulls.size).toBe(0)
})
