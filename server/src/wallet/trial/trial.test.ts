import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  FROM_PAGE,
  from,
  newAddress,
  PASSWORD,
  PROXIED,
  register,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { explainEntry } from '../explain/explain.ts'
import { freeze } from '../holds/freeze.ts'
import {
  credit,
  debit,
  type EntryId,
  type HoldId,
  release,
  reserve,
  runChecks,
  settle,
  trialBalance,
  walletChecks,
} from '../wallet.ts'
import { expireDueTrials } from './expire-trials.ts'
import { isRefusedDomain, mailboxOf } from './mailbox.ts'

const SCHEDULES = ['wallet.', 'payments.', 'signIn']

const GRANT = 20_000n
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    schedules: SCHEDULES,
    variables: {
      ...PROXIED,
      SERVICE_TRIAL_CREDIT_MINOR: '20000',
      SERVICE_TRIAL_CREDIT_DAYS: '7',
      SERVICE_TRIAL_CREDITS_PER_DOMAIN: '1000',
    },
  })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(async () => {
  for (const { name, ok, examples } of await runChecks(server.app, walletChecks))
    expect(ok, `${name}: ${examples}`).toBe(true)
  for (const { ok } of await trialBalance(server.app)) expect(ok).toBe(true)
  await server.close()
})

let networks = 0
const newNetwork = () => `10.${Math.floor(++networks / 250)}.${networks % 250}.1`

type Joined = { email: string; userId: UserId; orgId: OrgId; browser: Visitor; trialMinor: bigint }

/** A person registers and confirms in one browser. */
async function join({
  email = newAddress(),
  address = newNetwork(),
  currency = 'NGN',
} = {}): Promise<Joined> {
  const browser = server.visitor()
  const headers = { ...FROM_PAGE, ...from(address) }
  await register(browser, email, PASSWORD, { headers, body: { currency } })
  const token = await tokenTo(server, email)
  const { body } = await browser.call('POST', '/auth/verify', { body: { token }, headers })
  expect(body).toMatchObject({ ok: true, signedIn: true })
  const { userId, orgId } = body as Pick<Joined, 'userId' | 'orgId'>
  return { email, userId, orgId, browser, trialMinor: (await walletOf({ browser })).trialMinor }
}
type WalletBody = { balanceMinor: bigint; trialMinor: bigint; trialExpiresAt: string | null }
const walletOf = async ({ browser }: Pick<Joined, 'browser'>) =>
  (await browser.call('GET', '/wallet')).body as WalletBody
const actionsOf = async (orgId: OrgId) =>
  (
    await server.sql.rows<{ action: string; metadata: { reason?: string } }>`
      select action, metadata from audit_entries where org_id = ${orgId} and action like 'trial.%' order by seq`
  ).map(({ action, metadata }) => (metadata.reason ? `${action} ${metadata.reason}` : action))

let works = 0
async function hold({ orgId, userId }: Joined, amountMinor: bigint): Promise<HoldId> {
  const deadline = new Date(server.clock.now().getTime() + 3_600_000_000)
  const reserved = await reserve(server.app, {
    ...{ orgId, userId, ref: `work ${++works}`, source: 'agent', amountMinor, terms: {}, deadline },
  })
  if (!reserved.ok) throw new Error(reserved.reason)
  return reserved.hold.holdId
}
async function spend(person: Joined, amountMinor: bigint): Promise<void> {
  const holdId = await hold(person, amountMinor)
  await settle(server.app, { orgId: person.orgId, holdId, amountMinor, usage: null })
}
const debitPlan = ({ orgId }: Joined, amountMinor: bigint, leastMinor = amountMinor) =>
  server.app.db.tx(orgId, (tx) =>
    debit(server.app, tx, {
      ...{ orgId, amountMinor, leastMinor, source: 'subscription', account: 'subscriptions' },
      ...{ ref: `bill ${++works}`, cause: `bill ${works}` },
    }),
  )

