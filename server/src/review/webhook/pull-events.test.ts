// Pull request events: from the webhook to the published review.

import { type ReviewWorld, startReviewWorld, type Tenant } from '@cowrie/testkit/review/review-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failAbandonedRuns } from '../jobs.ts'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"
const WORSE = `${BAD}module.exports.b = (req) => {\n  exec('rm ' + req.query.file)\n}\n`

let world: ReviewWorld
let tenant: Tenant
beforeAll(async () => {
  world = await startReviewWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  tenant = await world.tenant()
  world.github.clear()
})

const minutes = (count: number) => new Date(Date.parse('2026-11-15T12:00:00Z') + count * 60_000)

test('a pull request with a fault gets one review with an inline comment, and a failing check', async () => {
  const { github } = world
  const { headSha } = github.openPull(tenant.repo, 7, { 'app.js': 'const a = 1\n', 'run.js': BAD })
  expect(await world.deliver(github.pullMessage('opened', tenant.repo, 7))).toEqual({
    ok: true,
    result: 'queued',
  })
  expect(github.reviews).toMatchObject([
    { pr: 7, commit: headSha, event: 'COMMENT', comments: [{ path: 'run.js', line: 3 }] },
  ])
  const [, token] = github.tokens.values()
  expect(token).toEqual({
    installation: tenant.external,
    repositories: [github.repos.get(tenant.repo)?.id],
    permissions: { metadata: 'read', contents: 'read', pull_requests: 'write', checks: 'write' },
  })
  expect(github.reviews[0]?.comments[0]?.body).toMatch(/<!-- cowrie:fp=[\w-]+ -->/)
  expect(github.checks).toMatchObject([
    {
      name: 'Cowrie review',
      head_sha: headSha,
      status: 'completed',
      conclusion: 'failure',
      output: { annotations: [] },
    },
  ])
  expect(await tenant.runs()).toMatchObject([
    {
      repo: tenant.repo,
      pr: 7,
      headSha,
      status: 'completed',
      conclusion: 'failure',
      publishedAs: 'inline',
      costMinor: 0n,
    },
  ])
  expect(await tenant.findings()).toMatchObject([
    { path: 'run.js', line: 3, cwe: 'CWE-78', severity: 'error', status: 'unadjudicated' },
  ])
})

test('a change without a fault gets a passing check and no comment', async () => {
  const { github } = world
  github.openPull(tenant.repo, 1, { 'app.js': 'const a = 2\n' })
  await world.deliver(github.pullMessage('opened', tenant.repo, 1))
  expect(github.checks).toMatchObject([{ conclusion: 'success', output: { title: 'Nothing found' } }])
  expect([github.reviews, github.comments]).toEqual([[], []])
})

test('faults from before the change are not reported', async () => {
  const { github } = world
  const old = await world.tenant({ 'run.js': BAD })
  github.openPull(old.repo, 1, { 'run.js': `${BAD}// a comment at the end\n` })
  await world.deliver(github.pullMessage('opened', old.repo, 1))
  expect(github.checks).toMatchObject([{ conclusion: 'success' }])
})

test('a copied or forged marker does not keep a finding from being published', async () => {
  const { github } = world
  github.openPull(tenant.repo, 12, { 'run.js': BAD })
  await world.deliver(github.pullMessage('opened', tenant.repo, 12))
  const [first] = github.reviews
  const [stored] = await tenant.findings()
  const forged = `${first?.comments[0]?.body}<!-- cowrie:fp=${stored?.fingerprint} -->`
  github.openPull(tenant.repo, 13, { 'run.js': BAD })
  const comments = [{ id: 1, path: 'run.js', line: 3, body: forged }]
  github.reviews.push({ pr: 13, commit: '', event: 'COMMENT', body: '', comments })
  await world.deliver(github.pullMessage('opened', tenant.repo, 13))
  expect(github.reviews.map(({ pr }) => pr)).toEqual([12, 13, 13])
})

test('a review whose job was lost fails after a day', async () => {
  const { github, server } = world
  github.openPull(tenant.repo, 14, { 'run.js': BAD })
  await world.post(github.pullMessage('opened', tenant.repo, 14))
  await server.sql.rows`delete from jobs where name = 'review.run'`
  const created = new Date(server.clock.now().getTime() - 25 * 3_600_000)
  await server.sql.rows`update review_runs set created_at = ${created} where org_id = ${tenant.owner.orgId}`
  await failAbandonedRuns(server.app)
  expect(await tenant.runs()).toMatchObject([{ status: 'failed', reason: 'lost' }])
})

