import { createHash } from 'node:crypto'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { grantAllowance } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { reserveTurn, settleTurn } from '../../metering/metering.ts'
import { credit, debit, type PostingInput, readBalances, reserve, settle } from '../wallet.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0

async function owner(currency: Currency = 'NGN', balanceMinor = 100_000n, includedMinor = 0n) {
  const person = await server.person()
  const { orgId } = person
  if (currency !== 'NGN') await server.sql.rows`update orgs set currency = ${currency} where id = ${orgId}`
  const topup = await postEntry(person, { amountMinor: balanceMinor })
  if (includedMinor > 0n) await grantAllowance(server, orgId, includedMinor)
  return { person, topup }
}

async function postEntry({ orgId }: Person, rest: Partial<PostingInput>, post = credit): Promise<string> {
  const cause = `move ${++count}`
  const { entryId } = await server.app.db.tx(orgId, (tx) =>
    post(server.app, tx, {
      orgId,
      amountMinor: 1000n,
      source: 'topup',
      ref: 'tp0123456789',
      cause,
      account: 'clearing:paystack',
      ...rest,
    }),
  )
  return entryId ?? ''
}

/** Settles one turn of a run that has used `spentMicroKobo` before. */
async function spend({ orgId, userId }: Person, currency: Currency, tokens: number, spentMicroKobo = 0n) {
  const turn = await reserveTurn(server.app, {
    orgId,
    userId,
    ref: `turn ${++count}`,
    source: 'chat',
    lane: 'open',
    model: 'm-1',
    currency,
    promptTokens: 1000,
    outputCeiling: 4000,
    leastOutput: 4000,
    spentMicroKobo,
    deadline: new Date(server.clock.now().getTime() + 60_000),
  })
  const settled = await settleTurn(server.app, turn, { promptTokens: 1000, outputTokens: tokens - 1000 })
  return { ...settled, entryId: settled.entryId ?? '' }
}

type Explanation = {
  entry: Record<string, unknown>
  explanation: { metered: Record<string, unknown> | null } & Record<string, unknown>
  chain: { seq: number; hash: string; previousHash: string }
}
const explain = (as: { bearer: string }, id: string) =>
  server.call<Explanation>('GET', `/wallet/ledger/${id}`, { as })

