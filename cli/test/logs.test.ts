// Commands about model calls, models and the limits of keys, against the real service.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeService, json, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CommandOptions, cowrie } from './cowrie.ts'

let server: TestServer
let url: string
let home: string
let ada: Person
let key: { id: string; bearer: string }
/** A key without a budget. */
let poorId: string

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  home = await mkdtemp(join(tmpdir(), 'cowrie-logs-'))
  ada = await server.person({ type: 'team', email: 'ada@example.com' })
  key = await server.key(ada, ['agent:run', 'wallet:read', 'metrics:read', 'keys:manage'])
  const { body } = await topUp(server, ada, { amountMinor: 250_000n, channel: 'ussd' })
  await verify(server, ada, body.reference)
  const limited = await server.call<{ id: string; key: string }>('POST', '/auth/keys', {
    as: ada,
    body: { name: 'limited', scopes: ['agent:run'], budgetMinor: 0 },
  })
  poorId = limited.body.id
  await callModel(key.bearer)
  server.clock.advance({ minutes: 1 })
  await callModel(limited.body.key)
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

/** One model call, until its row is stored. */
async function callModel(bearer: string): Promise<void> {
  const count = async () => (await server.sql.rows`select from request_log`).length
  const before = await count()
  const body = { model: 'open', messages: [{ role: 'user', content: 'Hello' }] }
  await server.call('POST', '/v1/chat/completions', { as: { bearer }, body })
  await vi.waitFor(async () => expect(await count()).toBe(before + 1), scaledTimeout(10_000))
}

const say = (args: string[], options: CommandOptions = {}) =>
  cowrie(args, {
    ...options,
    env: { COWRIE_URL: url, COWRIE_API_KEY: key.bearer, NO_COLOR: '1', ...options.env },
    machine: { now: () => server.clock.now(), cwd: home, ...options.machine },
  })
