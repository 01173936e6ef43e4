// Changes in comments that people can commit: only those that were applied and tested.
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { type ReviewWorld, startReviewWorld, type Tenant } from '@cowrie/testkit/review/review-world.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBalances } from '../../wallet/wallet.ts'

const CLIENT = `const https = require('https')
module.exports = new https.Agent({
  keepAlive: true,
  rejectUnauthorized: false,
})
`
const SHELL = `const { exec, execFile } = require('child_process')
module.exports = (req) => {
  exec('ls ' + req.query.dir)
}
`
const fixes = (replacement: string) =>
  JSON.stringify({ fixes: [{ id: 'f1', startLine: 3, endLine: 3, replacement }] })
const CONFIRMED = JSON.stringify({
  verdicts: [
    {
      id: 'f1',
      verdict: 'confirmed',
      evidence: ['source', 'sink'].map((role) => ({
        path: 'run.js',
        line: 3,
        quote: "exec('ls ' + req.query.dir)",
        role,
      })),
      reason: 'it is built from the request',
    },
  ],
})

let world: ReviewWorld
let upstream: FakeUpstream
let root: Person
beforeAll(async () => {
  upstream = await startFakeUpstream()
  world = await startReviewWorld({
    SERVICE_ENABLE_PR_VALIDATION: '1',
    SERVICE_SANDBOX_LOCAL: 'on',
    SERVICE_SANDBOX_DOCKER: 'off',
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
  })
  root = await world.server.person({ staff: 'super_admin' })
})
afterAll(async () => {
  await world.close()
  await upstream.close()
})

/** A pull request in a new project whose tests are `command`. */
async function review(
  command: string,
  files: Record<string, string>,
  validationEnabled = true,
  settings: object = {},
) {
  const main = {
    'app.js': 'const a = 1\n',
    '.github/cowrie.json': JSON.stringify({ validate: { command } }),
  }
  const tenant = await world.tenant(main)
  await giveCredit(world.server, tenant.owner.orgId, 100_000n)
  await world.server.call('PATCH', `/vcs/installations/${tenant.id}/settings`, {
    as: tenant.owner,
    body: { validationEnabled, ...settings },
  })
  world.github.clear()
  world.github.openPull(tenant.repo, 1, { ...main, ...files })
  await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
  return tenant
}
const comments = () => world.github.reviews.flatMap((each) => each.comments)
const heldMinor = async ({ owner }: Tenant) =>
  (await readBalances(world.server.app.db.direct, owner.orgId)).heldMinor

if (hasSandbox) describe('in a sandbox', testSuggestions)
else test('suggestions cannot be tested on this machine', () => reportNotRun('review/suggest'))

test('without the project’s tests there is no suggestion', async () => {
  await review('true', { 'client.js': CLIENT }, false)
  expect(comments()).toHaveLength(1)
  expect(comments()[0]?.body).not.toContain('suggestion')
})

function testSuggestions(): void {
  test('a fix that removes the finding and passes the tests can be committed from the comment', async () => {
    const tenant = await review('grep -q keepAlive client.js || test ! -e client.js', { 'client.js': CLIENT })
    expect(comments()).toMatchObject([
      {
        path: 'client.js',
        line: 4,
        body: expect.stringContaining('```suggestion\n  rejectUnauthorized: true,\n```'),
      },
    ])
    expect(await tenant.findings()).toMatchObject([
      { suggestion: { startLine: 4, endLine: 4, replacement: '  rejectUnauthorized: true,', by: 'rule' } },
    ])
  })

  test('a fix that breaks the tests is not published', async () => {
    const command = 'grep -q "rejectUnauthorized: false" client.js || test ! -e client.js'
    const tenant = await review(command, { 'client.js': CLIENT })
    expect(comments()).toHaveLength(1)
    expect(comments()[0]?.body).not.toContain('suggestion')
    expect(await tenant.findings()).toMatchObject([{ suggestion: null }])
  })

  test('a fix of a model is paid with its suggestion; one that leaves the finding costs nothing', async () => {
    const { status } = await world.server.call('PUT', '/admin/settings/review_llm_enabled', {
      as: root,
      body: { value: true },
    })
    expect(status).toBe(200)
    upstream.script(CONFIRMED, fixes("  execFile('ls', ['--', String(req.query.dir)])"))
    const fixed = await review('true', { 'run.js': SHELL })
    expect(comments()[0]?.body).toContain(
      "```suggestion\n  execFile('ls', ['--', String(req.query.dir)])\n```",
    )
    expect(await fixed.runs()).toMatchObject([{ turns: 2 }])
    expect(await fixed.findings()).toMatchObject([{ suggestion: { by: 'model' } }])
    expect(await heldMinor(fixed)).toBe(0n)
    upstream.reset()
    upstream.script(CONFIRMED, fixes("  exec('ls  ' + req.query.dir)"))
    const failed = await review('true', { 'run.js': SHELL })
    expect(comments()[0]?.body).not.toContain('```suggestion')
    expect(await failed.runs()).toMatchObject([{ turns: 1 }])
    expect(await heldMinor(failed)).toBe(0n)
  })

  test('a suggestion whose review ended before it was published is published later, and paid once', async () => {
    upstream.reset()
    upstream.script(CONFIRMED, fixes("  execFile('ls', ['--', String(req.query.dir)])"))
    let refused = 0
    world.github.override = (method, path) =>
      method === 'POST' && path.endsWith('/reviews') && refused++ < 4 ? { status: 502, body: {} } : null
    const tenant = await review('true', { 'run.js': SHELL })
    expect(comments()).toEqual([])
    world.github.override = null
    world.server.clock.advance({ minutes: 30 })
    await world.server.app.jobs.drain()
    expect(comments()[0]?.body).toContain('```suggestion')
    expect(await tenant.runs()).toMatchObject([{ status: 'completed', turns: 2 }])
    expect(upstream.requests.filter(({ path }) => path === '/chat/completions')).toHaveLength(2)
  })

  test('a fix of a model is not asked for where it cannot be published', async () => {
    upstream.reset()
    upstream.script(CONFIRMED, fixes("  execFile('ls', ['--', String(req.query.dir)])"))
    const tenant = await review('true', { 'run.js': SHELL }, true, { inlineComments: false })
    expect(await tenant.runs()).toMatchObject([{ turns: 1 }])
  })
}
