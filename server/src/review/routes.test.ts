// Endpoints for scans, lists, verdicts and precision.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { SCOPES } from '../platform/http/actor.ts'
import { ScanBody } from './scan/schema.ts'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"
const NEW_FILE = `--- /dev/null\n+++ b/run.js\n@@ -0,0 +1,4 @@\n${BAD.trimEnd().replaceAll(/^/gm, '+')}\n`

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person({ type: 'team' })
})
afterAll(() => server.close())

describe('a scan', () => {
  const scan = (body: object, headers = {}) =>
    server.call('POST', '/review/scan', { as: owner, body, headers })

  test('of files returns findings with their location', async () => {
    const { status, body } = await scan({ files: [{ path: 'run.js', content: BAD }] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      findings: [{ path: 'run.js', line: 3, cwe: 'CWE-78', severity: 'error', confidence: 'high' }],
      partial: [],
      summary: { files: 1, findings: 1, bySeverity: { error: 1, warn: 0, note: 0 } },
    })
  })

  test('of the example in the reference finds its fault', async () => {
    const { examples } = ScanBody.meta() as { readonly examples: readonly [object] }
    expect((await scan(examples[0])).body).toMatchObject({ findings: [{ ruleId: 'JS-CODE-01' }] })
  })

  test('of a diff covers new files completely and changed files in part', async () => {
    const changed =
      '--- a/old.js\n+++ b/old.js\n@@ -5 +5 @@\n-x\n+y\n--- a/gone.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'
    const { body } = await scan({ diff: NEW_FILE + changed })
    expect(body).toMatchObject({
      findings: [{ path: 'run.js', line: 3 }],
      partial: ['old.js'],
      skipped: [{ path: 'gone.js', reason: 'deleted' }],
    })
  })

  test('of files with a diff reports only findings in changed lines', async () => {
    const diff = '--- a/run.js\n+++ b/run.js\n@@ -4 +4 @@\n-)\n+}\n'
    expect(await scan({ files: [{ path: 'run.js', content: BAD }], diff })).toMatchObject({
      body: { findings: [] },
    })
  })

  test('returns at most fifty findings per file and counts the rest', async () => {
    const content = `app.get('/', (req) => {\n${'eval(req.query.a)\n'.repeat(60)}})`
    const { body } = await scan({ files: [{ path: 'a.js', content }] })
    expect(body).toMatchObject({ findings: { length: 50 }, summary: { findings: 50, omitted: 10 } })
  })

  test('is returned as SARIF on request', async () => {
    const { headers, text } = await scan(
      { files: [{ path: 'run.js', content: BAD }] },
      { accept: 'application/sarif+json' },
    )
    expect(headers['content-type']).toContain('application/sarif+json')
    expect(JSON.parse(text)).toMatchObject({ version: '2.1.0' })
  })

  test.for<[string, object]>([
    ['nothing', {}],
    ['no files', { files: [] }],
    ['text that is not a diff', { diff: 'hello' }],
    ['a truncated diff', { diff: NEW_FILE.slice(0, 80) }],
    ['a file twice', { files: [BAD, BAD].map((content) => ({ path: 'a.js', content })) }],
    [
      'a diff with huge gaps',
      {
        diff: Array.from({ length: 11 }, (_, i) => `--- a/${i}\n+++ b/${i}\n@@ -1 +199998 @@\n-a\n+b\n`).join(
          '',
        ),
      },
    ],
  ])('of %s gets a 400 with a reason', async ([, body]) => {
    expect(await scan(body)).toMatchObject({ status: 400, body: { code: 'invalid_fields', fields: [{}] } })
  })

  test('requires the scope agent:run', async () => {
    const body = { files: [{ path: 'a.js', content: '1' }] }
    const [allowed, other] = [
      await server.key(owner, ['agent:run']),
      await server.key(owner, ['wallet:read']),
    ]
    expect(await server.call('POST', '/review/scan', { as: allowed, body })).toMatchObject({ status: 200 })
    expect(await server.call('POST', '/review/scan', { as: other, body })).toMatchObject({ status: 403 })
  })
})

