// The tests of a project, run on a pull request: when, on what, and what comes of it.
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

/** Passes as long as what it says is not `broken`. */
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
/** The same question without names. */
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
  await begin(MAIN)
})

async function begin(main: Record<string, string>): Promise<void> {
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

async function validated(head: Record<string, string>, change: Change = {}) {
  world.github.openPull(tenant.repo, 1, head)
  await world.deliver(world.github.pullMessage('opened', tenant.repo, 1, change))
  const [run] = await tenant.runs()
  return { validation: run?.validation, conclusion: run?.conclusion, notes: run?.notes }
}
const downloads = () => world.github.requests.filter((each) => each.includes('/tarball/'))

if (hasSandbox) describe('in a sandbox', testRuns)
else test('nothing is run on this machine', () => reportNotRun('review/validation'))

test('nothing of a fork or of a bot is fetched or run', async () => {
  for (const change of [{ isFork: true }, { author: 'Bot' as const }]) {
    await begin(MAIN)
    const { validation } = await validated({ ...MAIN, ...PROJECT('broken') }, change)
    expect(validation).toMatchObject({ status: 'skipped', reason: 'not_trusted' })
    expect(downloads()).toEqual([])
  }
})

test('without contents nothing is run', async () => {
  const granted = { metadata: 'read', pull_requests: 'write', checks: 'write' }
  await world.server.sql.rows`
    update vcs_installations set permissions = ${json(granted)} where id = ${tenant.id}`
  const { validation } = await validated({ ...MAIN, ...PROJECT('broken') })
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
  test('a change that breaks a test fails the check by name; one that does not passes on the head alone', async () => {
    expect(await validated({ ...MAIN, ...PROJECT('fine'), 'package.json': '{}\n' })).toMatchObject({
      validation: { status: 'passed', details: { decisive: ['package.json'] } },
      notes: [expect.stringContaining('package.json')],
      conclusion: 'success',
    })
    expect(downloads()).toHaveLength(1)
    await begin(NAMED)
    expect(await validated({ ...NAMED, ...PROJECT('broken') })).toMatchObject({
      validation: { status: 'failed', reason: 'newly_failing', details: { failing: ['the word is good'] } },
      conclusion: 'failure',
      notes: [expect.stringContaining('the word is good')],
    })
  })

  test('a change that makes its own tests miss something is not excused by that', async () => {
    expect(await validated({ ...MAIN, 'app.js': 'broken: not found\n' })).toMatchObject({
      validation: { status: 'failed' },
      conclusion: 'failure',
    })
  })

  test('what failed before is not held against a change', async () => {
    await begin({ ...MAIN, ...PROJECT('broken') })
    expect(await validated({ ...MAIN, ...PROJECT('broken'), 'new.js': 'const a = 1\n' })).toMatchObject({
      validation: { status: 'skipped', reason: 'failing_before' },
      conclusion: 'success',
    })
  })

  test('a tool that is not there skips it, and the command of the pull request itself is not asked', async () => {
    await begin({ ...PROJECT('good'), ...POLICY('a-tool-that-nobody-has --run') })
    const { validation, conclusion } = await validated({ ...PROJECT('fine'), ...POLICY('true') })
    expect(validation).toMatchObject({ status: 'skipped', reason: 'dependencies_unavailable' })
    expect(conclusion).toBe('success')
  })

  test('without a command the lockfile of the default branch tells it, and nothing does where there is none', async () => {
    await begin({
      ...PROJECT('good'),
      'package-lock.json': '{}',
      'package.json': '{"scripts":{"test":"true"}}',
    })
    const main = { 'package-lock.json': '{}', 'package.json': '{"scripts":{"test":"true"}}' }
    expect((await validated({ ...PROJECT('fine'), ...main })).validation).toMatchObject({
      details: { command: 'npm test --silent' },
    })
    await begin(PROJECT('good'))
    expect((await validated({ ...PROJECT('fine'), ...main })).validation).toMatchObject({
      reason: 'no_command',
    })
  })

  test('an archive that is hostile, too large or elsewhere skips it and blocks nothing', async () => {
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
      await begin(MAIN)
      world.github.override = (_, path) => (isTarball(path) ? answer : null)
      const { validation, conclusion } = await validated({ ...MAIN, ...PROJECT('broken') })
      expect(validation).toMatchObject({ status: 'skipped', reason })
      expect(conclusion).toBe('success')
    }
    await world.server.call('DELETE', setting, { as: root })
  })

  test('an archive is followed to the host of GitHub, without our token', async () => {
    const { github } = world
    const elsewhere = `${github.variables.SERVICE_GITHUB_API_URL}/archives/1`
    const seen: string[] = []
    github.override = (_, path, bearer) => {
      if (isTarball(path)) return { status: 302, body: '', headers: { location: elsewhere } }
      if (path !== '/archives/1') return null
      seen.push(bearer)
      return { status: 200, body: createTarball({ ...MAIN, ...PROJECT('fine') }) }
    }
    expect((await validated({ ...MAIN, ...PROJECT('fine') })).validation).toMatchObject({ status: 'passed' })
    expect(seen).toEqual([''])
  })
}
