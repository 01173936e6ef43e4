import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { describe, expect, test } from 'vitest'
import { channels } from '../../channels.ts'
import { type MockDecision, openMock } from './mock.ts'

const http = testHttp()
const decided: [string, MockDecision][] = []
const open = (decision: MockDecision | null = null) =>
  openMock({
    baseUrl: 'http://cowrie.test',
    decisionOf: async () => decision,
    decide: async (reference, made) => void decided.push([reference, made]),
  })

describe('the mock', () => {
  test.for(channels)(
    'supports $name and returns instructions for the payer',
    async ({ name, needsPhone }) => {
      const order = testOrder({ channel: name, phone: needsPhone ? '+254712345678' : null })
      const started = await open().start(http, order)
      if (started.outcome !== 'accepted') throw new Error(`accepted, not ${started.outcome}`)
      const { authorizationUrl, ussdCode, displayText } = started.handOff
      expect(authorizationUrl).toBe(`http://cowrie.test/pay/mock/${order.reference}`)
      expect(ussdCode !== undefined).toBe(name === 'ussd')
      expect(displayText !== undefined).toBe(needsPhone || name === 'ussd')
      if (displayText !== undefined) expect(displayText).toContain('test money')
      expect(await open().start(http, order)).toEqual(started)
    },
  )

  test('is pending, paid or failed as the payer decides, and always test money', async () => {
    const query = queryOf(testOrder(), null)
    expect(await open().check(http, query)).toMatchObject({ status: 'pending' })
    expect(await open('declined').check(http, query)).toMatchObject({ status: 'failed' })
    expect(await open('approved').check(http, query)).toEqual({
      status: 'paid',
      transactionId: `mock-${query.reference}`,
      amountMinor: query.amountMinor,
      currency: query.currency,
      reference: query.reference,
      live: false,
      card: expect.objectContaining({ brand: 'Visa', last4: '4081', isReusable: true }),
    })
    expect(open().keys).toBe('test')
  })

  test.for<[MockDecision, string]>([
    ['approved', '4081'],
    ['approved_then_declines', '5408'],
    ['approved_then_asks', '4796'],
  ])('%s pays with the card ending in %s, and with no card on a phone', async ([decision, last4]) => {
    const [one, other] = [queryOf(testOrder()), queryOf(testOrder())]
    const seen = await Promise.all([one, other].map((query) => open(decision).check(http, query)))
    const cards = seen.map((each) => (each.status === 'paid' ? each.card : undefined))
    expect(cards[0]).toMatchObject({ last4, expYear: http.clock.now().getUTCFullYear() + 4 })
    expect(cards[1]?.signature).toBe(cards[0]?.signature)
    const byPhone = await open(decision).check(http, { ...one, channel: 'mpesa' })
    expect(byPhone).not.toHaveProperty('card')
  })

  test('charges a stored card according to its authorization', async () => {
    const { chargeCard, deleteCard: forgetCard } = open()
    const charge = (authorizationCode: string) =>
      chargeCard?.(http, { ...testOrder({ reference: 'sb1' }), authorizationCode })
    decided.length = 0
    expect(await charge('mock_ok_1')).toEqual({ outcome: 'answered' })
    expect(await charge('mock_declines_1')).toMatchObject({ outcome: 'declined', isFinal: false })
    expect(await charge('somebody else’s')).toMatchObject({ outcome: 'declined' })
    expect(await charge('mock_asks_1')).toEqual({
      outcome: 'challenged',
      authorizationUrl: 'http://cowrie.test/pay/mock/sb1',
    })
    expect(decided).toEqual([
      ['sb1', 'approved'],
      ['sb1', 'declined'],
      ['sb1', 'declined'],
    ])
    expect(await forgetCard?.(http, 'mock_ok_1')).toBe(true)
  })

  test('accepts no webhooks', () => {
    expect(open().parseWebhook({ raw: Buffer.from('{"status":"success"}'), headers: {} })).toBe('nothing')
  })
})