describe('200', () => {
  test('a charge is explained with its terms, usage and calculation', async () => {
    const { person } = await owner()
    const { entryId, hold } = await spend(person, 'NGN', 1204)
    const { status, body } = await explain(person, entryId)
    expect(status).toBe(200)
    expect(body.entry).toMatchObject({ id: entryId, type: 'debit', amountMinor: 109n, source: 'chat' })
    expect(body.explanation).toEqual({
      kind: 'metered',
      summary: '1,204 tokens on the open lane at ₦900.00 per million: ₦1.09.',
      metered: {
        lane: 'open',
        model: 'm-1',
        tokens: 1204,
        billedTokens: 1204,
        promptTokens: 1000,
        outputTokens: 204,
        cachedTokens: null,
        cacheWriteTokens: null,
        reasoningTokens: null,
        priceKoboPer1m: 90_000,
        classes: null,
        rateCard: '2026-11',
        rate: { numerator: '1', denominator: '1' },
        exactKobo: '108.36',
        unbilledKobo: '0',
        runBeforeMinor: 0n,
        runAfterMinor: 109n,
        costMinor: 109n,
        accrual: null,
        steps: ['1204 tokens × 90000 kobo per million = 108.36 kobo', '108.36 rounded up = 109'],
        recomputed: true,
      },
      hold: {
        id: hold.holdId,
        reservedMinor: 450n,
        includedMinor: 0n,
        reservedAt: server.clock.now().toISOString(),
        deadline: new Date(server.clock.now().getTime() + 60_000).toISOString(),
      },
      settlement: {
        chargedMinor: 109n,
        fromIncludedMinor: 0n,
        fromWalletMinor: 109n,
        releasedMinor: 341n,
        at: server.clock.now().toISOString(),
      },
      payment: null,
    })
  })

  test('a later turn of a run in another currency shows the whole calculation', async () => {
    const { person } = await owner('KES')
    const first = await spend(person, 'KES', 1204)
    const second = await spend(person, 'KES', 1310, first.spentMicroKobo)
    const { body } = await explain(person, second.entryId)
    expect(body.explanation).toMatchObject({
      summary:
        '1,310 tokens on the open lane at ₦900.00 per million, converted by the rate card 2026-11: KSh0.11.',
      metered: {
        runBeforeMinor: 10n,
        runAfterMinor: 21n,
        costMinor: 11n,
        recomputed: true,
        accrual: {
          exactCost: '10.4931',
          paidBefore: '0.35596',
          paidAfter: '0.86286',
          sentence:
            'This call cost exactly KSh0.104931. KSh0.0035596 was already paid by earlier calls, so KSh0.11 was debited.',
        },
        steps: [
          '1310 tokens × 90000 kobo per million = 117.9 kobo',
          '117.9 kobo × 89/1000 = 10.4931 cent',
          '10.4931 − 0.35596 paid by earlier calls = 10.13714',
          '10.13714 rounded up = 11',
        ],
      },
    })
  })

  test('the explanation separates the parts that allowance and wallet paid', async () => {
    const { person } = await owner('NGN', 1000n, 100n)
    const { entryId } = await spend(person, 'NGN', 1204)
    const { body } = await explain(person, entryId)
    expect(body.entry).toMatchObject({ amountMinor: 9n })
    expect(body.explanation).toMatchObject({
      summary:
        '1,204 tokens on the open lane at ₦900.00 per million: ₦1.09. Your plan’s allowance paid ₦1.00 of it.',
      settlement: { chargedMinor: 109n, fromIncludedMinor: 100n, fromWalletMinor: 9n },
      hold: { includedMinor: 100n },
    })
  })

  test('tokens beyond the reservation are shown and not billed', async () => {
    const { person } = await owner()
    const { entryId } = await spend(person, 'NGN', 9000)
    const { body } = await explain(person, entryId)
    expect(body.explanation.metered).toMatchObject({
      tokens: 9000,
      billedTokens: 5000,
      costMinor: 450n,
      recomputed: true,
    })
  })

  test('every charge of a busy wallet can be recomputed, and the charges sum to the spent money', async () => {
    const { person } = await owner('GNF', 100_000n, 40n)
    const spent = await Promise.all(
      Array.from({ length: 30 }, (_, n) => spend(person, 'GNF', 1000 + 137 * n, 7_777_777n * BigInt(n))),
    )
    const seen = await Promise.all(
      spent.filter(({ entryId }) => entryId).map((each) => explain(person, each.entryId)),
    )
    for (const { body } of seen) expect(body.explanation.metered).toMatchObject({ recomputed: true })
    const charged = spent.reduce((sum, { chargedMinor }) => sum + chargedMinor, 0n)
    const { balanceMinor, heldMinor, includedRemainingMinor } = await readBalances(
      server.app.db.direct,
      person.orgId,
    )
    expect([balanceMinor + includedRemainingMinor, heldMinor]).toEqual([100_040n - charged, 0n])
  })

  test('a charge that differs from its terms is reported as not recomputed', async () => {
    const { person } = await owner()
    const { entryId, hold } = await spend(person, 'NGN', 1204)
    await server.sql.rows`
      update holds set terms = jsonb_set(terms, '{koboPer1m}', '80000') where id = ${hold.holdId}`
    const { body } = await explain(person, entryId)
    expect(body.explanation.metered).toMatchObject({ costMinor: 97n, recomputed: false })
  })

  test('a charge without stored terms is explained without a calculation', async () => {
    const { person } = await owner()
    const { orgId, userId } = person
    const deadline = new Date(server.clock.now().getTime() + 60_000)
    const reserved = await reserve(server.app, {
      orgId,
      userId,
      ref: 'job 7',
      source: 'index',
      amountMinor: 300n,
      terms: {},
      deadline,
    })
    const holdId = reserved.ok ? reserved.hold.holdId : newId('hld')
    const { entryId } = await settle(server.app, { orgId, holdId, amountMinor: 250n, usage: null })
    const { body } = await explain(person, entryId ?? '')
    expect(body.explanation).toMatchObject({
      summary: 'Work with reference job 7: ₦2.50.',
      metered: null,
      settlement: { chargedMinor: 250n, releasedMinor: 50n },
    })
  })

  test.for<[string, Partial<PostingInput>, typeof credit, string, string | null]>([
    ['topup', {}, credit, 'Payment of ₦10.00, reference tp0123456789.', 'paystack'],
    [
      'refund',
      { source: 'refund', account: 'refunds' },
      credit,
      'We refunded ₦10.00 of the payment tp0123456789.',
      null,
    ],
    [
      'adjustment',
      { source: 'adjustment', account: 'adjustments' },
      credit,
      'Our staff credited ₦10.00. Find the reason in the audit log of your organisation.',
      null,
    ],
    [
      'reversal',
      { account: 'reversals' },
      debit,
      'The provider reversed the payment tp0123456789. We debited ₦10.00, the part that was left in the wallet.',
      null,
    ],
    [
      'subscription',
      { source: 'subscription', account: 'subscriptions', ref: 'sub_1' },
      debit,
      'Subscription charge of ₦10.00, reference sub_1.',
      null,
    ],
  ])('an entry of kind %s has a summary', async ([kind, rest, post, summary, rail]) => {
    const { person } = await owner()
    const { body } = await explain(person, await postEntry(person, rest, post))
    expect(body.explanation).toMatchObject({ kind, summary, metered: null, hold: null })
    const isPaid = kind !== 'adjustment' && kind !== 'subscription'
    expect(body.explanation.payment).toEqual(
      isPaid ? { reference: 'tp0123456789', rail, at: server.clock.now().toISOString() } : null,
    )
  })

  test('a returned charge is explained as a refund without a payment', async () => {
    const { person } = await owner()
    const returned = await postEntry(person, { source: 'agent', account: 'refunds', ref: 'agr_1' })
    const { body } = await explain(person, returned)
    expect(body.entry).toMatchObject({ type: 'credit', source: 'agent', ref: 'agr_1' })
    expect(body.explanation).toMatchObject({
      kind: 'refund',
      summary: 'We returned ₦10.00 for agr_1, because we do not charge for our failures.',
      payment: null,
    })
  })

  test.for([
    [
      'fr',
      '1\u202f310 tokens sur la voie ouverte à ₦900,00 par million, converti',
      'KSh0,11.',
      'kobo × 89/1000 = 10,4931',
    ],
    ['sw', 'Tokeni 1,310 kwenye njia huria kwa ₦900.00 kwa milioni', 'KSh0.11.', '× 89/1000 = cent 10.4931'],
    [
      'ar',
      '\u20681,310\u2069 توكن على المسار \u2068المفتوح\u2069',
      '\u2068KSh0.11\u2069.',
      '\u206810.13714\u2069',
    ],
  ] as const)('an explanation in %s has the figures of the fields', async ([language, work, cost, step]) => {
    const { person } = await owner('KES')
    const first = await spend(person, 'KES', 1204)
    const second = await spend(person, 'KES', 1310, first.spentMicroKobo)
    const { body, headers } = await server.call<Explanation>('GET', `/wallet/ledger/${second.entryId}`, {
      as: person,
      headers: { 'accept-language': `${language}-KE, en;q=0.5` },
    })
    expect(headers.vary).toContain('accept-language')
    const { summary, metered } = body.explanation
    expect(summary).toContain(work)
    expect(summary).toMatch(new RegExp(`${cost.replaceAll('.', '\\.')}$`))
    expect(metered).toMatchObject({ costMinor: 11n, exactKobo: '117.9', recomputed: true })
    expect(String(metered?.steps)).toContain(step)
  })

  test('an entry shows its position in the hash chain', async () => {
    const { person, topup } = await owner()
    const first = (await explain(person, topup)).body.chain
    const second = (await explain(person, await postEntry(person, {}))).body.chain
    expect(first).toMatchObject({ seq: 1, previousHash: '' })
    expect(second).toMatchObject({ seq: 2, previousHash: first.hash })
    const { payload } = await server.sql.one<{ payload: string }>`
      select concat_ws('|', 'movement-1', org_id, seq, id, kind, free_minor, held_minor, included_minor,
        included_held_minor, revenue_minor, allowance_minor, coalesce(account, '-'), account_minor, source, ref,
        balance_after_minor, coalesce(cause, '-'), coalesce(hold_id, '-'),
        (extract(epoch from created_at) * 1000000)::bigint) as payload
      from movements where org_id = ${person.orgId} and seq = 2`
    const bytes = Buffer.concat([Buffer.from(first.hash, 'hex'), Buffer.from(payload)])
    expect(second.hash).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('every member and every API key can read an explanation', async () => {
    const { person, topup } = await owner()
    const member = await server.member(person.orgId, 'member')
    expect((await explain(member, topup)).status).toBe(200)
    expect((await explain(await server.key(person, []), topup)).status).toBe(200)
  })
})

test('401: without credentials nothing is shown', async () => {
  const { topup } = await owner()
  expect((await server.call('GET', `/wallet/ledger/${topup}`)).status).toBe(401)
})

describe('404', () => {
  test('ids of other organisations, unknown ids and malformed ids are not found', async () => {
    const { topup } = await owner()
    const { person } = await owner()
    for (const id of [topup, newId('led'), 'led_x', 'x'])
      expect(await explain(person, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('a reservation is not an entry', async () => {
    const { person } = await owner()
    await spend(person, 'NGN', 1204)
    const { id } = await server.sql.one<{ id: string }>`
      select id from movements where org_id = ${person.orgId} and kind = 'reserve'`
    expect((await explain(person, id)).status).toBe(404)
  })
})
