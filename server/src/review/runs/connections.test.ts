// Reviews of GitLab and Bitbucket repositories: connection, webhooks, comments, checks and replies.
import { randomUUID } from 'node:crypto'
import { type FakeBitbucket, startFakeBitbucket } from '@cowrie/testkit/fakes/forges/bitbucket.ts'
import { type FakeGitlab, startFakeGitlab } from '@cowrie/testkit/fakes/forges/gitlab.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"
const GOOD = "module.exports = () => 'ok'\n"
const CLIENT =
  "const https = require('https')\nmodule.exports = new https.Agent({\n  rejectUnauthorized: false,\n})\n"
const MAIN = { 'app.js': 'const a = 1\n' }

let gitlab: FakeGitlab
let bitbucket: FakeBitbucket
let server: TestServer
let owner: Person
let webhook: { url: string; secret: string }
let installation: { id: string; forge: string; repository: string }
let number = 0

beforeAll(async () => {
  gitlab = await startFakeGitlab()
  bitbucket = await startFakeBitbucket()
  server = await startTestServer({
    schedules: ['review.', 'wallet.', 'metering.'],
    variables: {
      ...gitlab.variables,
      ...bitbucket.variables,
      SERVICE_ENABLE_PR_VALIDATION: '1',
      SERVICE_SANDBOX_LOCAL: 'on',
      SERVICE_SANDBOX_DOCKER: 'off',
    },
  })
})
afterAll(async () => {
  await server.close()
  await gitlab.close()
  await bitbucket.close()
})

async function connect(forge: 'gitlab' | 'bitbucket', token: string, as = owner) {
  const { status, body } = await server.call<Record<string, unknown>>('POST', '/vcs/connections', {
    as,
    body: { forge, repository: 'acme/pay', token },
  })
  if (status === 200)
    ({ webhook, installation } = body as unknown as {
      webhook: typeof webhook
      installation: typeof installation
    })
  return { status, body }
}
const pathOf = () => new URL(webhook.url).pathname
const settings = (body: object) =>
  server.call('PATCH', `/vcs/installations/${installation.id}/settings`, { as: owner, body })

async function deliver(raw: Buffer, headers: Record<string, string>) {
  const { status, body } = await server.call<{ result?: string; code?: string }>('POST', pathOf(), {
    raw,
    headers,
  })
  await server.app.jobs.drain()
  return { status, ...body }
}
const list = async (name: 'runs' | 'findings') =>
  (await server.call<Record<string, Record<string, unknown>[]>>('GET', `/review/${name}`, { as: owner }))
    .body[name] ?? []

