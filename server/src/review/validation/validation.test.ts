// Running the project's tests on a pull request.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { createTarball } from '@cowrie/testkit/fakes/github/api.ts'
import {
  createReviewContext,
  type ReviewWorld,
  startReviewWorld,
  type Tenant,
} from '@cowrie/testkit/review/review-world.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { json } from '../../platform/db/tx.ts'
import { createRepoPolicy } from '../pull/repo-policy.ts'
import { validateChange } from './validation.ts'

/** A project whose tests pass unless the word is `broken`. */
const PROJECT = (word: string) => ({ 'app.js': `module.exports = '${word}'\n` })
const POLICY = (command: string) => ({
  '.github/cowrie.json': JSON.stringify({ validate: { command } }),
})
const NAMED = {
  ...PROJECT('good'),
  ...POLICY(
    "! grep -q broken app.js || { printf '✖ the word is good (1ms)\\nℹ tests 1\\nℹ pass 0\\nℹ fail 1\\n'; exit 1; }",
  ),
}
/** The same test without test names in its output. */
const MAIN = { ...PROJECT('good'), ...POLICY('! grep broken app.js') }

let world: ReviewWorld
let tenant: Tenant
beforeAll(async () => {
  world = await startReviewWorld({
    SERVICE_ENABLE_PR_VALIDATION: '1',
    SERVICE_SANDBOX_LOCAL: 'on',
    SERVICE_SANDBOX_DOCKER: 'off',
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  await startProject(MAIN)
})

async function startProject(main: Record<string, string>): Promise<void> {
  tenant = await world.tenant(main)
  world.github.clear()
  world.github.override = null
  const { status } = await world.server.call('PATCH', `/vcs/installations/${tenant.id}/settings`, {
    as: tenant.owner,
    body: { validationEnabled: true },
  })
  expect(status).toBe(200)
}
const isTarball = (path: string) => path.includes('/tarball/')
type Change = Parameters<ReviewWorld['github']['pullMessage']>[3]

async function validate(head: Record<string, string>, change: Change = {}) {
  world.github.openPull(tenant.repo, 1, head)
  await world.deliver(world.github.pullMessage('opened', tenant.repo, 1, change))
  const [run] = await tenant.runs()
  return { validation: run?.validation, conclusion: run?.conclusion, notes: run?.notes }
}
const downloads = () => world.github.requests.filter((each) => each.includes('/tarball/'))

if (hasSandbox) describe('in a sandbox', testRuns)
else test('validation cannot run on this machine', () => reportNotRun('review/validation'))

test('code of forks and bots is neither fetched nor run', async () => {
  for (const change of [{ isFork: true }, { author: 'Bot' as const }]) {
    await startProject(MAIN)
    const { validation } = await validate({ ...MAIN, ...PROJECT('broken') }, change)
    expect(validation).toMatchObject({ status: 'skipped', reason: 'not_trusted' })
    expect(downloads()).toEqual([])
  }
})

test('without permission to read contents nothing runs', async () => {
  const granted = { metadata: 'read', pull_requests: 'write', checks: 'write' }
  await world.server.sql.rows`
    update vcs_installations set permissions = ${json(granted)} where id = ${tenant.id}`
  const { validation } = await validate({ ...MAIN, ...PROJECT('broken') })
  expect(validation).toMatchObject({ status: 'skipped', reason: 'permissions' })
})

test('without a sandbox nothing is fetched', async () => {
  const { app } = world.server
  const config = { ...app.config, sandbox: { local: false, docker: false } }
  const review = await createReviewContext(world, tenant, { app: { ...app, config } })
  const changeSet = {
    files: [],
    added: new Map(),
    commentable: new Map(),
    notReviewed: [],
    notes: [],
    gaps: [],
  }
  expect(await validateChange(review, { ...changeSet, policy: createRepoPolicy(null) })).toMatchObject({
    status: 'skipped',
    reason: 'sandbox_unavailable',
  })
  expect(world.github.requests).toEqual([])
})

function testRuns(): void {
  test('a change that breaks a test fails the check with its name; a passing head needs no base run', async () => {
    expect(await validate({ ...MAIN, ...PROJECT('fine'), 'package.json': '{}\n' })).toMatchObject({
      validation: { status: 'passed', details: { decisive: ['package.json'] } },
      notes: [expect.stringContaining('package.json')],
      conclusion: 'success',
    })
    expect(downloads()).toHaveLength(1)
    await startProject(NAMED)
    expect(await validate({ ...NAMED, ...PROJECT('broken') })).toMatchObject({
      validation: { status: 'failed', reason: 'newly_failing', details: { failing: ['the word is good'] } },
      conclusion: 'failure',
      notes: [expect.stringContaining('the word is good')],
    })
  })

  test('a change that makes its tests report a missing tool fails', async () => {
    expect(await validate({ ...MAIN, 'app.js': 'broken: not found\n' })).toMatchObject({
      validation: { status: 'failed' },
      conclusion: 'failure',
    })
  })

  test('tests that failed before the change do not count', async () => {
    await startProject({ ...MAIN, ...PROJECT('broken') })
    expect(await validate({ ...MAIN, ...PROJECT('broken'), 'new.js': 'const a = 1\n' })).toMatchObject({
      validation: { status: 'skipped', reason: 'failing_before' },
      conclusion: 'success',
    })
  })

  test('a missing tool skips validation; the command in the pull request itself is ignored', async () => {
    await startProject({ ...PROJECT('good'), ...POLICY('a-tool-that-does-not-exist --run') })
    const { validation, conclusion } = await validate({ ...PROJECT('fine'), ...POLICY('true') })
    expect(validation).toMatchObject({ status: 'skipped', reason: 'dependencies_unavailable' })
    expect(conclusion).toBe('success')
  })

  test('without a command, the files of the default branch decide it; without both, validation is skipped', async () => {
    await startProject({
      ...PROJECT('good'),
      'package-lock.json': '{}',
      'package.json': '{"scripts":{"test":"true"}}',
    })
    const main = { 'package-lock.json': '{}', 'package.json': '{"scripts":{"test":"true"}}' }
    expect((await validate({ ...PROJECT('fine'), ...main })).validation).toMatchObject({
      details: { command: 'npm test --silent' },
    })
    await startProject(PROJECT('good'))
    expect((await validate({ ...PROJECT('fine'), ...main })).validation).toMatchObject({
      reason: 'no_command',
    })
  })

  test('an invalid, too large or redirected archive skips validation and blocks nothing', async () => {
    const large = createTarball({ 'a.bin': randomBytes(1_200_000).toString('base64') })
    const answers = [
      [{ status: 200, body: gzipSync('x'.repeat(2_000)) }, 'archive_unreadable'],
      [{ status: 200, body: large }, 'archive_too_large'],
      [{ status: 302, body: '', headers: { location: 'https://archives.example/x' } }, 'archive_unavailable'],
      [{ status: 404, body: {} }, 'archive_unavailable'],
    ] as const
    const root = await world.server.person({ staff: 'super_admin' })
    const setting = '/admin/settings/review_validation_max_mb'
    await world.server.call('PUT', setting, { as: root, body: { value: 1 } })
    for (const [answer, reason] of answers) {
      await startProject(MAIN)
      world.github.override = (_, path) => (isTarball(path) ? answer : null)
      const { validation, conclusion } = await validate({ ...MAIN, ...PROJECT('broken') })
      expect(validation).toMatchObject({ status: 'skipped', reason })
      expect(conclusion).toBe('success')
    }
    await world.server.call('DELETE', setting, { as: root })
  })

  test('a redirect to a GitHub host is followed without our token', async () => {
    const { github } = world
    const location = `${github.variables.SERVICE_GITHUB_API_URL}/archives/1`
    const bearers: string[] = []
    github.override = (_, path, bearer) => {
      if (isTarball(path)) return { status: 302, body: '', headers: { location } }
      if (path !== '/archives/1') return null
      bearers.push(bearer)
      return { status: 200, body: createTarball({ ...MAIN, ...PROJECT('fine') }) }
    }
    expect((await validate({ ...MAIN, ...PROJECT('fine') })).validation).toMatchObject({ status: 'passed' })
    expect(bearers).toEqual([''])
  })
}