describe('trial credit', () => {
  test('is granted when the address is confirmed, as its own entry that explains itself', async () => {
    const person = await join()
    expect(await walletOf(person)).toMatchObject({
      balanceMinor: GRANT,
      availableMinor: GRANT,
      trialMinor: GRANT,
      trialExpiresAt: new Date(server.clock.now().getTime() + 7 * 86_400_000).toISOString(),
    })
    expect((await person.browser.call('GET', '/me')).body).toMatchObject({ trialMinor: GRANT })
    const { body } = await person.browser.call('GET', '/wallet/ledger', { query: { source: 'trial' } })
    const [entry] = (body as { entries: { id: string }[] }).entries
    expect(entry).toMatchObject({ type: 'credit', amountMinor: GRANT, source: 'trial' })
    const explained = await person.browser.call('GET', `/wallet/ledger/${entry?.id}`)
    expect(explained.body).toMatchObject({ explanation: { kind: 'trial', payment: null } })
    expect((await person.browser.call('GET', '/wallet/proof')).body).toMatchObject({
      matches: true,
      checked: { intact: true },
    })
    expect(await actionsOf(person.orgId)).toEqual(['trial.grant'])
    const metrics = await server.app.metrics.exposition()
    expect(metrics).toMatch(/cowrie_trial_credits_total\{outcome="granted"\} [1-9]/)
  })

  test('is converted to the currency of the wallet like every amount', async () => {
    expect((await join({ currency: 'KES' })).trialMinor).toBe(1_780n)
    expect((await join({ currency: 'XOF' })).trialMinor).toBe(78n)
  })

  test('is granted once, however many confirmations come at once on two replicas', async () => {
    const second = await startTestServer({
      schedules: SCHEDULES,
      url: server.url,
      clock: server.clock,
      variables: PROXIED,
    })
    const email = newAddress()
    const browser = server.visitor()
    const headers = { ...FROM_PAGE, ...from(newNetwork()) }
    await register(browser, email, PASSWORD, { headers })
    const token = await tokenTo(server, email)
    await server.call('POST', '/auth/magic/request', { body: { email }, headers })
    const magic = await tokenTo(server, email)
    await Promise.all([
      ...[server, second].flatMap((replica) => [
        replica.call('POST', '/auth/verify', { body: { token }, headers }),
        replica.call('POST', '/auth/magic/consume', { body: { token: magic }, headers }),
      ]),
    ])
    const grants = await server.sql.rows`
      select t.amount_minor from trial_credits t join users u on u.id = t.user_id where u.email = ${email}`
    expect(grants).toEqual([{ amount_minor: GRANT }])
    await second.close()
  })

  test('is refused to the same mailbox in another spelling', async () => {
    const name = newAddress().split('@')[0]
    expect((await join({ email: `${name}@gmail.com` })).trialMinor).toBe(GRANT)
    const dotted = `${name?.slice(0, 3)}.${name?.slice(3)}+again@googlemail.com`
    const again = await join({ email: dotted })
    expect(again.trialMinor).toBe(0n)
    expect(await actionsOf(again.orgId)).toEqual(['trial.refuse granted_before'])
  })

  test('is refused to disposable domains and their subdomains', async () => {
    const person = await join({ email: `${newAddress().split('@')[0]}@inbox.mailinator.com` })
    expect(person.trialMinor).toBe(0n)
    expect(await actionsOf(person.orgId)).toEqual(['trial.refuse refused_domain'])
  })

  test('is refused beyond the limit of a network, over all of its addresses', async () => {
    const staff = await server.person({ staff: 'super_admin' })
    const limit = '/admin/settings/trial_credits_per_network'
    await server.call('PUT', limit, { as: staff, body: { value: 2 } })
    const got = []
    for (const host of [1, 77, 130, 254]) got.push((await join({ address: `203.0.113.${host}` })).trialMinor)
    expect(got).toEqual([GRANT, GRANT, 0n, 0n])
    server.clock.advance({ hours: 25 })
    expect((await join({ address: '203.0.113.9' })).trialMinor).toBe(GRANT)
    const v6 = []
    for (const subnet of ['1', '2', 'ffff'])
      v6.push((await join({ address: `2001:db8:5:${subnet}::1` })).trialMinor)
    expect(v6).toEqual([GRANT, GRANT, 0n])
    await server.call('DELETE', limit, { as: staff })
  })

  test('is refused beyond the limit of an email domain with its subdomains, but not of a public provider', async () => {
    const staff = await server.person({ staff: 'super_admin' })
    const limit = '/admin/settings/trial_credits_per_domain'
    await server.call('PUT', limit, { as: staff, body: { value: 2 } })
    const nameOf = () => newAddress().split('@')[0]
    const got = []
    for (const domain of ['farm.co.ke', 'a.farm.co.ke', 'b.farm.co.ke', 'other.co.ke'])
      got.push((await join({ email: `${nameOf()}@${domain}` })).trialMinor)
    expect(got).toEqual([GRANT, GRANT, 0n, GRANT])
    for (let n = 0; n < 3; n++)
      expect((await join({ email: `${nameOf()}@outlook.com` })).trialMinor).toBe(GRANT)
    await server.call('DELETE', limit, { as: staff })
  })

  test('is refused beyond the limit of the service, also to a hundred at once', async () => {
    server.clock.advance({ hours: 25 })
    const staff = await server.person({ staff: 'super_admin' })
    const set = await server.call('PUT', '/admin/settings/trial_credits_per_day', {
      as: staff,
      body: { value: 3 },
    })
    expect(set.status).toBe(200)
    const people = await Promise.all(Array.from({ length: 8 }, () => join()))
    expect(people.filter(({ trialMinor }) => trialMinor > 0n)).toHaveLength(3)
    await server.call('DELETE', '/admin/settings/trial_credits_per_day', { as: staff })
  })

  test('is not granted to accounts of staff invitations, development sign-in or a second confirmation', async () => {
    const invited = await server.person()
    expect(await server.sql.rows`select id from trial_credits where user_id = ${invited.userId}`).toEqual([])
    const person = await join()
    const headers = { ...FROM_PAGE, ...from(newNetwork()) }
    server.clock.advance({ seconds: 1 })
    await server.call('POST', '/auth/password/forgot', { body: { email: person.email }, headers })
    const token = await tokenTo(server, person.email)
    await server.call('POST', '/auth/password/reset', {
      body: { token, password: 'seven herons in October' },
      headers,
    })
    expect(await server.sql.rows`select id from trial_credits where user_id = ${person.userId}`).toHaveLength(
      1,
    )
  })

  test('is a setting that only a super admin changes, and 0 without one', async () => {
    const operator = await server.person({ staff: 'operator' })
    expect(
      (await server.call('PUT', '/admin/settings/trial_credit_minor', { as: operator, body: { value: 1 } }))
        .status,
    ).toBe(403)
    const plain = await startTestServer({ schedules: SCHEDULES })
    const email = newAddress()
    await register(plain, email)
    await plain.call('POST', '/auth/verify', { body: { token: await tokenTo(plain, email) } })
    expect(await plain.sql.rows`select id from trial_credits`).toEqual([])
    await plain.close()
  })
})

