import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { chooseWeighted, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { giveCredit, grantAllowance } from '@cowrie/testkit/wallet/money.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quotient } from '../../kernel/decimal.ts'
import { type Currency, currencies } from '../../kernel/money.ts'
import { runChecks, walletChecks } from '../integrity/invariants.ts'
import { RATE_CARDS } from '../rate-card.ts'
import { readBalances, release, reserve, settle } from '../wallet.ts'
import { accruedCost, accruesEveryTurn, calculateAccrued } from './accrual.ts'
import { expireDueHolds } from './expire-holds.ts'

type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

const ZERO: Fraction = { numerator: 0n, denominator: 1n }
const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})
const ceil = ({ numerator, denominator }: Fraction): bigint => (numerator + denominator - 1n) / denominator

const charge = fc.record({
  microKobo: fc.bigInt(1n, 10n ** 12n),
  numerator: fc.bigInt(1n, 10n ** 4n),
  // The denominators of different rate cards.
  denominator: fc.integer({ min: 0, max: 12 }).map((digits) => 10n ** BigInt(digits)),
})

describe('charges that accrue', () => {
  test('sum to the exact rational sum over a year of changing prices and rate cards, rounded up once', () => {
    fc.assert(
      fc.property(fc.array(charge, { minLength: 1, maxLength: 400 }), (charges) => {
        let paidBefore = '0'
        let debited = 0n
        let exact = ZERO
        for (const { microKobo, ...rate } of charges) {
          const own = { numerator: microKobo * rate.numerator, denominator: 1_000_000n * rate.denominator }
          const exactCost = accruedCost({ currency: 'XOF', accrues: true, ...rate }, 0n, microKobo) ?? ''
          const { chargedMinor, paidAfter } = calculateAccrued({ exactCost, paidBefore })
          expect(chargedMinor >= 0n && chargedMinor <= ceil(own)).toBe(true)
          debited += chargedMinor
          exact = plus(exact, own)
          paidBefore = paidAfter
        }
        expect(debited).toBe(ceil(exact))
        const rest = debited * exact.denominator - exact.numerator
        expect(paidBefore).toBe(quotient(rest, exact.denominator))
      }),
    )
  })

  test('are all charges in other currencies, and in naira the first of a run below one kobo', () => {
    const naira = { currency: 'NGN', numerator: 1n, denominator: 1n } as const
    expect(accruedCost(naira, 0n, 999_999n)).toBe('0.999999')
    expect(accruedCost(naira, 0n, 1_000_000n)).toBeNull()
    expect(accruedCost(naira, 400_000n, 300_000n)).toBeNull()
    expect(accruedCost(naira, 0n, 0n)).toBeNull()
    const francs = { currency: 'XOF', accrues: true, numerator: 39n, denominator: 10_000n } as const
    expect(accruedCost(francs, 400_000n, 84_000_000n)).toBe('0.3276')
    expect(accruedCost({ ...francs, accrues: false }, 0n, 84_000_000n)).toBeNull()
    expect(currencies.filter((each) => !accruesEveryTurn(each))).toEqual(['NGN'])
  })

  test('have an exact cost under every rate card', () => {
    for (const { rates } of Object.values(RATE_CARDS))
      for (const [currency, rate] of Object.entries(rates))
        expect(accruedCost({ currency: currency as Currency, accrues: true, ...rate }, 0n, 1n)).toMatch(
          /^\d+(\.\d{1,24})?$/,
        )
  })
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0

async function owner(balanceMinor: bigint, currency: Currency = 'XOF'): Promise<Person> {
  const person = await server.person()
  await server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
  return person
}

async function hold({ orgId, userId }: Person, amountMinor: bigint) {
  const deadline = new Date(server.clock.now().getTime() + 60_000)
  const ref = `work ${++count}`
  const held = await reserve(server.app, {
    ...{ orgId, userId, ref, source: 'gateway', amountMinor, terms: {}, deadline },
  })
  if (!held.ok) throw new Error(`refused: ${held.reason}`)
  return held.hold.holdId
}

const USAGE = { lane: 'open', model: 'm', tokens: 1n } as const

/** Holds and settles a charge of an exact cost. Returns its debit. */
async function pay(person: Person, exactCost: string): Promise<bigint> {
  const amountMinor = BigInt(Math.ceil(Number(exactCost)))
  const holdId = await hold(person, amountMinor)
  const { orgId } = person
  const settled = await settle(server.app, { orgId, holdId, amountMinor, exactCost, usage: USAGE })
  return settled.hold.chargedMinor
}

const accrualOf = ({ orgId }: Person) =>
  server.sql.maybe<{ charged: bigint; cost: string }>`
    select charged_minor::bigint as charged, trim_scale(exact_cost)::text as cost
    from wallet_accruals where org_id = ${orgId}`

const balanceOf = async ({ orgId }: Person) => (await readBalances(server.app.db.direct, orgId)).balanceMinor

async function expectSound(): Promise<void> {
  const results = await runChecks(server.app, walletChecks)
  expect(results.filter(({ ok }) => !ok)).toEqual([])
}

describe('the ledger', () => {
  test('debits the rounded-up sum of exact costs, and never more than one cost rounded up', async () => {
    const person = await owner(100_000n)
    const random = seeded(88)
    let [debited, exact] = [0n, 0n]
    for (let round = 0; round < 8; round++) {
      const costs = Array.from({ length: 40 }, () => {
        const most = chooseWeighted(random, { '1000000': 6, '3000000': 3, '40000000': 1 })
        return 1n + BigInt(Math.floor(random() * Number(most)))
      })
      const debits = await Promise.all(costs.map((each) => pay(person, quotient(each, 1_000_000n))))
      for (const [i, debit] of debits.entries()) {
        const cost = costs[i] ?? 0n
        expect(debit >= 0n && debit <= (cost + 999_999n) / 1_000_000n).toBe(true)
        debited += debit
        exact += cost
      }
      expect(debited).toBe((exact + 999_999n) / 1_000_000n)
    }
    expect(await accrualOf(person)).toEqual({ charged: debited, cost: quotient(exact, 1_000_000n) })
    expect(await balanceOf(person)).toBe(100_000n - debited)
    await expectSound()
  })

  test('adds up 64 parallel settlements of several wallets exactly', async () => {
    const people = [await owner(1_000n), await owner(1_000n, 'USD')]
    const debits = await Promise.all(
      Array.from({ length: 64 }, (_, i) => pay(people[i % 2] as Person, '0.3276')),
    )
    // 32 × 0.3276 = 10.4832 in each of the two.
    expect(debits.reduce((sum, each) => sum + each, 0n)).toBe(22n)
    for (const person of people) {
      expect(await accrualOf(person)).toEqual({ charged: 11n, cost: '10.4832' })
      expect(await balanceOf(person)).toBe(989n)
    }
    await expectSound()
  })

  test('accrues a settlement once, however often it is repeated', async () => {
    const person = await owner(10n)
    const { orgId } = person
    const holdId = await hold(person, 1n)
    const same = { orgId, holdId, amountMinor: 1n, exactCost: '0.25', usage: USAGE }
    const settled = await Promise.all(Array.from({ length: 5 }, () => settle(server.app, same)))
    expect(settled.map((each) => each.hold.chargedMinor)).toEqual([1n, 1n, 1n, 1n, 1n])
    await settle(server.app, same)
    expect(await accrualOf(person)).toEqual({ charged: 1n, cost: '0.25' })
  })

  test('accrues nothing for released and expired work', async () => {
    const person = await owner(10n)
    const { orgId } = person
    const [released, expired] = [await hold(person, 1n), await hold(person, 1n)]
    await release(server.app, { orgId, holdId: released })
    server.clock.advance({ minutes: 2 })
    await expireDueHolds(server.app)
    for (const holdId of [released, expired]) {
      const late = await settle(server.app, {
        ...{ orgId, holdId, amountMinor: 1n, exactCost: '0.25', usage: USAGE },
      })
      expect(late).toMatchObject({ hold: { chargedMinor: 0n }, entryId: null })
    }
    expect(await accrualOf(person)).toBeUndefined()
    await expectSound()
  })

  test('takes the debit from the allowance first', async () => {
    const person = await owner(10n)
    await grantAllowance(server, person.orgId, 2n)
    for (let i = 0; i < 9; i++) await pay(person, '0.3276')
    // 2.9484 francs: two from the allowance and one from the wallet.
    expect(await balanceOf(person)).toBe(9n)
    expect(await accrualOf(person)).toEqual({ charged: 3n, cost: '2.9484' })
  })

  test('never takes more than the hold, even for a cost above it', async () => {
    const person = await owner(10n)
    const holdId = await hold(person, 1n)
    const { orgId } = person
    const settled = await settle(server.app, {
      ...{ orgId, holdId, amountMinor: 5n, exactCost: '4.5', usage: USAGE },
    })
    expect(settled.hold.chargedMinor).toBe(1n)
    expect(await accrualOf(person)).toEqual({ charged: 1n, cost: '1' })
  })

  test('is not sound with a cost that is missing in the sum, or with debits above the sum', async () => {
    const person = await owner(10n)
    await pay(person, '0.5')
    const { orgId } = person
    const broken = async () =>
      (await runChecks(server.app, walletChecks)).filter(({ ok }) => !ok).map(({ name }) => name)
    const count = (cost: string) =>
      server.sql.rows`update wallet_accruals set exact_cost = ${cost}::numeric where org_id = ${orgId}`
    await count('0.25')
    expect(await broken()).toEqual(['accruals_are_the_exact_sum_of_charges'])
    await count('0.5')
    expect(await broken()).toEqual([])
    await server.sql.rows`delete from wallet_accruals where org_id = ${orgId}`
    expect(await broken()).toEqual(['accruals_are_the_exact_sum_of_charges'])
    await server.sql.rows`insert into wallet_accruals values (${orgId}, 1, 0.5)`
    await server.sql.rows`update holds set usage = usage || '{"exactCost": "2.5"}' where org_id = ${orgId}`
    expect(await broken()).toEqual(['accruals_are_the_exact_sum_of_charges'])
    await server.sql.rows`update holds set usage = usage || '{"exactCost": "0.5"}' where org_id = ${orgId}`
    await expectSound()
  })

  test('cannot store a rest outside of one minor unit', async () => {
    const person = await owner(10n)
    await pay(person, '0.5')
    const change = (cost: string) =>
      server.sql.rows`update wallet_accruals set exact_cost = ${cost}::numeric where org_id = ${person.orgId}`
    await expect(change('1.1')).rejects.toThrow(/violates check constraint/)
    await expect(change('0')).rejects.toThrow(/violates check constraint/)
    await expect(change('-0.5')).rejects.toThrow(/violates check constraint/)
  })
})
