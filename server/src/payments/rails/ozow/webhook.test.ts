import { startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenRail } from '../rail.ts'
import { messageHash, requestHash, sameHash } from './hash.ts'
import { ozow } from './ozow.ts'

const keys = { OZOW_SITE_CODE: 'TSTSITE0001', OZOW_API_KEY: 'key', OZOW_PRIVATE_KEY: 'PRIVATEKEY' }

function opened(changes: Record<string, string>): OpenRail {
  const rail = ozow.open({ ...keys, ...changes })
  if (!rail) throw new Error('the rail has its keys')
  return rail
}

const vector = {
  SiteCode: 'TSTSITE0001',
  CountryCode: 'ZA',
  CurrencyCode: 'ZAR',
  Amount: '25.00',
  TransactionReference: 'tp_1',
  BankReference: 'topup tp1',
  CancelUrl: 'https://a.example/c',
  ErrorUrl: 'https://a.example/e',
  SuccessUrl: 'https://a.example/s',
  NotifyUrl: 'https://a.example/n',
  IsTest: 'false',
}
const REQUEST_HASH =
  'e22895cd3a774a3f294e3e438ba3cd9fa38208d1b803abcad0ee1e962927b9a35a3f5e65fe63ffda0c95d091c2e53e7bfa780f081173d9c171c6b5dfaed53421'
const MESSAGE_HASH =
  'f5f70793c382cd0ce4866d6c31807d20df41b0d385aab0996f9788ef637095d4637e312497c692e5a0bd85c7eb4950fd04364e9d0233b3c351ae492aa47a4588'

describe('a hash', () => {
  test('of a request covers its values in order and in lowercase', () => {
    expect(requestHash(vector, 'PRIVATEKEY')).toBe(REQUEST_HASH)
    expect(requestHash({ ...vector, SiteCode: 'tstsite0001' }, 'privatekey')).toBe(REQUEST_HASH)
    expect(requestHash({ ...vector, Amount: '25.0' }, 'PRIVATEKEY')).not.toBe(REQUEST_HASH)
    expect(requestHash({ ...vector, SelectedBankId: 'x' }, 'PRIVATEKEY')).not.toBe(REQUEST_HASH)
  })

  test.for<[string, string, boolean]>([
    ['00abc', 'abc', true],
    ['abc', '00ABC', true],
    ['ABC', 'abc', true],
    ['abc0', 'abc', false],
    ['', '', false],
    ['', '0', false],
    ['abz', 'abz', false],
    ['a'.repeat(129), 'a'.repeat(129), false],
  ])('comparing %j with %j gives %s', ([actual, expected, same]) => {
    expect(sameHash(actual, expected)).toBe(same)
  })
})

describe('parsing a webhook', () => {
  const rail = () => opened({})
  const fields = {
    SiteCode: 'TSTSITE0001',
    TransactionId: 'tx-1',
    TransactionReference: 'tp_1',
    Amount: '25.00',
    Status: 'Complete',
    Optional1: '',
    CurrencyCode: 'ZAR',
    IsTest: 'false',
    StatusMessage: '',
    Hash: MESSAGE_HASH,
  }
  const form = (changes: Record<string, string> = {}) =>
    String(new URLSearchParams({ ...fields, ...changes }))
  const parse = (body: string, by = rail()) => by.parseWebhook({ raw: Buffer.from(body), headers: {} })
  const genuine = { about: { reference: 'tp_1' }, eventKey: 'tx-1:Complete', kind: 'Complete' }

  test('a valid webhook names the payment', () => {
    expect(parse(form())).toEqual(genuine)
    expect(parse(form({ Hash: MESSAGE_HASH.toUpperCase() }))).toEqual(genuine)
    expect(parse(form({ BankName: 'Absa Bank' }))).toEqual(genuine)
    expect(
      parse(
        [...new URLSearchParams(fields)]
          .reverse()
          .map((pair) => pair.join('='))
          .join('&'),
      ),
    ).toEqual(genuine)
  })

  test('the webhook of the fake names the payment', async () => {
    const fake = await startFakeOzow()
    onTestFinished(() => fake.close())
    const rail = opened(fake.variables)
    const order = testOrder({ channel: 'ozow', currency: 'ZAR' })
    await rail.start(testHttp(), order)
    fake.pay(order.reference)
    const event = parse(fake.message(order.reference).body, rail)
    expect(event).toMatchObject({ about: { reference: order.reference }, kind: 'Complete' })
    expect(parse(fake.message(order.reference).body, rail)).toEqual(event)
  })

  test('a valid webhook can have spaces and a hash without leading zeros', () => {
    const message = new URLSearchParams({ ...fields, StatusMessage: 'paid in full +' })
    let place = 0
    while (!messageHash(message, 'PRIVATEKEY').startsWith('0') && place < 10_000)
      message.set('TransactionId', `tx-${++place}`)
    message.set('Hash', messageHash(message, 'PRIVATEKEY').replace(/^0+/, ''))
    expect(message.get('Hash')).not.toHaveLength(128)
    expect(parse(String(message))).toMatchObject({ eventKey: `tx-${place}:Complete` })
  })

  test('another status of a transaction is a separate event', () => {
    const message = new URLSearchParams({ ...fields, Status: 'Error' })
    message.set('Hash', messageHash(message, 'PRIVATEKEY'))
    expect(parse(String(message))).toMatchObject({ eventKey: 'tx-1:Error' })
  })

  test.for<[string, Record<string, string>]>([
    ['the reference', { TransactionReference: 'tp_2' }],
    ['the amount', { Amount: '2500.00' }],
    ['the status', { Status: 'Cancelled' }],
    ['the test flag', { IsTest: 'true' }],
    ['the hash', { Hash: `e${MESSAGE_HASH.slice(1)}` }],
    ['the hash to a short one', { Hash: MESSAGE_HASH.slice(0, -1) }],
    ['the hash to a long one', { Hash: `${MESSAGE_HASH}0` }],
    ['the hash to an empty one', { Hash: '' }],
    ['the hash to zeros', { Hash: '0'.repeat(128) }],
  ])('a webhook with %s changed is forged', ([, changes]) => {
    expect(parse(form(changes))).toBe('forged')
  })

  test.for(['', '{"Status":"Complete"}', 'Status=Complete', '%%%', '\0\xff'])('%j is forged', (body) => {
    expect(parse(body)).toBe('forged')
  })

  test('a webhook with the previous key is valid while it is configured, and never with another key', () => {
    const rotated = { OZOW_PRIVATE_KEY: 'new', OZOW_PRIVATE_KEY_PREVIOUS: 'PRIVATEKEY' }
    expect(parse(form(), opened(rotated))).toEqual(genuine)
    expect(parse(form(), opened({ OZOW_PRIVATE_KEY: 'new', OZOW_PRIVATE_KEY_PREVIOUS: '' }))).toBe('forged')
    expect(parse(form(), opened({ ...rotated, OZOW_PRIVATE_KEY_PREVIOUS: 'third' }))).toBe('forged')
  })

  test.for<[string, Record<string, string>]>([
    ['another site', { SiteCode: 'TSTSITE0002' }],
    ['no payment', { TransactionReference: '' }],
  ])('a valid webhook about %s is irrelevant', ([, changes]) => {
    const message = new URLSearchParams({ ...fields, ...changes })
    message.set('Hash', messageHash(message, 'PRIVATEKEY'))
    expect(parse(String(message))).toBe('nothing')
  })
})
