// The output of commands about money, against the real service: one user with a top-up and a run.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromJson } from '@cowrie/sdk'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cowrie } from './cowrie.ts'

let server: TestServer
let url: string
let home: string
let ada: Person
let key: string

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  home = await mkdtemp(join(tmpdir(), 'cowrie-money-'))
  ada = await server.person({ type: 'team', email: 'ada@example.com' })
  key = (await server.key(ada, ['agent:run', 'wallet:read', 'metrics:read', 'keys:manage'])).bearer
  const { body } = await topUp(server, ada, { amountMinor: 250_000n, channel: 'ussd' })
  await verify(server, ada, body.reference)
  // Entries with the same time have no defined order.
  server.clock.advance({ minutes: 1 })
  const ran = await server.call('POST', '/agent/run', { as: ada, body: { prompt: 'Write a haiku.' } })
  expect(ran.status).toBe(200)
  server.clock.advance({ minutes: 1 })
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

/** In a pipe, or in a terminal of this width. */
const as = (bearer: string, width?: number) => ({
  env: { COWRIE_URL: url, COWRIE_API_KEY: bearer, NO_COLOR: '1' },
  machine: {
    now: () => server.clock.now(),
    width: () => width ?? 120,
    isStdoutTerminal: width !== undefined,
    cwd: home,
  },
})
const say = (args: string[], bearer = key, width?: number) => cowrie(args, as(bearer, width))
const value = async (args: string[], bearer = key): Promise<unknown> => {
  const ended = await say([...args, '--json'], bearer)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return fromJson(ended.stdout)
}

describe('the wallet', () => {
  test('is shown in the currency of the organisation, and as JSON of the service', async () => {
    const { stdout } = await say(['wallet'])
    expect(stdout).toMatch(/ {2}balance {4}₦2,4\d\d\.\d\d\n/)
    expect(stdout).toContain('for work in progress')
    expect(await value(['wallet'])).toEqual((await server.call('GET', '/wallet', { as: ada })).body)
  })

  test('shows the warning threshold to an owner and the cap to a member', async () => {
    expect((await say(['wallet'], ada.bearer)).stdout).toMatch(/ {2}warning +below ₦/)
    const bola = await server.member(ada.orgId, 'member')
    await server.sql.rows`update memberships set seat_cap_minor = 50000 where user_id = ${bola.userId}`
    expect((await say(['wallet'], bola.bearer)).stdout).toContain('₦500.00 left of ₦500.00 this month')
    await server.sql.rows`delete from memberships where user_id = ${bola.userId}`
  })

  test('fits a terminal of forty columns', async () => {
    for (const args of [['wallet'], ['wallet', 'channels'], ['plan'], ['usage'], ['plan', 'list']]) {
      const { code, stdout } = await say(args, key, 40)
      expect(code).toBe(0)
      expect(stdout.split('\n').filter((line) => line.length > 40)).toEqual([])
    }
  })

  test('has a ledger of credits and debits with explanations', async () => {
    const { stdout } = await say(['wallet', 'ledger'])
    const [, debit = '', credit = ''] = stdout.split('\n')
    expect(debit).toMatch(/-₦\d.* agent /)
    expect(credit).toMatch(/\+₦2,500\.00 +₦2,500\.00 +topup /)
    const [id = ''] = debit.match(/\S+$/) ?? []
    const explained = await say(['wallet', 'explain', id])
    expect(explained.stdout).toContain('recomputed')
    expect(explained.stdout).toContain('matches')
    expect(explained.stdout).toMatch(/\n {2}1\. /)
    expect(await value(['wallet', 'explain', id])).toMatchObject({ entry: { id } })
  })

  test('is explained in the language of COWRIE_LANGUAGE', async () => {
    const { entries } = (await value(['wallet', 'ledger'])) as { entries: { id: string; source: string }[] }
    const id = entries.find(({ source }) => source === 'topup')?.id ?? ''
    const { env, machine } = as(key)
    const asked = (language: string) =>
      cowrie(['wallet', 'explain', id], { env: { ...env, COWRIE_LANGUAGE: language }, machine })
    expect((await asked('fr')).stdout).toContain('Paiement de ₦2\u202f500,00, référence')
    expect((await asked('../etc')).stdout).toContain('Payment of ₦2,500.00, reference')
  })

  test('filters its ledger and reports further entries', async () => {
    expect(await value(['wallet', 'ledger', '--type', 'credit'])).toMatchObject({
      entries: [{ source: 'topup' }],
      nextCursor: null,
    })
    expect(await value(['wallet', 'ledger', '--since', '2026-12-01'])).toMatchObject({ entries: [] })
    expect((await say(['wallet', 'ledger', '--limit', '1'])).stderr).toContain('Use --limit for more')
    expect((await say(['wallet', 'ledger', '--source', 'luck'])).code).toBe(64)
  })

  test('exports the whole ledger as the file of the service', async () => {
    const { stdout } = await say(['wallet', 'ledger', '--csv'])
    const { text } = await server.call('GET', '/wallet/ledger', { as: ada, headers: { accept: 'text/csv' } })
    expect(stdout).toBe(text)
  })

  test('lists top-up channels with their limits', async () => {
    const { stdout } = await say(['wallet', 'channels'])
    expect(stdout).toMatch(/ussd +Bank USSD +₦50\.00 +₦1,000,000\.00 +play money/)
  })

  test.for([
    { currency: 'KES', balance: 'KSh0.00' },
    { currency: 'GHS', balance: 'GH₵0.00' },
    { currency: 'ZAR', balance: 'R0.00' },
    { currency: 'EGP', balance: 'E£0.00' },
  ] as const)('is shown in $currency', async ({ currency, balance }) => {
    const person = await customer(server, currency)
    expect((await say(['wallet'], person.bearer)).stdout).toContain(balance)
  })
})

