import { createHash } from 'node:crypto'
import { type Person, type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, giveManyCredits, grantAllowance, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { summarizeCheck } from './proof.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Proof = {
  balanceMinor: bigint
  movements: number
  matches: boolean
  head: { seq: number; hash: string }
  checked: {
    fromSeq: number
    toSeq: number
    intact: boolean
    brokenAt: number | null
    olderFrom: number | null
  }
}
type PostingsPage = { movements: PostingRecord[]; nextAfter: number | null }
type PostingRecord = Record<string, string | number | bigint | null>

const prove = async (as: Person, query: Record<string, string> = {}) =>
  (await server.call<Proof>('GET', '/wallet/proof', { as, query })).body

/** A person whose wallet has several kinds of postings. */
async function personWithPostings(): Promise<Person> {
  const person = await server.person()
  await giveCredit(server, person.orgId, 1000n)
  await grantAllowance(server, person.orgId, 100n)
  await spend(server, person, 150n, 300n)
  await holdSome(server, person, 200n)
  return person
}

/** Changes append-only rows, as the owner of the tables can. */
async function tamper(work: () => Promise<unknown>): Promise<void> {
  await server.sql.rows`alter table movements disable trigger no_change`
  await work()
  await server.sql.rows`alter table movements enable trigger no_change`
}

