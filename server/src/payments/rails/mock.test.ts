import { describe, expect, test } from 'vitest'
import { channels } from '../channels.ts'
import { testLine } from './line.fixture.ts'
import { type Decision, openMock } from './mock.ts'
import { askedOf, testOrder } from './order.fixture.ts'

const line = testLine()
const open = (decision: Decision | null = null) =>
  openMock({ baseUrl: 'http://cowrie.test', decisionOf: async () => decision })

describe('the mock', () => {
  test.for(channels)('takes $name, and says what its payer would be told', async ({ name, needsPhone }) => {
    const order = testOrder({ channel: name, phone: needsPhone ? '+254712345678' : null })
    const started = await open().start(line, order)
    if (started.outcome !== 'accepted') throw new Error(`accepted, not ${started.outcome}`)
    const { authorizationUrl, ussdCode, displayText } = started.handOff
    expect(authorizationUrl).toBe(`http://cowrie.test/pay/mock/${order.reference}`)
    expect(ussdCode !== undefined).toBe(name === 'ussd')
    expect(displayText !== undefined).toBe(needsPhone || name === 'ussd')
    if (displayText !== undefined) expect(displayText).toContain('play money')
    expect(await open().start(line, order)).toEqual(started)
  })

  test('is pending, paid or failed as the payer decides, and always play money', async () => {
    const asked = askedOf(testOrder(), null)
    expect(await open().check(line, asked)).toMatchObject({ status: 'pending' })
    expect(await open('declined').check(line, asked)).toMatchObject({ status: 'failed' })
    expect(await open('approved').check(line, asked)).toEqual({
      status: 'paid',
      transactionId: `mock-${asked.reference}`,
      amountMinor: asked.amountMinor,
      currency: asked.currency,
      reference: asked.reference,
      live: false,
    })
    expect(open().keys).toBe('test')
  })

  test('listens to nobody', () => {
    expect(open().hear({ raw: Buffer.from('{"status":"success"}'), headers: {} })).toBe('nothing')
  })
})