describe('usage', () => {
  test.for(['day', 'lane', 'source', 'model'])('is grouped by %s, and adds up', async (by) => {
    const mine = await say(['usage', '--by', by])
    const everybody = await say(['usage', '--all', '--by', by])
    expect(mine).toMatchObject({ code: 0, stderr: '' })
    expect(mine.stdout).toMatch(/^From 2026-10-16 to 2026-11-15\n₦\d+\.\d\d for [\d,]+ tokens\n/)
    expect(everybody.stdout).toBe(mine.stdout)
  })

  test('by member is for owners and admins', async () => {
    expect((await say(['usage', '--by', 'member'], ada.bearer)).stdout).toMatch(/ada@example\.com +₦/)
    expect(await say(['usage', '--by', 'member'])).toMatchObject({ code: 6 })
  })

  test('is refused with exit code 6 for a key without the scope', async () => {
    const poor = (await server.key(ada, ['agent:run'])).bearer
    expect(await say(['usage'], poor)).toMatchObject({ code: 6, stdout: '' })
  })

  test('has only known groupings', async () => {
    expect((await say(['usage', '--by', 'mood'])).code).toBe(64)
    expect((await say(['usage', '--since', 'yesterday'])).code).toBe(64)
  })
})

describe('the team', () => {
  test('is listed with roles, caps and spending', async () => {
    const { stdout } = await say(['team'], ada.bearer)
    expect(stdout).toMatch(/ada@example\.com +owner +no cap +₦\d/)
    expect((await say(['team', 'usage'], ada.bearer)).stdout).toMatch(
      /since 2026-11-01\n[\s\S]*ada@example\.com/,
    )
    expect(await value(['team'], ada.bearer)).toMatchObject({ members: [{ email: 'ada@example.com' }] })
  })

  test('is not available to API keys, and the error names the app page', async () => {
    const ended = await say(['team'])
    expect(ended.code).toBe(6)
    expect(ended.stderr).toContain(`${url}/app/team`)
  })
})

describe('the plan', () => {
  test('is shown with the remaining allowance and the page to change it', async () => {
    const ended = await say(['plan'])
    expect(ended.stdout).toContain('plan')
    expect(ended.stdout).toMatch(/included +₦/)
    expect(ended.stderr).toContain(`${url}/app/billing`)
    expect(await value(['plan'])).toMatchObject({ currency: 'NGN' })
  })

  test('is one of the listed plans', async () => {
    expect((await say(['plan', 'list'])).stdout).toMatch(/Pro +₦[\d,.]+ a month/)
  })
})

describe('invoices', () => {
  test('are listed, shown line by line, and saved as HTML', async () => {
    const found = (await value(['invoices'])) as { invoices: { id: string; number: string }[] }
    const { id = '', number = '' } = found.invoices[0] ?? {}
    expect((await say(['invoices'])).stdout).toMatch(/₦2,500\.00 +paid/)
    const { stdout } = await say(['invoices', 'get', id])
    expect(stdout).toContain(`${number}, paid, play money`)
    expect(stdout).toMatch(/Total +₦2,500\.00/)

    const written = await say(['invoices', 'receipt', id, '-o', 'receipt.html'])
    expect(written.code).toBe(0)
    const page = await readFile(join(home, 'receipt.html'), 'utf8')
    expect(page).toContain(number)
    expect((await say(['invoices', 'receipt', id])).stdout.trim()).toBe(page.trim())
    expect(await say(['invoices', 'receipt', id, '-o', 'receipt.html'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    })
  })

  test('that are unpaid: an empty list', async () => {
    expect((await say(['invoices', '--open'])).stdout).toBe('No unpaid invoices.\n')
  })
})

test('keys are created with scopes and an expiry, and the list shows both', async () => {
  const made = await say(['keys', 'create', 'ci', '--scopes', 'agent:run', '--expires', '90'])
  expect(made.stderr).toContain('It expires on 2027-02-13.')
  // In a pipe a row is one line, independent of the terminal width.
  expect((await say(['keys', 'list'])).stdout).toMatch(
    /ci {2}\(agent:run; ada@example\.com.*expires 2027-02-13; spent ₦0\.00\)/,
  )
  expect(await value(['keys', 'create', 'by date', '--expires', '2027-01-01'])).toMatchObject({
    expiresAt: '2027-01-01T00:00:00.000Z',
  })
})
