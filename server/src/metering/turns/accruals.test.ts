// Small calls in a currency whose minor unit is worth many kobo: they cost exactly their price, and each is explained.
import { type Customer, type OpenAiApi, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import { giveCredit, grantAllowance } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Currency } from '../../kernel/money.ts'
import { runChecks, walletChecks } from '../../wallet/wallet.ts'
import { flushRequestLog } from '../requests/request-log.ts'
import { reserveTurn, settleTurn } from './turns.ts'

let api: OpenAiApi
beforeAll(async () => {
  // A token costs 0.09 kobo.
  api = await startOpenAiApi({ SERVICE_PRICE_OPEN_KOBO_PER_1M: '90000' })
  api.upstream.fallback(() => ({ text: 'Hello.', usage: TOKENS }))
})
afterAll(() => api.close())

/** 120 tokens: 10.8 kobo, or 0.04212 francs. */
const TOKENS = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const BODY = { model: 'open', messages: [{ role: 'user', content: 'Hello. '.repeat(50) }], max_tokens: 50 }

async function customer(currency: Currency, balanceMinor = 1_000n, includedMinor = 0n): Promise<Customer> {
  const { server } = api
  const person = await server.person()
  await server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  await giveCredit(server, person.orgId, balanceMinor)
  if (includedMinor > 0n) await grantAllowance(server, person.orgId, includedMinor)
  const { bearer } = await server.key(person, ['agent:run'])
  return { ...person, key: bearer }
}

const callModel = (who: Customer) => api.post(who, '/v1/chat/completions', BODY)

type Row = { costMinor: bigint; exactCost: string | null; ledgerId: string | null }

async function rowsOf(who: Customer): Promise<Row[]> {
  await flushRequestLog(api.server.app)
  const reply = await api.server.call<{ requests: Row[] }>('GET', '/usage/requests', {
    as: who,
    query: { limit: '200' },
  })
  return reply.body.requests
}

const spentBy = async (who: Customer, of = 1_000n) => of - (await api.money(who)).balanceMinor

const accrualOf = ({ orgId }: Customer) =>
  api.server.sql.maybe<{ charged: bigint; cost: string }>`
    select charged_minor::bigint as charged, trim_scale(exact_cost)::text as cost
    from wallet_accruals where org_id = ${orgId}`

describe('a call below one minor unit', () => {
  test('is paid by the calls before it until their debits are used up', async () => {
    const ada = await customer('XOF')
    for (let i = 0; i < 30; i++) expect((await callModel(ada)).status).toBe(200)
    // 30 × 0.04212 = 1.2636 francs.
    expect(await spentBy(ada)).toBe(2n)
    const rows = await rowsOf(ada)
    expect(rows.map(({ costMinor }) => costMinor).filter((cost) => cost > 0n)).toEqual([1n, 1n])
    expect(new Set(rows.map(({ exactCost }) => exactCost))).toEqual(new Set(['0.04212']))
    api.server.clock.advance({ seconds: 1 })
    const usage = await api.server.call<{ points: Row[] }>('GET', '/me/usage', { as: ada })
    expect(usage.body.points).toHaveLength(30)
    expect(usage.body.points[0]).toMatchObject({ costMinor: 0n, exactCost: '0.04212' })
    const ledger = await api.server.call<{ entries: { type: string }[] }>('GET', '/wallet/ledger', {
      as: ada,
    })
    expect(ledger.body.entries.filter(({ type }) => type === 'debit')).toHaveLength(2)
  })

  test('is explained with its exact cost and what was already paid, also when nothing was debited', async () => {
    const ada = await customer('XOF')
    await callModel(ada)
    api.server.clock.advance({ seconds: 1 })
    await callModel(ada)
    const [second, first] = await rowsOf(ada)
    const explain = (row: Row | undefined) =>
      api.server.call<{ entry: object; explanation: object }>('GET', `/wallet/ledger/${row?.ledgerId}`, {
        as: ada,
      })
    expect((await explain(first)).body).toMatchObject({
      entry: { type: 'debit', amountMinor: 1n },
      explanation: {
        metered: {
          costMinor: 1n,
          recomputed: true,
          accrual: {
            ...{ exactCost: '0.04212', paidBefore: '0', paidAfter: '0.95788' },
            sentence:
              'This call cost exactly CFA0.04212. CFA1 was debited, and the difference pays for the next calls.',
          },
        },
      },
    })
    expect((await explain(second)).body).toMatchObject({
      entry: { type: 'debit', amountMinor: 0n },
      explanation: {
        metered: {
          costMinor: 0n,
          recomputed: true,
          accrual: {
            ...{ exactCost: '0.04212', paidBefore: '0.95788', paidAfter: '0.91576' },
            sentence:
              'This call cost exactly CFA0.04212. CFA0.95788 was already paid by earlier calls, so nothing was debited.',
          },
          steps: [
            '120 tokens × 90000 kobo per million = 10.8 kobo',
            '10.8 kobo × 39/10000 = 0.04212 franc',
            '0.95788 paid by earlier calls − 0.04212 = 0.91576 for the next calls',
          ],
        },
        settlement: { chargedMinor: 0n, fromWalletMinor: 0n },
      },
    })
  })

  test('is charged once when it is repeated under its idempotency key', async () => {
    const ada = await customer('USD')
    const headers = { 'idempotency-key': 'once' }
    const call = () =>
      api.server.call('POST', '/v1/chat/completions', { as: { bearer: ada.key }, body: BODY, headers })
    const replies = [await call(), await call(), await call()]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(replies[2]?.headers['idempotency-replayed']).toBe('true')
    // 10.8 kobo × 69 ÷ 100,000 cents.
    expect(await accrualOf(ada)).toEqual({ charged: 1n, cost: '0.007452' })
  })

  test('is free when the provider fails, and leaves what was paid as it was', async () => {
    const ada = await customer('XOF')
    await callModel(ada)
    api.server.clock.advance({ seconds: 1 })
    const before = await accrualOf(ada)
    api.upstream.script(...Array.from({ length: 4 }, () => ({ status: 400, body: {} })))
    expect((await callModel(ada)).status).toBeGreaterThanOrEqual(400)
    api.upstream.reset()
    api.upstream.fallback(() => ({ text: 'Hello.', usage: TOKENS }))
    expect(await accrualOf(ada)).toEqual(before)
    const [failed] = await rowsOf(ada)
    expect(failed).toMatchObject({ costMinor: 0n, exactCost: null, ledgerId: null })
  })

  test('counts its debit against the budget of its key, and nothing beyond', async () => {
    const ada = await customer('XOF', 1_000n, 5n)
    const body = { name: 'small', scopes: ['agent:run'], budgetMinor: 3n }
    const made = await api.server.call<{ key: string }>('POST', '/auth/keys', { as: ada, body })
    expect(made.status).toBe(200)
    const keyed = { ...ada, key: made.body.key }
    for (let i = 0; i < 25; i++) expect((await callModel(keyed)).status).toBe(200)
    // 25 × 0.04212 = 1.053 francs: 2 of the 3 in the budget, from the allowance.
    expect(await spentBy(ada)).toBe(0n)
    expect(await accrualOf(ada)).toEqual({ charged: 2n, cost: '1.053' })
    const { spent } = await api.server.sql.one<{ spent: bigint }>`
      select spent_minor as spent from key_spend where org_id = ${ada.orgId}`
    expect(spent).toBe(2n)
  })
})

