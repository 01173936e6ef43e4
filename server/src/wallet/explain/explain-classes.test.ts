import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Currency } from '../../kernel/money.ts'
import { reserveTurn, settleTurn, type TurnUsage } from '../../metering/metering.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0

async function owner(currency: Currency = 'NGN'): Promise<Person> {
  const person = await server.person()
  if (currency !== 'NGN')
    await server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  await giveCredit(server, person.orgId, 100_000n)
  return person
}

const CLASS_PRICES = { input: 300_000n, output: 1_500_000n, cachedInput: 30_000n, cacheWrite: 375_000n }

/** Settles one turn of a run that has used `spentMicroKobo` before. */
async function spendByClass(
  { orgId, userId }: Person,
  currency: Currency,
  used: TurnUsage,
  spentMicroKobo = 0n,
) {
  const turn = await reserveTurn(server.app, {
    orgId,
    userId,
    ref: `turn ${++count}`,
    source: 'gateway',
    lane: 'frontier',
    model: 'sonnet-5',
    classPrices: CLASS_PRICES,
    currency,
    promptTokens: 10_000,
    outputCeiling: 1000,
    leastOutput: 1000,
    spentMicroKobo,
    deadline: new Date(server.clock.now().getTime() + 60_000),
  })
  const settled = await settleTurn(server.app, turn, used)
  return { ...settled, entryId: settled.entryId ?? '' }
}

type ClassRow = { class: string; tokens: number; priceKoboPer1m: number; exactKobo: string }
/** Decimal kobo as millionths: the sums below must be exact. */
const micro = (kobo: unknown): bigint => {
  const [whole = '0', fraction = ''] = String(kobo).split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

type Explanation = {
  entry: Record<string, unknown>
  explanation: { metered: Record<string, unknown> | null } & Record<string, unknown>
}
const explain = (as: { bearer: string }, id: string) =>
  server.call<Explanation>('GET', `/wallet/ledger/${id}`, { as })

test('a charge by token class lists every class, and adds up exactly', async () => {
  const person = await owner()
  const used = { promptTokens: 9001, cachedTokens: 7003, cacheWriteTokens: 1500, outputTokens: 101 }
  const { entryId } = await spendByClass(person, 'NGN', used)
  const { body } = await explain(person, entryId)
  expect(body.entry).toMatchObject({ type: 'debit', amountMinor: 1074n, source: 'gateway' })
  expect(body.explanation).toMatchObject({
    summary:
      '9,102 tokens of sonnet-5 (498 input, 7,003 cached input, 1,500 cache write, 101 output): ₦10.74.',
    metered: {
      tokens: 9102,
      billedTokens: 9102,
      promptTokens: 9001,
      cachedTokens: 7003,
      cacheWriteTokens: 1500,
      priceKoboPer1m: 300_000,
      classes: [
        { class: 'input', tokens: 498, priceKoboPer1m: 300_000, exactKobo: '149.4' },
        { class: 'cachedInput', tokens: 7003, priceKoboPer1m: 30_000, exactKobo: '210.09' },
        { class: 'cacheWrite', tokens: 1500, priceKoboPer1m: 375_000, exactKobo: '562.5' },
        { class: 'output', tokens: 101, priceKoboPer1m: 1_500_000, exactKobo: '151.5' },
      ],
      exactKobo: '1073.49',
      unbilledKobo: '0',
      costMinor: 1074n,
      recomputed: true,
      steps: [
        '498 input tokens × 300000 kobo per million = 149.4 kobo',
        '7003 cached input tokens × 30000 kobo per million = 210.09 kobo',
        '1500 cache write tokens × 375000 kobo per million = 562.5 kobo',
        '101 output tokens × 1500000 kobo per million = 151.5 kobo',
        '149.4 + 210.09 + 562.5 + 151.5 = 1073.49 kobo',
        '1073.49 rounded up = 1074',
      ],
    },
    settlement: { chargedMinor: 1074n, releasedMinor: 4176n },
  })
})

test('a run by token class in another currency is rounded once, and its classes add up', async () => {
  const person = await owner('KES')
  let spentMicroKobo = 0n
  let charged = 0n
  let exact = 0n
  for (let step = 1; step <= 4; step++) {
    const used = {
      promptTokens: 1001 * step,
      cachedTokens: 333 * step,
      cacheWriteTokens: 7 * step,
      outputTokens: 11 * step,
    }
    const settled = await spendByClass(person, 'KES', used, spentMicroKobo)
    spentMicroKobo = settled.spentMicroKobo
    charged += settled.chargedMinor
    const metered = (await explain(person, settled.entryId)).body.explanation.metered
    expect(metered).toMatchObject({ recomputed: true, costMinor: settled.chargedMinor })
    const rows = metered?.classes as ClassRow[]
    const sum = rows.reduce((total, row) => total + micro(row.exactKobo), 0n)
    expect(sum).toBe(micro(metered?.exactKobo))
    for (const row of rows) expect(micro(row.exactKobo)).toBe(BigInt(row.tokens) * BigInt(row.priceKoboPer1m))
    exact += sum
  }
  expect(spentMicroKobo).toBe(exact)
  // 89 cents per 1,000 kobo.
  expect(charged).toBe((exact * 89n + 999_999_999n) / 1_000_000_000n)
})

test('what a provider reports beyond the reservation is shown and not charged', async () => {
  const person = await owner()
  const { entryId } = await spendByClass(person, 'NGN', { promptTokens: 9000, outputTokens: 9000 })
  const { body } = await explain(person, entryId)
  expect(body.entry).toMatchObject({ amountMinor: 5250n })
  expect(body.explanation.metered).toMatchObject({
    tokens: 18_000,
    billedTokens: 10_700,
    exactKobo: '5250',
    unbilledKobo: '10950',
    recomputed: true,
    steps: [
      '9000 input tokens × 300000 kobo per million = 2700 kobo',
      '9000 output tokens × 1500000 kobo per million = 13500 kobo',
      '2700 + 13500 = 16200 kobo',
      '16200 kobo − 10950 kobo beyond the reservation = 5250 kobo',
      '5250 rounded up = 5250',
    ],
  })
})
