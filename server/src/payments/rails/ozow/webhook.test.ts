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
  test('of a request covers its values in their order, whatever their case', () => {
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
  ])('%j and %j are one: %s', ([given, expected, same]) => {
    expect(sameHash(given, expected)).toBe(same)
  })
})

describe('hearing', () => {
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
  const hear = (body: string, by = rail()) => by.parseWebhook({ raw: Buffer.from(body), headers: {} })
  const genuine = { about: { reference: 'tp_1' }, eventKey: 'tx-1:Complete', kind: 'Complete' }

  test('a genuine message tells which payment to ask about', () => {
    expect(hear(form())).toEqual(genuine)
    expect(hear(form({ Hash: MESSAGE_HASH.toUpperCase() }))).toEqual(genuine)
    expect(hear(form({ BankName: 'Absa Bank' }))).toEqual(genuine)
    expect(
      hear(
        [...new URLSearchParams(fields)]
          .reverse()
          .map((pair) => pair.join('='))
          .join('&'),
      ),
    ).toEqual(genuine)
  })

  test('and so does what the stand-in sends', async () => {
    const fake = await startFakeOzow()
    onTestFinished(() => fake.close())
    const rail = opened(fake.variables)
    const order = testOrder({ channel: 'ozow', currency: 'ZAR' })
    await rail.start(testHttp(), order)
    fake.pay(order.reference)
    const heard = hear(fake.message(order.reference).body, rail)
    expect(heard).toMatchObject({ about: { reference: order.reference }, kind: 'Complete' })
    expect(hear(fake.message(order.reference).body, rail)).toEqual(heard)
  })

  test('a genuine message may have spaces in it, and a hash without its leading zeros', () => {
    const message = new URLSearchParams({ ...fields, StatusMessage: 'paid in full +' })
    let place = 0
    while (!messageHash(message, 'PRIVATEKEY').startsWith('0') && place < 10_000)
      message.set('TransactionId', `tx-${++place}`)
    message.set('Hash', messageHash(message, 'PRIVATEKEY').replace(/^0+/, ''))
    expect(message.get('Hash')).not.toHaveLength(128)
    expect(hear(String(message))).toMatchObject({ eventKey: `tx-${place}:Complete` })
  })

  test('another status of one transaction is another message', () => {
    const message = new URLSearchParams({ ...fields, Status: 'Error' })
    message.set('Hash', messageHash(message, 'PRIVATEKEY'))
    expect(hear(String(message))).toMatchObject({ eventKey: 'tx-1:Error' })
  })

  test.for<[string, Record<string, string>]>([
    ['one letter of the reference', { TransactionReference: 'tp_2' }],
    ['the amount', { Amount: '2500.00' }],
    ['the status', { Status: 'Cancelled' }],
    ['the test flag', { IsTest: 'true' }],
    ['one letter of the hash', { Hash: `e${MESSAGE_HASH.slice(1)}` }],
    ['a hash that is too short', { Hash: MESSAGE_HASH.slice(0, -1) }],
    ['a hash that is too long', { Hash: `${MESSAGE_HASH}0` }],
    ['an empty hash', { Hash: '' }],
    ['a hash of zeros', { Hash: '0'.repeat(128) }],
  ])('a message with %s changed is forged', ([, changes]) => {
    expect(hear(form(changes))).toBe('forged')
  })

  test.for(['', '{"Status":"Complete"}', 'Status=Complete', '%%%', '\0\xff'])('%j is forged', (body) => {
    expect(hear(body)).toBe('forged')
  })

  test('a message with the key before the last counts while that is named, and with a third never', () => {
    const rotated = { OZOW_PRIVATE_KEY: 'new', OZOW_PRIVATE_KEY_PREVIOUS: 'PRIVATEKEY' }
    expect(hear(form(), opened(rotated))).toEqual(genuine)
    expect(hear(form(), opened({ OZOW_PRIVATE_KEY: 'new', OZOW_PRIVATE_KEY_PREVIOUS: '' }))).toBe('forged')
    expect(hear(form(), opened({ ...rotated, OZOW_PRIVATE_KEY_PREVIOUS: 'third' }))).toBe('forged')
  })

  test.for<[string, Record<string, string>]>([
    ['another site', { SiteCode: 'TSTSITE0002' }],
    ['no payment', { TransactionReference: '' }],
  ])('a genuine message about %s is about nothing of ours', ([, changes]) => {
    const message = new URLSearchParams({ ...fields, ...changes })
    message.set('Hash', messageHash(message, 'PRIVATEKEY'))
    expect(hear(String(message))).toBe('nothing')
  })
})
