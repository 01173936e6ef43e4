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
  const topup = await move(person, { amountMinor: balanceMinor })
  if (includedMinor > 0n) await grantAllowance(server, orgId, includedMinor)
  return { person, topup }
}

async function move({ orgId }: Person, rest: Partial<PostingInput>, way = credit): Promise<string> {
  const cause = `move ${++count}`
  const { entryId } = await server.app.db.tx(orgId, (tx) =>
    way(server.app, tx, {
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

/** One turn of a run: what it was charged as, and what the run had used then. */
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

type Explained = {
  entry: Record<string, unknown>
  explanation: { metered: Record<string, unknown> | null } & Record<string, unknown>
  chain: { seq: number; hash: string; previousHash: string }
}
const explain = (as: { bearer: string }, id: string) =>
  server.call<Explained>('GET', `/wallet/ledger/${id}`, { as })

describe('200', () => {
  test('a charge is explained from promise to price', async () => {
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
        reasoningTokens: null,
        priceKoboPer1m: 90_000,
        rateCard: '2026-11',
        rate: { numerator: '1', denominator: '1' },
        exactKobo: '108.36',
        runBeforeMinor: 0n,
        runAfterMinor: 109n,
        costMinor: 109n,
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
        steps: [
          '1310 tokens × 90000 kobo per million = 117.9 kobo',
          '108.36 kobo of the run before + 117.9 kobo = 226.26 kobo',
          '226.26 kobo × 89/1000 = 20.13714 cent',
          '20.13714 rounded up = 21',
          '21 − 10 charged before = 11',
        ],
      },
    })
  })

  test('what the allowance paid is told apart from what the wallet paid', async () => {
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

  test('tokens beyond what was reserved are seen and not billed', async () => {
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

  test('every charge of a busy wallet can be done anew, and together they are what is gone', async () => {
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

  test('a charge that its terms do not give is shown as such', async () => {
    const { person } = await owner()
    const { entryId, hold } = await spend(person, 'NGN', 1204)
    await server.sql.rows`
      update holds set terms = jsonb_set(terms, '{koboPer1m}', '80000') where id = ${hold.holdId}`
    const { body } = await explain(person, entryId)
    expect(body.explanation.metered).toMatchObject({ costMinor: 97n, recomputed: false })
  })

  test('a charge whose terms were not kept is told as far as it is known', async () => {
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
      summary: 'Work under the reference job 7: ₦2.50.',
      metered: null,
      settlement: { chargedMinor: 250n, releasedMinor: 50n },
    })
  })

  test.for<[string, Partial<PostingInput>, typeof credit, string, string | null]>([
    ['topup', {}, credit, 'A payment of ₦10.00 arrived under the reference tp0123456789.', 'paystack'],
    [
      'refund',
      { source: 'refund', account: 'refunds' },
      credit,
      'We gave back ₦10.00 of the payment tp0123456789.',
      null,
    ],
    [
      'adjustment',
      { source: 'adjustment', account: 'adjustments' },
      credit,
      'Our staff credited ₦10.00; the audit log of your organisation says why.',
      null,
    ],
    [
      'reversal',
      { account: 'reversals' },
      debit,
      'The provider took the payment tp0123456789 back; ₦10.00 of it was still in the wallet.',
      null,
    ],
    [
      'subscription',
      { source: 'subscription', account: 'subscriptions', ref: 'sub_1' },
      debit,
      '₦10.00 for your subscription, sub_1.',
      null,
    ],
  ])('an entry of kind %s is told in a sentence', async ([kind, rest, way, summary, rail]) => {
    const { person } = await owner()
    const { body } = await explain(person, await move(person, rest, way))
    expect(body.explanation).toMatchObject({ kind, summary, metered: null, hold: null })
    const isPaid = kind !== 'adjustment' && kind !== 'subscription'
    expect(body.explanation.payment).toEqual(
      isPaid ? { reference: 'tp0123456789', rail, at: server.clock.now().toISOString() } : null,
    )
  })

  test('a charge that came back is explained as such, and not as a payment', async () => {
    const { person } = await owner()
    const returned = await move(person, { source: 'agent', account: 'refunds', ref: 'agr_1' })
    const { body } = await explain(person, returned)
    expect(body.entry).toMatchObject({ type: 'credit', source: 'agent', ref: 'agr_1' })
    expect(body.explanation).toMatchObject({
      kind: 'refund',
      summary: 'We returned ₦10.00 that agr_1 had cost, because we do not charge for our failures.',
      payment: null,
    })
  })

  test('an entry knows its place in the chain', async () => {
    const { person, topup } = await owner()
    const first = (await explain(person, topup)).body.chain
    const second = (await explain(person, await move(person, {}))).body.chain
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

  test('any member and any key may ask', async () => {
    const { person, topup } = await owner()
    const member = await server.member(person.orgId, 'member')
    expect((await explain(member, topup)).status).toBe(200)
    expect((await explain(await server.key(person, []), topup)).status).toBe(200)
  })
})

test('401: a stranger is told nothing', async () => {
  const { topup } = await owner()
  expect((await server.call('GET', `/wallet/ledger/${topup}`)).status).toBe(401)
})

describe('404', () => {
  test('what is another organisation’s, unknown or no id does not exist', async () => {
    const { topup } = await owner()
    const { person } = await owner()
    for (const id of [topup, newId('led'), 'led_x', 'x'])
      expect(await explain(person, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('a reservation is no entry', async () => {
    const { person } = await owner()
    await spend(person, 'NGN', 1204)
    const { id } = await server.sql.one<{ id: string }>`
      select id from movements where org_id = ${person.orgId} and kind = 'reserve'`
    expect((await explain(person, id)).status).toBe(404)
  })
})