test('without a configured GitHub App, webhooks and claims are rejected', async () => {
  const raw = Buffer.from('{}')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=00' }
  expect(await server.call('POST', '/webhooks/github', { raw, headers })).toMatchObject({ status: 503 })
  const claimed = await server.call('POST', '/vcs/installations/claim', {
    as: owner,
    body: { installationId: 1 },
  })
  expect(claimed).toMatchObject({ status: 503, body: { code: 'not_configured' } })
})

/** Inserts a review with findings of one rule. */
async function insertReview(
  person: Person,
  { rule, findings, walletMinor = 0n }: { rule: string; findings: number; walletMinor?: bigint },
) {
  const { sql, clock } = server
  const run = newId('rvw')
  const [now, sha] = [clock.now(), 'a'.repeat(40)]
  await sql.rows`
    insert into review_runs (id, org_id, installation_id, repo, repo_id, pr, head_sha, base_sha, is_fork, is_bot, status,
                             cost_minor, wallet_minor, created_at, finished_at)
    values (${run}, ${person.orgId}, 'inst_1', 'acme/pay', 1, 1, ${sha}, ${sha}, false, false, 'completed', ${walletMinor},
            ${walletMinor}, ${now}, ${now})`
  const ids = Array.from({ length: findings }, () => newId('fnd'))
  for (const id of ids)
    await sql.rows`
      insert into review_findings (id, org_id, run_id, repo, repo_id, pr, head_sha, path, line, start_line, end_line, rule_id, title,
                                   cwe, severity, confidence, message, fix, snippet, fingerprint, case_key, share_minor, created_at)
      values (${id}, ${person.orgId}, ${run}, 'acme/pay', 1, 1, ${sha}, 'a.js', 1, 1, 1, ${rule}, 'A fault', 78, 'error', 'high', 'm',
              'f', 's', ${id}, 'case', ${walletMinor / BigInt(findings)}, ${now})`
  return ids
}
const judge = (as: Person, id: string | undefined, verdict: string) =>
  server.call('POST', `/review/findings/${id}/adjudicate`, {
    as,
    body: { verdict, note: 'checked by hand' },
  })

describe('a verdict', () => {
  test('that refutes refunds the share of the finding once, and never more than the total', async () => {
    const ids = await insertReview(owner, { rule: 'money', findings: 3, walletMinor: 100n })
    expect(await judge(owner, ids[0], 'refuted')).toMatchObject({
      status: 200,
      body: {
        creditedMinor: 33n,
        balanceMinor: 33n,
        finding: { status: 'refuted', adjudicatedBy: 'person', note: 'checked by hand' },
      },
    })
    expect(await judge(owner, ids[0], 'confirmed')).toMatchObject({
      body: { creditedMinor: 0n, balanceMinor: 33n },
    })
    expect(await judge(owner, ids[0], 'refuted')).toMatchObject({
      body: { creditedMinor: 0n, balanceMinor: 33n },
    })
    const both = await Promise.all([judge(owner, ids[1], 'refuted'), judge(owner, ids[1], 'refuted')])
    expect(both.map(({ body }) => body.creditedMinor).toSorted()).toEqual([0n, 33n])
    expect(await judge(owner, ids[2], 'refuted')).toMatchObject({ body: { balanceMinor: 99n } })
    const ledger = await server.call('GET', '/wallet/ledger', { as: owner, query: { source: 'review' } })
    const entries = ledger.body.entries as { id: string }[]
    expect(entries).toMatchObject([{ type: 'credit', ref: ids[2] }, { type: 'credit' }, { type: 'credit' }])
    expect(await server.call('GET', `/wallet/ledger/${entries[0]?.id}`, { as: owner })).toMatchObject({
      status: 200,
    })
  })

  test('refunds nothing for a free review', async () => {
    const [id] = await insertReview(owner, { rule: 'free', findings: 1 })
    expect(await judge(owner, id, 'refuted')).toMatchObject({ status: 200, body: { creditedMinor: 0n } })
    expect(await judge(owner, id, 'maybe')).toMatchObject({ status: 400 })
  })

  test('requires a member of the organisation and is audited', async () => {
    const [id] = await insertReview(owner, { rule: 'free', findings: 1 })
    const member = await server.member(owner.orgId, 'member')
    expect(await judge(member, id, 'unproven')).toMatchObject({
      status: 200,
      body: { finding: { status: 'unproven' } },
    })
    expect(await judge(await server.person(), id, 'refuted')).toMatchObject({ status: 404 })
    const key = await server.key(owner, SCOPES)
    expect(
      await server.call('POST', `/review/findings/${id}/adjudicate`, {
        as: key,
        body: { verdict: 'refuted' },
      }),
    ).toMatchObject({ status: 403 })
    const query = { action: 'review.findings.adjudicate', limit: '1' }
    const { body } = await server.call('GET', '/audit', { as: owner, query })
    expect(body.entries).toMatchObject([{ target: id, actorUserId: member.userId }])
  })
})