const value = async (args: string[]) => {
  const ended = await say([...args, '--json'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout)
}

describe('cowrie logs', () => {
  test('lists calls with tokens, cost and status', async () => {
    const { stdout } = await say(['logs'])
    expect(stdout).toMatch(/time \(UTC\) +model +input +cached +output +cost +time +status +key\n/)
    expect(stdout).toMatch(new RegExp(` open +\\d+ +0 +\\d+ +₦\\d+\\.\\d\\d +\\d+\\.\\d s +200 +${key.id}\n`))
    expect(stdout).toMatch(/ open +0 +0 +0 +₦0\.00 +\d+\.\d s +402 key_budget_exceeded /)
  })

  test('shows a call that earlier calls paid for, and explains it', async () => {
    const bo = await server.person({ email: 'bo@example.com' })
    await server.sql.rows`update orgs set currency = 'XOF' where id = ${bo.orgId}`
    await giveCredit(server, bo.orgId, 1_000n)
    const { bearer } = await server.key(bo, ['agent:run', 'wallet:read', 'metrics:read'])
    const env = { COWRIE_API_KEY: bearer }
    await callModel(bearer)
    server.clock.advance({ seconds: 1 })
    await callModel(bearer)
    const [, second = '', first = ''] = (await say(['logs'], { env })).stdout.split('\n')
    expect(first).toContain(' CFA1 ')
    expect(second).toContain(' <CFA1 ')
    const listed = JSON.parse((await say(['logs', '--json'], { env })).stdout)
    const explained = await say(['wallet', 'explain', listed.requests[0].ledgerId], { env })
    expect(explained.stdout).toMatch(/^CFA0 {2}/)
    expect(explained.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'was already paid by earlier calls, so nothing was debited.',
    )
  })

  test('filters by model, status, key and time', async () => {
    const keysOf = async (...args: string[]) =>
      (await value(['logs', ...args])).requests.map(({ keyId }: { keyId: string }) => keyId)
    expect(await keysOf('--model', 'open')).toEqual([poorId, key.id])
    expect(await keysOf('--model', 'other')).toEqual([])
    expect(await keysOf('--status', 'failed')).toEqual([poorId])
    expect(await keysOf('--status', '200', '--key', key.id)).toEqual([key.id])
    expect(await keysOf('--since', '2099-01-01')).toEqual([])
    expect((await say(['logs', '--limit', '1'])).stderr).toContain('Use --limit for more')
    expect((await say(['logs', '--status', 'bad'])).code).toBe(64)
  })

  test('prints the CSV of the service', async () => {
    const { stdout } = await say(['logs', '--csv', '--status', 'success'])
    const { text } = await server.call('GET', '/usage/requests', {
      as: ada,
      query: { status: 'success' },
      headers: { accept: 'text/csv' },
    })
    expect(stdout).toBe(text)
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect((await say(['logs', '--csv', '--follow'])).code).toBe(64)
  })

  test('fits a terminal of forty columns', async () => {
    for (const args of [['logs'], ['models']]) {
      const { stdout } = await say(args, { machine: { width: () => 40, isStdoutTerminal: true } })
      expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
    }
  })
})

describe('cowrie logs --follow', () => {
  let fake: FakeService | undefined
  afterEach(() => fake?.close())

  const ME = { currency: { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' } }
  const row = (id: string, at = '2026-11-01T00:00:00.000Z') => ({
    id,
    at,
    model: id,
    tokens: { input: 1, cachedInput: 2, cacheWrite: 3, output: 4 },
    costMinor: 5,
    durationMs: 600,
    status: 200,
    code: null,
    keyId: null,
  })
  const page = (...ids: string[]) => json(200, { requests: ids.map((id) => row(id)), nextCursor: null })

  test('shows later calls once, waits longer after failures, and stops on Ctrl-C', async () => {
    fake = await startFakeService(
      json(200, ME),
      page('rql_2', 'rql_1'),
      page(),
      json(503, { error: 'Busy.', code: 'busy' }),
      json(503, { error: 'Busy.', code: 'busy' }),
      page('rql_3', 'rql_4'),
      page(),
    )
    const stop = new AbortController()
    const waits: number[] = []
    const sleep = async (ms: number) => {
      if (ms > 0) waits.push(ms)
      if (waits.length > 5) stop.abort()
      stop.signal.throwIfAborted()
    }
    const { code, stdout, stderr } = await say(['logs', '--follow'], {
      env: { COWRIE_URL: fake.url },
      signal: stop.signal,
      machine: { sleep },
    })
    expect(stdout.match(/rql_\d/g)).toEqual(['rql_1', 'rql_2', 'rql_3', 'rql_4'])
    expect(stdout).toContain('rql_1  4 + 2 cached in, 4 out  ₦0.05  0.6 s  200  app\n')
    expect(stderr).toBe('cowrie: Busy. Still following.\n')
    expect(waits).toEqual([2_000, 2_000, 4_000, 8_000, 2_000, 2_000])
    expect(code).toBe(0)
    const asked = fake.requests.slice(2).map(({ url }) => new URL(url, 'http://a').searchParams.get('after'))
    expect(asked).toEqual(['rql_2', 'rql_2', 'rql_2', 'rql_2', 'rql_4'])
  })

  test('ends with an error that does not pass', async () => {
    fake = await startFakeService(
      json(200, ME),
      page(),
      json(403, { error: 'No.', code: 'insufficient_scope' }),
    )
    const ended = await say(['logs', '-f'], {
      env: { COWRIE_URL: fake.url },
      machine: { sleep: async () => {} },
    })
    expect(ended).toMatchObject({ code: 6, stdout: '' })
  })
})

test('cowrie models lists prices per class in the currency of the wallet', async () => {
  const { stdout, stderr } = await say(['models'])
  expect(stdout).toMatch(/ open +Open lane +₦[\d,.]+ +₦[\d,.]+ +₦[\d,.]+ +₦[\d,.]+ +\d+k/)
  expect(stderr).toBe('Prices are for a million tokens, in NGN.\n')
  const { models } = await value(['models'])
  expect(models).toEqual((await server.call<{ data: object[] }>('GET', '/v1/models', { as: key })).body.data)
})

describe('the limits of a key', () => {
  test('are set, shown with the spending, changed and removed', async () => {
    const limits = ['--budget', '5000', '--period', 'month', '--models', 'open,claude-*', '--rpm', '60']
    const more = ['--tpm', '100000', '--address', '203.0.113.0/24', '--address', '::1']
    const made = await value(['keys', 'create', 'ci', '--scopes', 'agent:run', ...limits, ...more])
    expect(made).toMatchObject({
      budgetMinor: 500_000,
      budgetPeriod: 'month',
      models: ['open', 'claude-*'],
      requestsPerMinute: 60,
      tokensPerMinute: 100_000,
      allowedAddresses: ['203.0.113.0/24', '::1'],
    })
    const { stdout } = await say(['keys', 'list'])
    expect(stdout).toContain(
      'spent ₦0.00, ₦5,000.00 left of ₦5,000.00 per month; models open claude-*; 60 requests a minute; 100000 tokens a minute; from 203.0.113.0/24 ::1)\n',
    )
    expect(stdout).toMatch(/spent ₦(?!0\.00)\d+\.\d\d\)\n/)
    const edited = await say([
      'keys',
      'edit',
      made.id,
      '--budget',
      '80.50',
      '--models',
      'none',
      '--name',
      'build',
    ])
    expect(edited.stdout).toMatch(/build {2}\(.*₦80\.50 left of ₦80\.50 per month; 60 requests a minute/)
    const args = ['--budget', 'none', '--rpm', 'none', '--tpm', 'none', '--address', 'none']
    expect(await value(['keys', 'edit', made.id, ...args])).toMatchObject({
      budgetMinor: null,
      models: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
      allowedAddresses: null,
      budgetLeftMinor: null,
    })
  })

  test.for([
    { args: ['create', 'x', '--period', 'month'], says: '--period needs --budget' },
    { args: ['create', 'x', '--budget', '5', '--period', 'year'], says: '--period must be one of' },
    { args: ['create', 'x', '--rpm', '0'], says: '--rpm must be' },
    { args: ['create', 'x', '--budget', '1,000'], says: 'no separators' },
    { args: ['edit', 'key_1'], says: 'Name a change' },
  ])('cowrie keys $args is wrong usage', async ({ args, says }) => {
    expect(await say(['keys', ...args])).toMatchObject({ code: 64, stderr: expect.stringContaining(says) })
  })
})
