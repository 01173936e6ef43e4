import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notifyLowBalances } from './low-balance.ts'

const SCHEDULES = ['wallet.']

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
  replica = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

type Mail = { subject: string; text: string }

/** All warnings to an address, after due mails were sent. */
async function warnings({ email }: { email: string }): Promise<Mail[]> {
  server.clock.advance({ seconds: 31 })
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: Mail[] }>('GET', '/dev/outbox', { query: { to: email } })
  return body.mails.filter(({ subject }) => subject === 'Your balance is low')
}

const setThreshold = (as: Person, lowBalanceThresholdMinor: number) =>
  server.call('PATCH', '/wallet/settings', { as, body: { lowBalanceThresholdMinor } })

describe('a low balance', () => {
  test('is notified once, and again only after the balance was above the threshold', async () => {
    const person = await server.person()
    await setThreshold(person, 1000)
    await giveCredit(server, person.orgId, 5000n)
    expect(await warnings(person)).toHaveLength(0)
    await spend(server, person, 4001n)
    expect(await warnings(person)).toHaveLength(1)
    await spend(server, person, 100n)
    expect(await warnings(person)).toHaveLength(1)
    await giveCredit(server, person.orgId, 101n)
    expect(await warnings(person)).toHaveLength(1)
    await spend(server, person, 1n)
    const mails = await warnings(person)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.text).toContain('holds ₦9.99, which is below ₦10.00')
    expect(mails[0]?.text).toContain('http://cowrie.test/app/wallet')
  })

  test('uses the default threshold for an organisation without its own', async () => {
    const person = await server.person()
    await giveCredit(server, person.orgId, 50_000n)
    expect(await warnings(person)).toHaveLength(0)
    await spend(server, person, 1n)
    expect((await warnings(person))[0]?.text).toContain('below ₦500.00')
  })

  test('is not notified for a wallet that was never above, a new threshold or a hold', async () => {
    const person = await server.person()
    await giveCredit(server, person.orgId, 200n)
    await spend(server, person, 100n)
    await setThreshold(person, 50)
    await setThreshold(person, 500)
    expect(await warnings(person)).toHaveLength(0)
    await setThreshold(person, 50)
    await holdSome(server, person, 100n)
    expect(await warnings(person)).toHaveLength(0)
  })

  test('is notified with a threshold equal to the previous balance, and only by the own threshold', async () => {
    const [person, other] = [await server.person(), await server.person()]
    for (const { orgId } of [person, other]) await giveCredit(server, orgId, 1000n)
    await setThreshold(other, 100)
    await setThreshold(person, 1000)
    for (const each of [person, other]) await spend(server, each, 1n)
    expect([await warnings(person), await warnings(other)]).toMatchObject([[{}], []])
  })

  test('is not notified if the balance has recovered before the mail', async () => {
    const person = await server.person()
    await setThreshold(person, 1000)
    await giveCredit(server, person.orgId, 1000n)
    await spend(server, person, 1n)
    await giveCredit(server, person.orgId, 1n)
    expect(await warnings(person)).toHaveLength(0)
  })

  test('is sent to owners and admins with a verified address, not to members', async () => {
    const owner = await server.person({ type: 'team' })
    const [admin, member, unverified] = [
      await server.member(owner.orgId, 'admin'),
      await server.member(owner.orgId, 'member'),
      await server.member(owner.orgId, 'admin'),
    ]
    await server.sql.rows`update users set verified_at = null where id = ${unverified.userId}`
    await giveCredit(server, owner.orgId, 60_000n)
    await spend(server, owner, 20_000n)
    const counts = []
    for (const each of [owner, admin, member, unverified]) counts.push((await warnings(each)).length)
    expect(counts).toEqual([1, 1, 0, 0])
  })

  test('is notified once with two replicas', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => server.person()))
    for (const person of people) {
      await giveCredit(server, person.orgId, 60_000n)
      await spend(server, person, 20_000n)
    }
    const claimed = await Promise.all([server.app, replica.app, server.app].map(notifyLowBalances))
    expect(claimed.reduce((sum, each) => sum + each, 0)).toBe(6)
    for (const person of people) expect(await warnings(person)).toHaveLength(1)
  })
})
