import { generateKeyPairSync } from 'node:crypto'
import { type FakePalmpay, startFakePalmpay } from '@cowrie/testkit/fakes/payments/palmpay.ts'
import { strangerKeys } from '@cowrie/testkit/harness/rsa-keys.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { after, ManualClock } from '../../../kernel/clock.ts'
import type { HttpClient } from '../http-client.ts'
import { RailConfigurationError } from '../keys.ts'
import type { OpenRail, Order, Variables } from '../rail.ts'
import { palmpay } from './palmpay.ts'
import { digestOf } from './signature.ts'

let provider: FakePalmpay
let rail: OpenRail
const http = testHttp()
const order = (changes: Partial<Order> = {}) => testOrder({ channel: 'palmpay', ...changes })
const strangers = strangerKeys()

beforeAll(async () => {
  provider = await startFakePalmpay()
  rail = opened(provider.variables)
})
afterEach(() => {
  provider.heal()
  provider.scriptedReplies.length = 0
})
afterAll(() => provider.close())

function opened(variables: Variables): OpenRail {
  const open = palmpay.open(variables)
  if (!open) throw new Error('PalmPay should be open')
  return open
}

async function started(changes: Partial<Order> = {}): Promise<Order> {
  const placed = order(changes)
  expect(await rail.start(http, placed)).toMatchObject({ outcome: 'accepted' })
  return placed
}

const lastSent = (): Record<string, unknown> =>
  JSON.parse(provider.requests.at(-1)?.raw ?? '') as Record<string, unknown>

describe('open', () => {
  test('needs all keys and names the missing ones', () => {
    expect(palmpay.open({ PALMPAY_BASE_URL: provider.url })).toBeNull()
    expect(() => palmpay.open({ PALMPAY_APP_ID: 'L1', PALMPAY_PUBLIC_KEY: 'x' })).toThrow(
      /PALMPAY_PRIVATE_KEY/,
    )
  })

  test('accepts keys as PEM, as PEM with escaped line breaks, and as base64', async () => {
    const { PALMPAY_PRIVATE_KEY: pem = '', PALMPAY_PUBLIC_KEY: base64 = '' } = provider.variables
    const bare = pem.replace(/-----.*-----|\n/g, '')
    const publicPem = `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`
    for (const privateKey of [pem, pem.replaceAll('\n', '\\n'), bare]) {
      const variables = {
        ...provider.variables,
        PALMPAY_PRIVATE_KEY: privateKey,
        PALMPAY_PUBLIC_KEY: publicPem,
      }
      expect(await opened(variables).start(http, order())).toMatchObject({ outcome: 'accepted' })
    }
  })

  test('names an invalid key without quoting it', () => {
    const ed = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const text of ['c2VjcmV0', '-----BEGIN PRIVATE KEY-----secret', ed]) {
      const open = () => palmpay.open({ ...provider.variables, PALMPAY_PRIVATE_KEY: text })
      expect(open).toThrow(
        new RailConfigurationError(['PALMPAY_PRIVATE_KEY is not an RSA private key in PKCS#8.']),
      )
    }
    const open = () => palmpay.open({ ...provider.variables, PALMPAY_PUBLIC_KEY: 'c2VjcmV0' })
    expect(open).toThrow('PALMPAY_PUBLIC_KEY is not an RSA public key.')
  })

  test('rejects our public key as the key of the platform', () => {
    const { PALMPAY_PRIVATE_KEY } = provider.variables
    const open = () => palmpay.open({ ...provider.variables, PALMPAY_PUBLIC_KEY: PALMPAY_PRIVATE_KEY })
    expect(open).toThrow(/PALMPAY_PUBLIC_KEY is our own/)
  })

  test.for([
    [undefined, 'live'],
    ['https://open-gw-prod.palmpay-inc.com/', 'live'],
    ['https://open-gw-daily.palmpay-inc.com', 'test'],
    ['https://open-gw-sandbox.palmpay-inc.com', 'test'],
  ] as const)('at the URL %s the mode is %s', ([base, keys]) => {
    expect(opened({ ...provider.variables, PALMPAY_BASE_URL: base }).keys).toBe(keys)
  })

  test('a webhook is acknowledged with the required word', () => {
    expect(rail.acknowledgement).toEqual({ contentType: 'text/plain', text: 'success' })
  })
})