describe('GitLab', () => {
  beforeEach(async () => {
    owner = await server.person({ type: 'team' })
    gitlab.setMain(MAIN)
    gitlab.override = null
    gitlab.collapsed.clear()
    for (const published of [gitlab.discussions, gitlab.notes, gitlab.statuses, gitlab.requests])
      published.length = 0
    number++
    expect(await connect('gitlab', gitlab.token)).toMatchObject({ status: 200 })
  })
  const send = (body: object, headers: Record<string, string> = {}) =>
    deliver(Buffer.from(JSON.stringify(body)), {
      'content-type': 'application/json',
      'x-gitlab-event': 'Merge Request Hook',
      'x-gitlab-token': webhook.secret,
      'idempotency-key': randomUUID(),
      ...headers,
    })
  const open = async (files: Record<string, string>) => {
    gitlab.open(number, { ...MAIN, ...files })
    return send(gitlab.mergeRequest('open', number))
  }

  test('a merge request with a fault gets a discussion at its line, a summary and a failed status', async () => {
    expect(await open({ 'run.js': BAD })).toMatchObject({ status: 202, result: 'queued' })
    expect(gitlab.discussions).toMatchObject([{ position: { new_path: 'run.js', new_line: 3 } }])
    const [finding] = await list('findings')
    expect(gitlab.discussions[0]?.notes[0]?.body).toContain(`/app/review/findings/${String(finding?.id)}`)
    expect(gitlab.notes).toHaveLength(1)
    expect(gitlab.statuses).toMatchObject([{ state: 'failed', description: '1 error' }])
    expect(await list('runs')).toMatchObject([
      { repo: 'acme/pay', status: 'completed', conclusion: 'failure', publishedAs: 'inline' },
    ])
  })

  test('a new head is reviewed once, and a repeated delivery starts nothing', async () => {
    await open({ 'run.js': BAD })
    gitlab.push(number, { ...MAIN, 'run.js': GOOD })
    const update = gitlab.mergeRequest('update', number, {
      oldrev: 'a'.repeat(40),
      updated_at: '2026-11-15 12:01:00 UTC',
    })
    const headers = { 'idempotency-key': 'the same' }
    expect(await send(update, headers)).toMatchObject({ result: 'queued' })
    expect(await send(update, headers)).toMatchObject({ status: 200, result: 'duplicate' })
    expect(await send(gitlab.mergeRequest('update', number))).toMatchObject({ result: 'ignored' })
    expect(gitlab.statuses.map(({ state }) => state)).toEqual(['failed', 'success'])
    expect(gitlab.discussions).toHaveLength(1)
  })

  test('a large file that the list of diffs leaves out is reviewed, or named as not reviewed', async () => {
    gitlab.collapsed.add('run.js')
    await open({ 'run.js': BAD })
    expect(gitlab.discussions).toMatchObject([{ position: { new_path: 'run.js', new_line: 3 } }])
    gitlab.override = (_, path) => (path.endsWith('/raw_diffs') ? { status: 404, body: {} } : null)
    number++
    await open({ 'run.js': BAD })
    expect(await list('runs')).toMatchObject([
      {
        conclusion: 'neutral',
        reason: 'not_all_reviewed',
        notReviewed: [{ path: 'run.js', reason: 'binary_or_too_large' }],
      },
      { conclusion: 'failure', notReviewed: [] },
    ])
  })

  test('an outage between two discussions delays the review and posts nothing twice', async () => {
    let posted = 0
    gitlab.override = (method, path) =>
      method === 'POST' && path.endsWith('/discussions') && ++posted === 2 ? { status: 502, body: {} } : null
    await open({ 'run.js': BAD, 'walk.js': BAD })
    expect(await list('runs')).toMatchObject([{ status: 'queued' }])
    server.clock.advance({ minutes: 6 })
    await server.app.jobs.drain()
    expect(await list('runs')).toMatchObject([{ status: 'completed', degraded: [] }])
    expect([gitlab.discussions.length, gitlab.notes.length, gitlab.statuses.length]).toEqual([2, 1, 1])
  })

  test('a review whose token was revoked fails with that reason', async () => {
    gitlab.override = () => ({ status: 401, body: { message: '401 Unauthorized' } })
    await open({ 'run.js': BAD })
    expect(await list('runs')).toMatchObject([{ status: 'failed', reason: 'token_rejected' }])
    expect(gitlab.discussions).toEqual([])
  })

  test('a merge request whose source project was deleted counts as a fork, and a closed one is not reviewed', async () => {
    gitlab.open(number, { ...MAIN, 'run.js': BAD })
    await send(gitlab.mergeRequest('open', number, { source_project_id: null }))
    const rows = await server.sql.rows<{ fork: boolean }>`
      select is_fork as fork from review_runs where org_id = ${owner.orgId}`
    expect(rows).toEqual([{ fork: true }])
    number++
    gitlab.open(number, { ...MAIN, 'run.js': BAD }).state = 'merged'
    await send(gitlab.mergeRequest('open', number))
    server.clock.advance({ minutes: 1 })
    await server.app.jobs.drain()
    expect(await list('runs')).toMatchObject([{ status: 'superseded' }, { status: 'completed' }])
  })

  test('a finding whose discussion is refused is in a comment instead', async () => {
    gitlab.override = (method, path) =>
      method === 'POST' && path.endsWith('/discussions')
        ? { status: 400, body: { message: '400 Bad request' } }
        : null
    await open({ 'run.js': BAD })
    expect(gitlab.notes).toMatchObject([{ note: { body: expect.stringContaining('`run.js:3`') } }])
    expect(await list('runs')).toMatchObject([{ degraded: ['inline_comments'] }])
    expect(await list('findings')).toMatchObject([{ path: 'run.js' }])
  })

  test('a person with access dismisses a finding in its thread; a guest gets no answer', async () => {
    await open({ 'run.js': BAD })
    const discussion = gitlab.discussions[0]?.id ?? ''
    const texts = () => gitlab.discussions[0]?.notes.slice(1).map(({ body }) => body)
    gitlab.members.set(99, 10)
    await send(gitlab.note(number, '@cowrie dismiss it is ours', { discussion, userId: 99 }))
    expect(texts()).toEqual([])
    await send(gitlab.note(number, '@cowrie explain', { discussion }))
    expect(texts()).toEqual([expect.stringContaining('**What can happen:**')])
    await send(gitlab.note(number, '@cowrie dismiss the folder is a constant', { discussion }))
    expect(texts()?.[1]).toContain('Dismissed by ada')
    expect(await list('findings')).toMatchObject([{ status: 'refuted', adjudicatedLogin: 'ada' }])
    expect(gitlab.statuses.map(({ state }) => state)).toEqual(['failed', 'success'])
  })

  test('a summary is posted on request', async () => {
    await open({ 'run.js': BAD })
    await send(gitlab.note(number, '@cowrie summary'))
    expect(gitlab.notes.at(-1)?.note.body).toContain('1 changed file')
  })

  if (!hasSandbox) reportNotRun('suggestions on GitLab')
  else
    test('a tested fix is a suggestion with its range', async () => {
      const main = { ...MAIN, '.github/cowrie.json': JSON.stringify({ validate: { command: 'true' } }) }
      gitlab.setMain(main)
      await settings({ validationEnabled: true })
      await open({ ...main, 'client.js': CLIENT })
      expect(gitlab.discussions[0]?.notes[0]?.body).toContain(
        '```suggestion:-0+0\n  rejectUnauthorized: true,\n```',
      )
    })

  test('a wrong or missing secret is rejected, also that of another connection', async () => {
    gitlab.open(number, { ...MAIN, 'run.js': BAD })
    const first = webhook
    const event = gitlab.mergeRequest('open', number)
    for (const secret of ['', 'wrong'])
      expect(await send(event, { 'x-gitlab-token': secret })).toMatchObject({
        status: 401,
        code: 'invalid_signature',
      })
    owner = await server.person({ type: 'team' })
    await connect('gitlab', gitlab.token)
    expect(await send(event, { 'x-gitlab-token': first.secret })).toMatchObject({ status: 401 })
    expect(await list('runs')).toEqual([])
  })

  test('a connection is renewed by connecting again, and ends with its removal', async () => {
    const first = webhook
    const { id } = installation
    await connect('gitlab', gitlab.token)
    expect(installation.id).toBe(id)
    expect(webhook.secret).not.toBe(first.secret)
    gitlab.open(number, { ...MAIN, 'run.js': BAD })
    const event = gitlab.mergeRequest('open', number)
    expect(await send(event, { 'x-gitlab-token': first.secret })).toMatchObject({ status: 401 })
    const stranger = await server.person({ type: 'team' })
    const remove = (as: Person) => server.call('DELETE', `/vcs/connections/${id}`, { as })
    expect(await remove(stranger)).toMatchObject({ status: 404 })
    expect(await remove(owner)).toMatchObject({ status: 200, body: { status: 'removed' } })
    expect(await send(event)).toMatchObject({ status: 401 })
    const rows = await server.sql.rows<{ token: string }>`
      select token_sealed as token from vcs_installations where id = ${id}`
    expect(rows).toEqual([{ token: '' }])
  })

  test('a token that does not open the repository is refused, and an outage is not', async () => {
    expect(await connect('gitlab', 'glpat-wrong-token')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    gitlab.override = () => ({ status: 503, body: {} })
    expect(await connect('gitlab', gitlab.token)).toMatchObject({
      status: 503,
      body: { code: 'forge_unavailable' },
    })
    expect(server.logged.join('')).not.toContain(gitlab.token)
  })
})

describe('Bitbucket', () => {
  beforeEach(async () => {
    owner = await server.person({ type: 'team' })
    bitbucket.setMain(MAIN)
    bitbucket.override = null
    for (const published of [bitbucket.comments, bitbucket.statuses, bitbucket.reports]) published.length = 0
    bitbucket.requests.length = 0
    number++
    expect(await connect('bitbucket', bitbucket.token)).toMatchObject({ status: 200 })
  })
  const send = (event: string, body: object) => {
    const { raw, headers } = bitbucket.sign(webhook.secret, event, body)
    return deliver(raw, headers)
  }
  const open = async (files: Record<string, string>) => {
    bitbucket.open(number, { ...MAIN, ...files })
    return send('pullrequest:created', bitbucket.pull(number))
  }
  const inline = () => bitbucket.comments.filter((each) => each.inline)

  test('a pull request with a fault gets a comment at its line, a failed build and a report', async () => {
    expect(await open({ 'run.js': BAD })).toMatchObject({ status: 202, result: 'queued' })
    expect(inline()).toMatchObject([{ inline: { path: 'run.js', to: 3 } }])
    expect(inline()[0]?.content.raw).toMatch(/\[\/\/\]: # \(cowrie:fp=[\w-]+\)$/)
    expect(inline()[0]?.content.raw).not.toContain('<!--')
    expect(bitbucket.statuses).toMatchObject([{ key: 'cowrie-review', state: 'FAILED' }])
    expect(bitbucket.reports).toMatchObject([{ report: { result: 'FAILED' }, annotations: [] }])
    expect(await list('runs')).toMatchObject([{ conclusion: 'failure', publishedAs: 'inline' }])
  })

  test('the files of a fork are read from the fork', async () => {
    bitbucket.open(number, { ...MAIN, 'run.js': BAD }, { isFork: true })
    await send('pullrequest:created', bitbucket.pull(number))
    expect(inline()).toMatchObject([{ inline: { path: 'run.js', to: 3 } }])
    expect(bitbucket.requests.filter((each) => each.includes('/stranger/pay/'))).toHaveLength(1)
  })

  test('the files of a diff that is too large are named as not reviewed', async () => {
    const body = `diff --git a/x b/x\n${' '.repeat(17 * 1024 * 1024)}`
    bitbucket.override = (_, path) => (path.includes('/diff/') ? { status: 200, body } : null)
    await open({ 'a.js': BAD, 'b.js': BAD, 'c.js': BAD })
    const reason = 'binary_or_too_large'
    expect(await list('runs')).toMatchObject([
      {
        reason: 'not_all_reviewed',
        notReviewed: ['a.js', 'b.js', 'c.js'].map((path) => ({ path, reason })),
      },
    ])
  })

  test('a recorded delivery has no effect under another id', async () => {
    await open({ 'run.js': BAD })
    const { raw, headers } = bitbucket.sign(
      webhook.secret,
      'pullrequest:comment_created',
      bitbucket.comment(number, '@cowrie summary'),
    )
    expect(await deliver(raw, headers)).toMatchObject({ result: 'queued' })
    const again = { ...headers, 'x-request-uuid': randomUUID() }
    expect(await deliver(raw, again)).toMatchObject({ result: 'duplicate' })
    const summaries = bitbucket.comments.filter(({ content }) => content.raw.includes('changed file'))
    expect(summaries).toHaveLength(1)
  })

  test('without comments on lines, findings are annotations of the report, once', async () => {
    await settings({ inlineComments: false })
    await open({ 'run.js': BAD })
    expect(inline()).toEqual([])
    expect(bitbucket.reports).toMatchObject([
      { annotations: [{ path: 'run.js', line: 3, severity: 'HIGH' }] },
    ])
    expect(await list('runs')).toMatchObject([{ publishedAs: 'annotations' }])
    await send('pullrequest:comment_created', bitbucket.comment(number, '@cowrie re-check'))
    expect(await list('runs')).toHaveLength(2)
    expect(bitbucket.reports).toMatchObject([{ annotations: { length: 1 } }])
  })

  test('a fixed head passes without further comments', async () => {
    await open({ 'run.js': BAD })
    const before = bitbucket.comments.length
    bitbucket.push(number, { ...MAIN, 'run.js': GOOD })
    const update = bitbucket.pull(number, { updated_on: '2026-11-15T12:01:00.000000+00:00' })
    await send('pullrequest:updated', update)
    expect(bitbucket.statuses.map(({ state }) => state)).toEqual(['FAILED', 'SUCCESSFUL'])
    expect(bitbucket.comments).toHaveLength(before)
  })

  test('a finding is explained and dismissed in its thread, also in a nested reply', async () => {
    await open({ 'run.js': BAD })
    const root = inline()[0]?.id ?? 0
    await send('pullrequest:comment_created', bitbucket.comment(number, '@cowrie explain', { parent: root }))
    const answer = bitbucket.comments.findLast(({ parent }) => parent?.id === root)
    expect(answer?.content.raw).toContain('**What can happen:**')
    const nested = { parent: answer?.id ?? 0 }
    const dismissal = '@cowrie dismiss the folder is a constant'
    await send(
      'pullrequest:comment_created',
      bitbucket.comment(number, dismissal, { ...nested, user: '{x}' }),
    )
    expect(await list('findings')).toMatchObject([{ status: 'unadjudicated' }])
    await send('pullrequest:comment_created', bitbucket.comment(number, dismissal, nested))
    expect(await list('findings')).toMatchObject([{ status: 'refuted', adjudicatedLogin: 'ada' }])
    expect(bitbucket.statuses.at(-1)).toMatchObject({ state: 'SUCCESSFUL' })
  })

  test('tasks cannot open a connected repository', async () => {
    const path = `/vcs/installations/${installation.id}/repositories`
    const { status, body } = await server.call('GET', path, { as: owner })
    expect([status, (body as { code: string }).code]).toEqual([409, 'installation_unavailable'])
  })

  test('a wrong signature is rejected, and a merged pull request is not reviewed', async () => {
    bitbucket.open(number, { ...MAIN, 'run.js': BAD })
    const { raw, headers } = bitbucket.sign('wrong', 'pullrequest:created', bitbucket.pull(number))
    expect(await deliver(raw, headers)).toMatchObject({ status: 401, code: 'invalid_signature' })
    expect(await send('pullrequest:fulfilled', bitbucket.pull(number))).toMatchObject({ result: 'noted' })
    expect(await list('runs')).toEqual([])
  })

  test('a rate limit of the host delays the review', async () => {
    let refused = 0
    bitbucket.override = () =>
      refused++ === 0 ? { status: 429, body: {}, headers: { 'retry-after': '120' } } : null
    await open({ 'run.js': BAD })
    expect(await list('runs')).toMatchObject([{ status: 'queued' }])
  })
})
