// Events that arrive twice, late or out of order, lost replies, and outages of GitHub.

import { type ReviewWorld, startReviewWorld, type Tenant } from '@cowrie/testkit/review/review-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runReview } from './run-review.ts'
import type { RunId } from './runs-sql.ts'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"

let world: ReviewWorld
let tenant: Tenant
beforeAll(async () => {
  world = await startReviewWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  Object.assign(world.github, { override: null, dropsReply: null })
  tenant = await world.tenant()
  world.github.clear()
})

const minutes = (count: number) => new Date(Date.parse('2026-11-15T12:00:00Z') + count * 60_000)
const changeSettings = (settings: object) =>
  world.server.call('PATCH', `/vcs/installations/${tenant.id}/settings`, { as: tenant.owner, body: settings })
/** Runs all due jobs, several times with a pause after each. */
async function runJobs(rounds: number, pause: { seconds: number }): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await world.server.app.jobs.drain()
    world.server.clock.advance(pause)
  }
}
const once = (expectedMethod: string, end: string) => {
  let left = 1
  return (method: string, path: string) => method === expectedMethod && path.endsWith(end) && left-- > 0
}

test('if events for two heads of the same second arrive in the wrong order, the current head is reviewed', async () => {
  const { github } = world
  const { headSha: first } = github.openPull(tenant.repo, 1, { 'a.txt': 'two\n' })
  const last = github.push(tenant.repo, 1, { 'a.txt': 'three\n' })
  await world.post(github.pullMessage('synchronize', tenant.repo, 1, { headSha: last, at: minutes(1) }))
  await world.post(github.pullMessage('opened', tenant.repo, 1, { headSha: first, at: minutes(1) }))
  await runJobs(3, { seconds: 20 })
  expect(github.checks).toMatchObject([{ head_sha: last, conclusion: 'success' }])
  const late = github.pullMessage('synchronize', tenant.repo, 1, { headSha: last, at: minutes(2) })
  expect(await world.deliver(late)).toMatchObject({ result: 'duplicate' })
  expect(github.checks).toHaveLength(1)
})

test('a review retries for hours during an outage; after it failed, a new event for the same head starts another', async () => {
  const { github, server } = world
  github.openPull(tenant.repo, 1, { 'a.txt': 'two\n' })
  github.override = () => ({ status: 503, body: {} })
  await world.post(github.pullMessage('opened', tenant.repo, 1))
  const [queued] = await tenant.runs()
  const attempt = async (turn: number) => {
    const payload = { runId: queued?.id as RunId, turn }
    const { signal } = new AbortController()
    const { orgId: org } = tenant.owner
    await runReview(server.app, { id: 'job_x', payload, attempt: 1, org, fence: 1n, signal })
  }
  for (let turn = 1; turn < 6; turn++) {
    await attempt(turn)
    expect(await tenant.runs()).toMatchObject([{ status: 'queued' }])
  }
  const jobs = await server.sql.rows<{ seconds: number }>`
    select extract(epoch from due_at - ${server.clock.now()})::int as seconds from jobs
    where name = 'review.run' and org_id = ${tenant.owner.orgId} order by due_at`
  expect(jobs.map(({ seconds }) => seconds)).toEqual([0, 60, 240, 960, 3_600, 3_600])
  await attempt(6)
  expect(await tenant.runs()).toMatchObject([{ status: 'failed', reason: 'github_unavailable' }])
  github.override = null
  const reopened = github.pullMessage('reopened', tenant.repo, 1, { at: minutes(300) })
  expect(await world.deliver(reopened)).toMatchObject({ result: 'queued' })
  expect(github.checks).toMatchObject([{ conclusion: 'success' }])
})

describe('nothing is published twice', () => {
  test('after an interrupted check: only the missing annotations are sent', async () => {
    const { github } = world
    await changeSettings({ inlineComments: false })
    const statements = Array.from({ length: 60 }, (_, index) => `  exec('ls ' + req.query.a${index})\n`)
    github.openPull(tenant.repo, 1, { 'run.js': BAD.replace(/ {2}exec.*\n/, statements.join('')) })
    const isFirst = once('PATCH', '')
    github.override = (method, path) =>
      isFirst(method, path) ? { status: 429, headers: { 'retry-after': '30' }, body: {} } : null
    await world.post(github.pullMessage('opened', tenant.repo, 1))
    await runJobs(2, { seconds: 60 })
    expect(await tenant.runs()).toMatchObject([{ status: 'completed' }])
    expect(github.checks).toMatchObject([{ output: { annotations: { length: 60 } } }])
  })

  test.for([
    ['a check', { checks: 'write' }, '/check-runs', 'checks'],
    ['a comment', { issues: 'write' }, '/comments', 'comments'],
  ] as const)('after the reply to creating %s was lost', async ([, granted, end, list]) => {
    const { github } = world
    const installation = github.installations.get(tenant.external)
    const permissions = { metadata: 'read', contents: 'read', pull_requests: 'read', ...granted }
    if (installation) installation.permissions = permissions
    await world.deliver(github.installationMessage('new_permissions_accepted', tenant.external))
    github.openPull(tenant.repo, 1, { 'run.js': BAD })
    github.dropsReply = once('POST', end)
    await world.post(github.pullMessage('opened', tenant.repo, 1))
    await runJobs(2, { seconds: 90 })
    expect(await tenant.runs()).toMatchObject([{ status: 'completed' }])
    expect(github[list]).toHaveLength(1)
  })
})

describe('a redelivered installation event', () => {
  const currentStatus = async () => {
    const { body } = await world.server.call<{ installations: { status: string }[] }>(
      'GET',
      '/vcs/installations',
      { as: tenant.owner },
    )
    return body.installations[0]?.status
  }
  const renamed = (message: ReturnType<ReviewWorld['github']['message']>, delivery: string) => ({
    ...message,
    headers: { ...message.headers, 'x-github-delivery': delivery },
  })

  test('under another delivery id has no effect once it is outdated', async () => {
    const { github } = world
    const suspend = github.installationMessage('suspend', tenant.external)
    await world.deliver(suspend)
    expect(await currentStatus()).toBe('suspended')
    await world.deliver(github.installationMessage('unsuspend', tenant.external))
    expect(await currentStatus()).toBe('active')
    await world.deliver(renamed(suspend, `again-${tenant.external}`))
    expect(await currentStatus()).toBe('active')
  })

  test('is applied if GitHub confirms it, and is not accepted while GitHub is unavailable', async () => {
    const { github } = world
    await world.deliver(github.installationMessage('suspend', tenant.external))
    await world.deliver(github.installationMessage('unsuspend', tenant.external))
    const older = renamed(github.installationMessage('deleted', tenant.external), `gone-${tenant.external}`)
    github.override = () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} })
    expect(await world.post(older)).toMatchObject({ status: 503 })
    github.override = null
    github.installations.delete(tenant.external)
    expect(await world.post(older)).toMatchObject({ body: { result: 'noted' } })
    expect(await currentStatus()).toBe('removed')
  })
})