describe('spending', () => {
  test('uses trial credit before own money', async () => {
    const person = await join()
    await giveCredit(server, person.orgId, 5_000n)
    await spend(person, 12_000n)
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 13_000n, trialMinor: 8_000n })
    await spend(person, 9_000n)
    expect(await walletOf(person)).toMatchObject({
      balanceMinor: 4_000n,
      trialMinor: 0n,
      trialExpiresAt: null,
    })
  })

  test('never pays a plan, a reversal or a freeze with trial credit', async () => {
    const person = await join()
    expect((await debitPlan(person, 100n)).postedMinor).toBe(0n)
    await giveCredit(server, person.orgId, 5_000n)
    const work = await hold(person, 23_000n)
    expect((await debitPlan(person, 5_000n, 1n)).postedMinor).toBe(2_000n)
    await release(server.app, { orgId: person.orgId, holdId: work })
    const { frozenMinor } = await server.app.db.tx(person.orgId, (tx) =>
      freeze(server.app, tx, { orgId: person.orgId, ref: `dispute ${works}`, amountMinor: 50_000n }),
    )
    expect(frozenMinor).toBe(3_000n)
    expect((await debitPlan(person, 5_000n, 1n)).postedMinor).toBe(0n)
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 23_000n, trialMinor: GRANT })
    await spend(person, GRANT)
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 3_000n, trialMinor: 0n })
  })

  test('returns a charge of our failure as own money, which does not expire', async () => {
    const person = await join()
    await spend(person, GRANT)
    const { orgId } = person
    await server.app.db.tx(orgId, (tx) =>
      credit(server.app, tx, {
        ...{ orgId, amountMinor: 1_500n, source: 'agent', account: 'refunds' },
        ...{ ref: `failed ${++works}`, cause: `failed ${works}` },
      }),
    )
    expect(await walletOf(person)).toMatchObject({ balanceMinor: 1_500n, trialMinor: 0n })
    expect((await debitPlan(person, 1_500n)).postedMinor).toBe(1_500n)
  })
})