describe('lists', () => {
  test('are paged without gaps and filtered by repository and status', async () => {
    const person = await server.person()
    const ids = await insertReview(person, { rule: 'r', findings: 3 })
    await judge(person, ids[1], 'confirmed')
    const get = (query: Record<string, string>) =>
      server.call<{ findings: { id: string }[]; nextCursor: string }>('GET', '/review/findings', {
        as: person,
        query,
      })
    const first = await get({ limit: '2' })
    const rest = await get({ limit: '2', cursor: first.body.nextCursor })
    expect([...first.body.findings, ...rest.body.findings].map(({ id }) => id)).toEqual(
      ids.toSorted().reverse(),
    )
    expect(rest.body.nextCursor).toBeNull()
    expect((await get({ status: 'confirmed' })).body.findings).toMatchObject([{ id: ids[1], cwe: 'CWE-78' }])
    expect((await get({ repo: 'acme/other' })).body.findings).toEqual([])
    expect((await get({ severity: 'error' })).body.findings).toHaveLength(3)
    expect((await get({ severity: 'warn' })).body.findings).toEqual([])
    const runs = await server.call('GET', '/review/runs', {
      as: person,
      query: { repo: 'acme/pay', limit: '1' },
    })
    expect(runs.body).toMatchObject({
      runs: [{ repo: 'acme/pay', pr: 1, status: 'completed' }],
      nextCursor: null,
    })
  })
})

describe('precision', () => {
  const ask = (as: Person, query: Record<string, string> = {}) =>
    server.call('GET', '/review/precision', { as, query })

  test('is null without verdicts', async () => {
    const person = await server.person()
    await insertReview(person, { rule: 'r', findings: 2 })
    expect((await ask(person)).body).toEqual({
      scope: 'org',
      days: 90,
      findings: 2,
      confirmed: 0,
      refuted: 0,
      unadjudicated: 2,
      unproven: 0,
      falsePositiveRate: null,
      noisiestRules: [],
    })
  })

  test('counts only confirmed and refuted findings, and lists rules with enough verdicts', async () => {
    const person = await server.person()
    const noisy = await insertReview(person, { rule: 'noisy', findings: 6 })
    const quiet = await insertReview(person, { rule: 'quiet', findings: 5 })
    for (const [index, id] of noisy.entries())
      await judge(person, id, index < 3 ? 'refuted' : index < 5 ? 'confirmed' : 'unproven')
    for (const id of quiet.slice(0, 4)) await judge(person, id, 'confirmed')
    const { body } = await ask(person)
    expect(body).toMatchObject({
      findings: 11,
      confirmed: 6,
      refuted: 3,
      unproven: 1,
      unadjudicated: 1,
      falsePositiveRate: 1 / 3,
    })
    expect(body.noisiestRules).toEqual([
      { ruleId: 'noisy', confirmed: 2, refuted: 3, falsePositiveRate: 0.6 },
    ])
    const lower = await ask(person, { minSample: '4' })
    expect(lower.body.noisiestRules).toMatchObject([
      { ruleId: 'noisy' },
      { ruleId: 'quiet', falsePositiveRate: 0 },
    ])
    server.clock.advance({ days: 2 })
    expect((await ask(person, { days: '1' })).body).toMatchObject({ findings: 0, falsePositiveRate: null })
  })

  test('of all organisations requires staff', async () => {
    expect(await ask(owner, { scope: 'all' })).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    const staff = await server.person({ staff: 'support' })
    const { status, body } = await ask(staff, { scope: 'all' })
    expect([status, Number(body.findings) > 10]).toEqual([200, true])
    expect(await ask(owner, { days: '0' })).toMatchObject({ status: 400 })
  })
})