describe('the signature', () => {
  test('covers the sorted fields without empty ones', () => {
    const fields = {
      version: 'V2',
      orderId: 'tp1',
      nonceStr: 'abc123',
      remark: '',
      requestTime: 1700000000000,
    }
    const rest = { currency: ' NGN ', amount: 50000, title: null, userId: undefined }
    expect(digestOf({ ...fields, ...rest })).toBe('E356C756AE6747A02D2DCBCEE72ED7A2')
  })

  test('of another key is rejected by PalmPay', async () => {
    const key = strangers.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const other = opened({ ...provider.variables, PALMPAY_PRIVATE_KEY: key })
    expect(await other.start(http, order())).toMatchObject({ outcome: 'rejected' })
    const placed = await started()
    expect(await other.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })
})

describe('start', () => {
  test('returns the checkout page and the order number', async () => {
    const placed = order()
    const answer = await rail.start(http, placed)
    const reached = provider.orders.at(-1)
    expect(reached).toMatchObject({ reference: placed.reference, amount: '150050', currency: 'NGN' })
    expect(answer).toEqual({
      outcome: 'accepted',
      handOff: { authorizationUrl: `https://checkout.palmpay.example/h5?orderNo=${reached?.providerRef}` },
      providerRef: reached?.providerRef,
    })
  })

  test('sends all fields that PalmPay requires, with both URLs', async () => {
    const name = ' Adé Ọlá '
    const placed = await started({ phone: '+2348012345678', customer: { id: 'org_1', name } })
    const { nonceStr, ...sent } = lastSent()
    expect(nonceStr).toMatch(/^[0-9a-f]{32}$/)
    expect(sent).toEqual({
      requestTime: placed.createdAt.getTime(),
      version: 'V1.1',
      orderId: placed.reference,
      title: placed.description,
      description: placed.description,
      amount: 150050,
      currency: 'NGN',
      notifyUrl: placed.notifyUrl,
      callBackUrl: placed.returnUrl,
      orderExpireTime: 1_800,
      goodsDetails: '[{"goodsId":"topup"}]',
      customerInfo: JSON.stringify({ userId: 'org_1', userName: name, email: placed.email }),
      userId: 'org_1',
      userMobileNo: '08012345678',
    })
  })

  test('respects the time and length limits of PalmPay', async () => {
    const { createdAt } = order()
    await started({ expiresAt: after(createdAt, { minutes: 1 }), description: 'x'.repeat(300) })
    expect(lastSent()).toMatchObject({
      orderExpireTime: 1_800,
      title: 'x'.repeat(100),
      description: 'x'.repeat(200),
    })
    await started({ expiresAt: after(createdAt, { hours: 1 }), phone: '+254712345678' })
    expect(lastSent()).toMatchObject({ orderExpireTime: 3_600 })
    expect(lastSent()).not.toHaveProperty('userMobileNo')
    await started({ expiresAt: after(createdAt, { days: 3 }) })
    expect(lastSent()).toMatchObject({ orderExpireTime: 86_400 })
  })

  test('uses the configured API version', async () => {
    await opened({ ...provider.variables, PALMPAY_VERSION: 'V2' }).start(http, order())
    expect(lastSent()).toMatchObject({ version: 'V2' })
  })

  test('describes the account for a bank transfer', async () => {
    const account = { payerVirtualAccNo: '6655443322', payerBankName: 'PalmPay', payerAccountName: 'Cowrie' }
    provider.scriptedReplies.push({
      status: 200,
      body: { respCode: '00000000', data: { orderNo: '1', ...account } },
    })
    expect(await rail.start(http, order())).toEqual({
      outcome: 'accepted',
      handOff: { displayText: 'Transfer exactly ₦1,500.50 to account 6655443322 (Cowrie) at PalmPay.' },
      providerRef: '1',
    })
  })

  test('rejects another currency without a call', async () => {
    const calls = provider.requests.length
    const answer = await rail.start(http, order({ currency: 'GHS' }))
    expect(answer).toEqual({ outcome: 'rejected', reason: 'PalmPay takes NGN here, not GHS.' })
    expect(provider.requests).toHaveLength(calls)
  })

  test('an existing order is reported as known', async () => {
    const placed = await started()
    expect(await rail.start(http, placed)).toEqual({ outcome: 'known' })
  })

  test('a refusal with status 200 is a rejection, and its message goes to the log only', async () => {
    provider.fault('reject')
    expect(await rail.start(http, order())).toEqual({
      outcome: 'rejected',
      reason: 'PalmPay did not accept this payment. Please choose another way to pay.',
      detail: 'OPEN_GW_000012, request ip not in ip white list',
    })
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'the outcome is unknown while PalmPay is %s',
    async (fault) => {
      provider.fault(fault)
      const placed = order()
      expect(await rail.start(http, placed)).toMatchObject({ outcome: 'unknown' })
      provider.heal()
      const { status } = await rail.check(http, queryOf(placed))
      expect(status, 'found later, or not there yet').toBe('pending')
      const arrived = provider.orders.some(({ reference }) => reference === placed.reference)
      expect(arrived).toBe(fault !== 'down')
    },
  )

  test('a timeout is unknown', async () => {
    provider.scriptedReplies.push('never')
    expect(await rail.start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for<[string, object | string, number]>([
    ['an error of PalmPay', { respCode: 'X1', respMsg: 'system busy, try again' }, 200],
    ['no code', { respMsg: 'success', data: { checkoutUrl: 'https://x.example' } }, 200],
    ['acceptance without a way to pay', { respCode: '00000000', data: { orderNo: '1' } }, 200],
    ['acceptance without data', { respCode: '00000000' }, 200],
    ['acceptance with a script instead of a page', accepted({ checkoutUrl: 'javascript:alert(1)' }), 200],
    ['acceptance with status 500', accepted({ checkoutUrl: 'https://x.example' }), 500],
    ['a firewall page', '<html>blocked</html>', 403],
  ])('%s is unknown', async ([, body, status]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await rail.start(http, order())).toMatchObject({ outcome: 'unknown' })
  })
})

test('without the acceptance code the rest of a reply is ignored', async () => {
  const placed = order()
  const data = { orderId: placed.reference, orderStatus: 2, amount: 150050, currency: 'NGN' }
  const body = {
    respCode: 'X3',
    respMsg: 'system error',
    data: { ...data, checkoutUrl: 'https://x.example' },
  }
  provider.scriptedReplies.push({ status: 200, body }, { status: 200, body })
  expect(await rail.start(http, placed)).toMatchObject({ outcome: 'unknown' })
  expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
})

describe('check', () => {
  test('a paid payment has the amount that PalmPay reports', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toEqual({
      status: 'paid',
      transactionId: provider.orders.at(-1)?.providerRef,
      amountMinor: 1_500_50n,
      currency: 'NGN',
      reference: placed.reference,
      live: true,
    })
  })

  test('a different amount, currency or reference is reported unchanged', async () => {
    const placed = await started()
    provider.pay(placed.reference, { amountMinor: 1_00n, currency: 'ghs' })
    provider.override(placed.reference, { orderId: 'tp0' })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({
      status: 'paid',
      amountMinor: 1_00n,
      currency: 'GHS',
      reference: 'tp0',
    })
  })

  test('a payment at a test host is not live', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    const host = 'https://open-gw-sandbox.palmpay-inc.com'
    const rerouted: HttpClient = {
      ...http,
      call: (address, request) => http.call(address.replace(host, provider.url), request),
    }
    const open = opened({ ...provider.variables, PALMPAY_BASE_URL: host })
    expect(await open.check(rerouted, queryOf(placed))).toMatchObject({ status: 'paid', live: false })
  })

  test('a reply without our reference is matched by the order number', async () => {
    const placed = await started()
    const orderNo = provider.orders.at(-1)?.providerRef ?? ''
    provider.pay(placed.reference)
    provider.override(placed.reference, { orderId: null })
    const paid = { status: 'paid', reference: null }
    expect(await rail.check(http, queryOf(placed, orderNo))).toMatchObject(paid)
    expect(await rail.check(http, queryOf(placed, '1'))).toMatchObject({ status: 'unknown' })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test('numeric strings and long numbers are read exactly', async () => {
    const placed = await started()
    const { reference: orderId } = placed
    const data = `{"orderId":"${orderId}","orderNo":2424220903032435363613,"orderStatus":"2","amount":"150050","currency":"NGN"}`
    provider.scriptedReplies.push({ status: 200, body: `{"respCode":"00000000","data":${data}}` })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({
      status: 'paid',
      amountMinor: 1_500_50n,
      transactionId: '2424220903032435363613',
    })
  })

  test.for([
    ['no amount', { amount: null }],
    ['half a kobo', { amount: 1500.5 }],
    ['major units', { amount: '1500.50' }],
    ['a list', { amount: [150050] }],
    ['no currency', { currency: '' }],
    ['no status', { orderStatus: null }],
    ['an empty status', { orderStatus: '' }],
  ])('success with %s is unknown', async ([, data]) => {
    const placed = await started()
    provider.pay(placed.reference)
    provider.override(placed.reference, data as object)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test.for([
    [0, 'pending'],
    [1, 'pending'],
    [3, 'failed'],
    [4, 'failed'],
    [5, 'unknown'],
    [2.5, 'unknown'],
  ] as const)('the status %s is %s', async ([orderStatus, status]) => {
    const placed = await started()
    provider.override(placed.reference, { orderStatus })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status })
  })

  test('a failure of another payment is unknown', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    provider.override(placed.reference, { orderId: 'tp0' })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test('a success after the order was closed is a success', async () => {
    const placed = await started()
    provider.expire(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'failed' })
    provider.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid' })
  })

  test('an unknown order is pending for ten minutes and failed afterwards', async () => {
    const clock = new ManualClock()
    const query = queryOf(order())
    clock.advance({ minutes: 9, seconds: 59 })
    expect(await rail.check(testHttp(clock), query)).toMatchObject({ status: 'pending' })
    clock.advance({ seconds: 1 })
    expect(await rail.check(testHttp(clock), query)).toMatchObject({ status: 'failed' })
  })

  test('an unknown merchant leaves the status unknown', async () => {
    const clock = new ManualClock(after(order().createdAt, { days: 1 }))
    provider.scriptedReplies.push({ status: 200, body: { respCode: 'X2', respMsg: 'merchant not exist' } })
    expect(await rail.check(testHttp(clock), queryOf(order()))).toMatchObject({ status: 'unknown' })
  })

  test.for(['down', 'silent', 'garbage', 'reject'] as const)(
    'the status is unknown for a reply that is %s',
    async (fault) => {
      const placed = await started()
      const clock = new ManualClock(after(placed.createdAt, { days: 1 }))
      provider.fault(fault)
      expect(await rail.check(testHttp(clock), queryOf(placed))).toMatchObject({ status: 'unknown' })
    },
  )
})

function accepted(data: object): object {
  return { respCode: '00000000', respMsg: 'success', data }
}