describe('in naira', () => {
  test('a charge of a kobo or more is rounded up by itself, and stores no accrual', async () => {
    const ada = await customer('NGN')
    for (let i = 0; i < 3; i++) await callModel(ada)
    expect(await spentBy(ada)).toBe(33n)
    expect(await accrualOf(ada)).toBeUndefined()
    expect((await rowsOf(ada)).map(({ exactCost }) => exactCost)).toEqual([null, null, null])
  })

  test('charges below one kobo accumulate', async () => {
    const ada = await customer('NGN')
    for (let i = 0; i < 10; i++)
      expect((await api.post(ada, '/v1/embeddings', { model: 'open', input: 'Hello, hello' })).status).toBe(
        200,
      )
    // 10 × 3 tokens × 0.09 kobo = 2.7 kobo.
    expect(await spentBy(ada)).toBe(3n)
    expect(await accrualOf(ada)).toEqual({ charged: 3n, cost: '2.7' })
  })
})

test('turns of a run pay their exact sum, and each is covered by its hold', async () => {
  const { app, clock } = api.server
  const { orgId, userId } = await customer('XOF')
  let [spentMicroKobo, charged] = [0n, 0n]
  for (let step = 1; step <= 11; step++) {
    const turn = await reserveTurn(app, {
      ...{ orgId, userId, ref: `run.${step}`, source: 'agent', lane: 'open', model: 'm', currency: 'XOF' },
      ...{ promptTokens: 1_000, outputCeiling: 1_000, leastOutput: 1_000, spentMicroKobo },
      deadline: new Date(clock.now().getTime() + 60_000),
    })
    // 180 kobo at most: 0.702 francs.
    expect(turn.hold.amountMinor).toBe(1n)
    const settled = await settleTurn(app, turn, { promptTokens: 1_000, outputTokens: 100 * step - 100 })
    charged += settled.chargedMinor
    spentMicroKobo = settled.spentMicroKobo
  }
  // 11,000 + 5,500 tokens: 1,485 kobo, or 5.7915 francs.
  expect(spentMicroKobo).toBe(1_485_000_000n)
  expect(charged).toBe(6n)
})

test('the books agree after all of it', async () => {
  const results = await runChecks(api.server.app, walletChecks)
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(
    results.find(({ name }) => name === 'accruals_are_the_exact_sum_of_charges')?.checked,
  ).toBeGreaterThan(4n)
})