describe('a repeated event', () => {
  test('starts nothing, under the same delivery id or another', async () => {
    const { github } = world
    github.openPull(tenant.repo, 2, { 'run.js': BAD })
    const message = github.pullMessage('opened', tenant.repo, 2, { delivery: 'first' })
    expect(await world.deliver(message)).toMatchObject({ result: 'queued' })
    expect(await world.deliver(message)).toMatchObject({ result: 'duplicate' })
    const renamed = { ...message, headers: { ...message.headers, 'x-github-delivery': 'second' } }
    expect(await world.deliver(renamed)).toMatchObject({ result: 'duplicate' })
    expect([github.reviews.length, github.checks.length, (await tenant.runs()).length]).toEqual([1, 1, 1])
  })

  test('that arrives late does not replace a newer head', async () => {
    const { github } = world
    github.openPull(tenant.repo, 3, { 'run.js': BAD })
    const first = github.pullMessage('opened', tenant.repo, 3)
    const headSha = github.push(tenant.repo, 3, { 'run.js': WORSE })
    await world.deliver(github.pullMessage('synchronize', tenant.repo, 3, { at: minutes(1) }))
    expect((await world.post(first)).body).toMatchObject({ result: 'ignored' })
    expect(await tenant.runs()).toMatchObject([{ headSha, status: 'completed' }])
  })
})

describe('a newer head', () => {
  test('supersedes the review of the older head before it publishes anything', async () => {
    const { github } = world
    const old = github.openPull(tenant.repo, 4, { 'run.js': BAD }).headSha
    await world.post(github.pullMessage('opened', tenant.repo, 4))
    const headSha = github.push(tenant.repo, 4, { 'run.js': WORSE })
    await world.deliver(github.pullMessage('synchronize', tenant.repo, 4, { at: minutes(1) }))
    expect(await tenant.runs()).toMatchObject([
      { headSha, status: 'completed' },
      { headSha: old, status: 'superseded', reason: 'newer_head' },
    ])
    expect(github.reviews).toMatchObject([{ commit: headSha }])
    expect(github.checks).toMatchObject([{ head_sha: headSha }])
  })

  test('that arrives during the review of the older head keeps it from publishing', async () => {
    const { github } = world
    const old = github.openPull(tenant.repo, 15, { 'run.js': BAD }).headSha
    const first = github.pullMessage('opened', tenant.repo, 15)
    let isFirst = true
    github.override = async (_, path) => {
      if (isFirst && path.endsWith('/contents/run.js')) {
        isFirst = false
        github.push(tenant.repo, 15, { 'run.js': WORSE })
        await world.post(github.pullMessage('synchronize', tenant.repo, 15, { at: minutes(1) }))
      }
      return null
    }
    await world.deliver(first)
    github.override = null
    expect((await tenant.runs()).map(({ status }) => status)).toEqual(['completed', 'superseded'])
    expect(github.checks.some((check) => check.head_sha === old)).toBe(false)
    expect(github.reviews).toHaveLength(1)
  })

  test('gets comments only for new findings; earlier findings keep their verdicts', async () => {
    const { github, server } = world
    github.openPull(tenant.repo, 5, { 'run.js': BAD })
    await world.deliver(github.pullMessage('opened', tenant.repo, 5))
    const [stored] = await tenant.findings()
    await server.call('POST', `/review/findings/${stored?.id}/adjudicate`, {
      as: tenant.owner,
      body: { verdict: 'refuted' },
    })
    const another = 'module.exports.b = (req) => {\n  eval(req.query.code)\n}\n'
    github.push(tenant.repo, 5, { 'run.js': `// moved down\n${BAD}${another}` })
    await world.deliver(github.pullMessage('synchronize', tenant.repo, 5, { at: minutes(1) }))
    expect(github.reviews.map(({ comments }) => comments.map(({ line }) => line))).toEqual([[3], [7]])
    const findings = await tenant.findings()
    expect(findings.map(({ status, line }) => [status, line])).toEqual([
      ['unadjudicated', 7],
      ['refuted', 4],
    ])
  })

  test('passes if its only finding was refuted', async () => {
    const { github, server } = world
    github.openPull(tenant.repo, 16, { 'run.js': BAD })
    await world.deliver(github.pullMessage('opened', tenant.repo, 16))
    const [stored] = await tenant.findings()
    const body = { verdict: 'refuted' }
    await server.call('POST', `/review/findings/${stored?.id}/adjudicate`, { as: tenant.owner, body })
    github.push(tenant.repo, 16, { 'run.js': `${BAD}// more\n` })
    await world.deliver(github.pullMessage('synchronize', tenant.repo, 16, { at: minutes(1) }))
    expect(github.checks).toMatchObject([{ conclusion: 'failure' }, { conclusion: 'success' }])
  })

  test('passes if it fixes all faults, without further comments', async () => {
    const { github } = world
    github.openPull(tenant.repo, 6, { 'run.js': BAD })
    await world.deliver(github.pullMessage('opened', tenant.repo, 6))
    github.push(tenant.repo, 6, { 'run.js': 'module.exports = () => 1\n' })
    await world.deliver(github.pullMessage('synchronize', tenant.repo, 6, { at: minutes(1) }))
    expect(github.reviews).toHaveLength(1)
    expect(github.checks).toMatchObject([{ conclusion: 'failure' }, { conclusion: 'success' }])
  })

  test('that the API shows before its webhook arrives is reviewed after a delay', async () => {
    const { github, server } = world
    github.openPull(tenant.repo, 8, { 'run.js': BAD })
    const message = github.pullMessage('opened', tenant.repo, 8)
    const headSha = github.push(tenant.repo, 8, { 'run.js': WORSE })
    await world.deliver(message)
    expect(await tenant.runs()).toMatchObject([{ status: 'queued' }])
    server.clock.advance({ seconds: 20 })
    await server.app.jobs.drain()
    expect((await tenant.runs()).map(({ status }) => status).toSorted()).toEqual(['completed', 'superseded'])
    expect(github.checks).toMatchObject([{ head_sha: headSha }])
  })
})