describe('expiry', () => {
  test('takes exactly the rest, as an entry, and leaves own money', async () => {
    const person = await join()
    await giveCredit(server, person.orgId, 5_000n)
    await spend(person, 7_000n)
    server.clock.advance({ days: 7, seconds: -1 })
    await expireDueTrials(server.app)
    expect((await walletOf(person)).trialMinor).toBe(13_000n)
    server.clock.advance({ seconds: 1 })
    await Promise.all([expireDueTrials(server.app), expireDueTrials(server.app)])
    const [entry, ...others] = await expiries(person)
    expect(entry?.minor).toBe(13_000n)
    expect(others).toEqual([])
    const { explanation } = await explainEntry(server.app, person.orgId, entry?.id as EntryId)
    expect(explanation).toMatchObject({
      kind: 'trial',
      summary: '₦130.00 of your trial credit expired. Your own money is unchanged.',
    })
    expect(await dbWallet(person)).toEqual({ balance: 5_000n, trial: 0n })
    expect(await actionsOf(person.orgId)).toEqual(['trial.grant', 'trial.expire'])
  })

  test('lets work that began before use what it holds, and takes the rest afterwards', async () => {
    const person = await join()
    const work = await hold(person, 15_000n)
    server.clock.advance({ days: 8 })
    await expireDueTrials(server.app)
    expect(await dbWallet(person)).toEqual({ balance: 15_000n, trial: 15_000n })
    await settle(server.app, { orgId: person.orgId, holdId: work, amountMinor: 4_000n, usage: null })
    await expireDueTrials(server.app)
    await expireDueTrials(server.app)
    expect(await dbWallet(person)).toEqual({ balance: 0n, trial: 0n })
    const [row] = await server.sql.rows<{ expired: bigint }>`
      select expired_minor as expired from trial_credits where org_id = ${person.orgId}`
    expect(row?.expired).toBe(16_000n)
  })

  // Sessions end after seven days without use, so this reads the postings.
  const expiries = ({ orgId }: Joined) =>
    server.sql.rows<{ id: string; minor: bigint }>`
      select id, -free_minor as minor from movements
      where org_id = ${orgId} and source = 'trial' and kind = 'debit' order by seq`
  const dbWallet = async ({ orgId }: Joined) =>
    (
      await server.sql
        .rows`select balance_minor as balance, trial_minor as trial from wallets where org_id = ${orgId}`
    )[0]
})

test('a mailbox is the address without its tag and without ignored dots', () => {
  expect(mailboxOf('ada.l+x@gmail.com')).toBe('adal@gmail.com')
  expect(mailboxOf('ada.l+x+y@example.com')).toBe('ada.l@example.com')
  expect(mailboxOf('+x@example.com')).toBe('+x@example.com')
  expect(mailboxOf('ada-l_x.y@pm.me')).toBe('adalxy@proton.me')
  expect(mailboxOf('ada-shop@yahoo.co.uk')).toBe('ada@yahoo.co.uk')
  expect(mailboxOf('ada-l@example.com')).toBe('ada-l@example.com')
})

test('the list of refused domains can be replaced and emptied', () => {
  expect(isRefusedDomain('a@yopmail.com', '')).toBe(true)
  expect(isRefusedDomain('a@notyopmail.com', '')).toBe(false)
  expect(isRefusedDomain('a@yopmail.com', '-')).toBe(false)
  expect(isRefusedDomain('a@x.evil.example', 'Evil.example, other.example')).toBe(true)
})