describe('the proof of a balance', () => {
  test('shows that the balance is the sum of postings and holds', async () => {
    const person = await personWithPostings()
    const proof = await prove(person)
    expect(proof).toMatchObject({
      currency: 'NGN',
      balanceMinor: 950n,
      heldMinor: 200n,
      includedRemainingMinor: 0n,
      movements: 5,
      sums: { creditsMinor: 1000n, debitsMinor: 50n, netMinor: 950n },
      matches: true,
      holdsOpen: 1,
      heldByHoldsMinor: 200n,
      head: { seq: 5 },
      checked: { fromSeq: 1, toSeq: 5, intact: true, brokenAt: null, olderFrom: null },
    })
    expect(proof.head.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('of an empty wallet is valid', async () => {
    expect(await prove(await server.person())).toMatchObject({
      movements: 0,
      matches: true,
      head: { seq: 0, hash: '' },
      checked: { fromSeq: 0, toSeq: 0, intact: true, brokenAt: null },
    })
  })

  test('can be recomputed from the postings and the documented recipe', async () => {
    const person = await personWithPostings()
    let previous = Buffer.alloc(0)
    let after: number | null = 0
    let balance = 0n
    for (let page = 0; page < 10 && after !== null; page++) {
      const reply: Reply<PostingsPage> = await server.call('GET', '/wallet/proof/movements', {
        as: person,
        query: { after: String(after), limit: '2' },
      })
      for (const m of reply.body.movements) {
        const text = [
          ...['movement-1', person.orgId, m.seq, m.id, m.kind, m.freeMinor, m.heldMinor, m.includedMinor],
          ...[m.includedHeldMinor, m.revenueMinor, m.allowanceMinor, m.account ?? '-', m.accountMinor],
          ...[m.source, m.ref, m.balanceAfterMinor, m.cause ?? '-', m.holdId ?? '-', m.createdAtMicros],
        ].join('|')
        previous = createHash('sha256').update(previous).update(text).digest()
        expect(previous.toString('hex')).toBe(m.hash)
        balance += BigInt(m.freeMinor ?? 0) + BigInt(m.heldMinor ?? 0)
      }
      after = reply.body.nextAfter
    }
    const proof = await prove(person)
    expect(previous.toString('hex')).toBe(proof.head.hash)
    expect(balance).toBe(proof.balanceMinor)
  })

  test('shows no postings of other organisations', async () => {
    await personWithPostings()
    const reply = await server.call('GET', '/wallet/proof/movements', { as: await server.person() })
    expect(reply.body).toEqual({ movements: [], nextAfter: null })
  })

  test('continues page by page and finds a changed posting on an older page', async () => {
    const person = await server.person()
    await giveManyCredits(server, person.orgId, 10_500)
    const newest = await prove(person)
    expect(newest.checked).toMatchObject({ fromSeq: 501, toSeq: 10_500, intact: true, olderFrom: 500 })
    const older = await prove(person, { from: '500' })
    expect(older.checked).toMatchObject({ fromSeq: 1, toSeq: 500, intact: true, olderFrom: null })
    await tamper(
      () => server.sql.rows`update movements set ref = 'another' where org_id = ${person.orgId} and seq = 77`,
    )
    expect((await prove(person)).checked.intact).toBe(true)
    expect((await prove(person, { from: '500' })).checked).toMatchObject({ intact: false, brokenAt: 77 })
    await tamper(() => server.sql.rows`delete from movements where org_id = ${person.orgId} and seq = 500`)
    expect(await prove(person)).toMatchObject({ matches: false, checked: { intact: false, brokenAt: 500 } })
  })

  test.for<[string, (org: string) => Promise<unknown>, number | null, boolean]>([
    [
      'a changed reference',
      (org) => server.sql.rows`update movements set ref = 'x' where org_id = ${org} and seq = 2`,
      2,
      true,
    ],
    [
      'a deleted first posting',
      (org) => server.sql.rows`delete from movements where org_id = ${org} and seq = 1`,
      1,
      false,
    ],
    [
      'a deleted last posting',
      (org) => server.sql.rows`delete from movements where org_id = ${org} and seq = 5`,
      5,
      false,
    ],
    [
      'a changed head',
      (org) => server.sql.rows`update wallets set head = sha256('x') where org_id = ${org}`,
      5,
      true,
    ],
    [
      'a balance that does not continue the previous one, with recomputed hashes',
      async (org) => {
        await server.sql.rows`update movements set balance_after_minor = 7 where org_id = ${org} and seq = 5`
        await server.sql.rows`
          update movements m set hash = movement_hash(b.hash, m) from movements b
          where m.org_id = ${org} and m.seq = 5 and b.org_id = m.org_id and b.seq = 4`
        await server.sql.rows`
          update wallets w set head = m.hash from movements m where m.org_id = ${org} and m.seq = 5 and w.org_id = m.org_id`
      },
      5,
      true,
    ],
    [
      'an allowance without a grant',
      (org) => server.sql.rows`update wallets set included_minor = included_minor + 5 where org_id = ${org}`,
      null,
      false,
    ],
    [
      'held money in wallet and hold without a posting',
      async (org) => {
        await server.sql.rows`update wallets set held_minor = held_minor + 5 where org_id = ${org}`
        await server.sql.rows`
          update holds set amount_minor = amount_minor + 5 where id in
            (select id from holds where org_id = ${org} and state = 'open' limit 1)`
      },
      null,
      false,
    ],
    [
      'a posting after the head',
      (org) => server.sql.rows`
        insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor,
          revenue_minor, allowance_minor, account_minor, source, ref, balance_after_minor, cause, created_at, hash)
        values (${org}, 6, ${`led_of_${org}`}, 'grant', 0, 0, 0, 0, 0, 0, 0, 'subscription', 'x', 950, ${`x ${org}`},
          ${server.clock.now()}, sha256('x'))`,
      null,
      false,
    ],
    [
      'a balance without a posting',
      (org) => server.sql.rows`update wallets set balance_minor = balance_minor + 1 where org_id = ${org}`,
      null,
      false,
    ],
    [
      'a deleted open hold',
      (org) => server.sql.rows`delete from holds where org_id = ${org} and state = 'open'`,
      null,
      false,
    ],
  ])('detects %s', async ([, change, brokenAt, matches]) => {
    const person = await personWithPostings()
    await tamper(() => change(person.orgId))
    expect(await prove(person)).toMatchObject({ matches, checked: { intact: brokenAt === null, brokenAt } })
  })

  test('is consistent during concurrent writes', async () => {
    const person = await server.person()
    await giveCredit(server, person.orgId, 100_000n)
    const writing = Promise.all(Array.from({ length: 40 }, () => spend(server, person, 7n, 30n)))
    const proofs = await Promise.all(Array.from({ length: 15 }, () => prove(person)))
    await writing
    for (const { matches, checked } of proofs)
      expect({ matches, ...checked }).toMatchObject({ matches: true, intact: true })
  })

  test.for([{ from: '0' }, { from: '-1' }, { from: 'x' }])('400 for %j', async (query) => {
    const reply = await server.call('GET', '/wallet/proof', { as: await server.person(), query })
    expect(reply.status).toBe(400)
  })
})

test('at most two proofs run at the same time', async () => {
  const asker = await server.person()
  await giveManyCredits(server, asker.orgId, 1_000)
  let most = 0n
  // A sample may fall between two proofs, so the test runs more rounds until one sees a proof.
  for (let round = 0; round < 20 && most === 0n; round++) {
    let isOver = false
    const running = Promise.all(Array.from({ length: 30 }, () => prove(asker))).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const { count } = await server.sql.one<{ count: bigint }>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%before_seq%'
          and pid <> pg_backend_pid()`
      if (count > most) most = count
    }
    expect((await running).every(({ matches }) => matches)).toBe(true)
  }
  expect(most).toBeGreaterThan(0n)
  expect(most).toBeLessThanOrEqual(2n)
})

test('a page with missing postings at its end is broken there', () => {
  const page = { toSeq: 9n, headSeq: 9n, headHash: 'h', found: 7n, lastHash: null, brokenAt: null }
  expect(summarizeCheck(page)).toMatchObject({ intact: false, brokenAt: 8n })
})