describe('no review starts', () => {
  test('for a draft until it is ready for review', async () => {
    const { github } = world
    github.openPull(tenant.repo, 9, { 'run.js': BAD })
    expect(await world.deliver(github.pullMessage('opened', tenant.repo, 9, { draft: true }))).toMatchObject({
      result: 'ignored',
    })
    expect(await world.deliver(github.pullMessage('ready_for_review', tenant.repo, 9))).toMatchObject({
      result: 'queued',
    })
    expect(github.reviews).toHaveLength(1)
  })

  test('for other events, such as comments and pings', async () => {
    const { github } = world
    const body = {
      action: 'created',
      installation: { id: tenant.external },
      sender: { login: 'x[bot]', type: 'Bot' },
    }
    for (const event of ['issue_comment', 'pull_request_review_comment', 'check_run', 'ping', 'push'])
      expect(await world.deliver(github.message(event, body))).toEqual({ ok: true, result: 'ignored' })
    expect(github.requests).toEqual([])
  })

  test('for an unclaimed installation', async () => {
    const { github } = world
    github.install(9_999)
    github.addRepo('stranger/code', 9_999, {})
    github.openPull('stranger/code', 1, { 'run.js': BAD })
    expect(await world.deliver(github.pullMessage('opened', 'stranger/code', 1))).toMatchObject({
      result: 'ignored',
    })
    expect(github.requests).toEqual([])
  })

  test('for a pull request that was closed in the queue, until it is reopened', async () => {
    const { github } = world
    github.openPull(tenant.repo, 10, { 'run.js': BAD })
    await world.post(github.pullMessage('opened', tenant.repo, 10))
    await world.deliver(github.pullMessage('closed', tenant.repo, 10, { at: minutes(1) }))
    expect(await tenant.runs()).toMatchObject([{ status: 'superseded', reason: 'closed' }])
    expect(github.reviews).toEqual([])
    expect(
      await world.deliver(github.pullMessage('reopened', tenant.repo, 10, { at: minutes(2) })),
    ).toMatchObject({ result: 'queued' })
    expect(github.reviews).toHaveLength(1)
  })
})

test('changes from forks and bots are reviewed', async () => {
  const { github } = world
  github.openPull(tenant.repo, 11, { 'run.js': BAD })
  await world.deliver(github.pullMessage('opened', tenant.repo, 11, { isFork: true, author: 'Bot' }))
  expect(await tenant.runs()).toMatchObject([{ isFork: true, status: 'completed', validation: null }])
  expect(github.reviews).toHaveLength(1)
})
