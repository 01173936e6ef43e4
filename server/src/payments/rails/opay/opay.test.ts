import { type FakeOpay, startFakeOpay } from '@cowrie/testkit/fakes/payments/opay.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { after, ManualClock } from '../../../kernel/clock.ts'
import type { HttpClient, HttpRequest } from '../http-client.ts'
import { RailConfigurationError } from '../keys.ts'
import type { OpenRail, Order, Variables } from '../rail.ts'
import { opay } from './opay.ts'

let provider: FakeOpay
let rail: OpenRail
const http = testHttp()
const order = (changes: Partial<Order> = {}) => testOrder({ channel: 'opay', ...changes })

beforeAll(async () => {
  provider = await startFakeOpay()
  rail = opened(provider.variables)
})
afterEach(() => {
  provider.heal()
  provider.scriptedReplies.length = 0
})
afterAll(() => provider.close())

function opened(variables: Variables): OpenRail {
  const open = opay.open(variables)
  if (!open) throw new Error('OPay should be open')
  return open
}

async function started(changes: Partial<Order> = {}): Promise<Order> {
  const placed = order(changes)
  expect(await rail.start(http, placed)).toMatchObject({ outcome: 'accepted' })
  return placed
}

describe('open', () => {
  test('without keys the rail is not configured', () => {
    expect(opay.open({})).toBeNull()
    expect(opay.open({ OPAY_COUNTRY: 'EG', OPAY_SECRET_KEY: '' })).toBeNull()
  })

  test('with some keys the error names the missing ones', () => {
    expect(() => opay.open({ OPAY_MERCHANT_ID: '1', OPAY_SECRET_KEY: 's' })).toThrow(/^OPAY_PUBLIC_KEY/)
    expect(() => opay.open({ ...provider.variables, OPAY_SECRET_KEY: '' })).toThrow(RailConfigurationError)
  })

  test('an unknown country or invalid URL is an error', () => {
    expect(() => opay.open({ ...provider.variables, OPAY_COUNTRY: 'PK' })).toThrow(/OPAY_COUNTRY/)
    expect(() => opay.open({ ...provider.variables, OPAY_BASE_URL: 'opay' })).toThrow(/OPAY_BASE_URL/)
  })

  test.for([
    ['NG', undefined, 'https://liveapi.opaycheckout.com', 'live'],
    ['EG', undefined, 'https://api.opaycheckout.com', 'live'],
    ['NG', 'https://testapi.opaycheckout.com', 'https://testapi.opaycheckout.com', 'test'],
    ['EG', 'https://sandboxapi.opaycheckout.com/', 'https://sandboxapi.opaycheckout.com', 'test'],
  ] as const)('in %s with the URL %s it calls %s in %s mode', async ([country, base, host, keys]) => {
    const open = opened({ ...provider.variables, OPAY_COUNTRY: country, OPAY_BASE_URL: base })
    expect(open.keys).toBe(keys)
    const { recordingHttp, recorded } = createRecorder()
    await open.start(recordingHttp, order({ currency: country === 'NG' ? 'NGN' : 'EGP' }))
    expect(recorded.map(({ address }) => address)).toEqual([`${host}/api/v1/international/cashier/create`])
  })
})

describe('start', () => {
  test('returns the cashier page and the order number', async () => {
    const placed = order()
    const answer = await rail.start(http, placed)
    const reached = provider.orders.find(({ reference }) => reference === placed.reference)
    expect(reached).toMatchObject({ amount: '150050', currency: 'NGN' })
    expect(answer).toEqual({
      outcome: 'accepted',
      handOff: {
        authorizationUrl: `https://cashier.opaycheckout.com/checkout?order=${reached?.providerRef}`,
      },
      providerRef: reached?.providerRef,
    })
  })

  test('sends all fields that OPay requires', async () => {
    const placed = await started({ phone: '+2348012345678' })
    expect(JSON.parse(provider.requests.at(-1)?.raw ?? '')).toEqual({
      amount: { currency: 'NGN', total: 150050 },
      callbackUrl: placed.notifyUrl,
      cancelUrl: placed.returnUrl,
      country: 'NG',
      expireAt: 30,
      product: { description: placed.description, name: placed.description },
      reference: placed.reference,
      returnUrl: placed.returnUrl,
      userInfo: { userEmail: placed.email, userId: 'org_1', userMobile: '08012345678', userName: 'Ada' },
    })
  })

  test('rounds the expiry down to minutes, at least one', async () => {
    const { createdAt } = order()
    const { recordingHttp, recorded } = createRecorder()
    await rail.start(recordingHttp, order({ expiresAt: after(createdAt, { minutes: 14, seconds: 59 }) }))
    await rail.start(recordingHttp, order({ expiresAt: after(createdAt, { seconds: 20 }) }))
    const minutes = recorded.map(({ body }) => (JSON.parse(body ?? '') as { expireAt: number }).expireAt)
    expect(minutes).toEqual([14, 1])
  })

  test('omits a foreign phone number', async () => {
    await started({ phone: '+254712345678' })
    expect(provider.requests.at(-1)?.raw).not.toContain('userMobile')
  })

  test('rejects an unsupported currency without a call', async () => {
    const { recordingHttp, recorded } = createRecorder()
    const answer = await rail.start(recordingHttp, order({ currency: 'EGP' }))
    expect(answer).toEqual({ outcome: 'rejected', reason: 'OPay takes NGN here, not EGP.' })
    expect(recorded).toEqual([])
  })

  test('an existing reference is reported as known', async () => {
    const placed = await started()
    expect(await rail.start(http, placed)).toEqual({ outcome: 'known' })
  })

  test('a refusal with status 200 is a rejection, and its message goes to the log only', async () => {
    provider.fault('reject')
    expect(await rail.start(http, order())).toEqual({
      outcome: 'rejected',
      reason: 'OPay did not accept this payment. Please choose another way to pay.',
      detail: '02002, merchant not configured with this function.',
    })
  })

  test('wrong keys are a rejection', async () => {
    const other = opened({ ...provider.variables, OPAY_PUBLIC_KEY: 'OPAYPUB1' })
    expect(await other.start(http, order())).toMatchObject({ outcome: 'rejected' })
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'the outcome is unknown while OPay is %s',
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

  test('a timeout is unknown, and the payment is found as paid later', async () => {
    const placed = await started()
    provider.scriptedReplies.push('never')
    expect(await rail.start(shortTimeoutHttp(), placed)).toMatchObject({ outcome: 'unknown' })
    provider.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid' })
  })

  test.for<[string, object | string, number]>([
    ['an error of OPay', { code: '50003', message: 'service not available' }, 200],
    ['no code', { message: 'SUCCESSFUL' }, 200],
    ['a numeric code', { code: 0, data: {} }, 200],
    ['acceptance without a cashier', { code: '00000', data: { reference: 'x', orderNo: '1' } }, 200],
    ['acceptance with status 502', { code: '00000', data: null }, 502],
    ['a firewall page', '<html>blocked</html>', 403],
  ])('%s is unknown', async ([, body, status]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await rail.start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for([
    ['another reference', { reference: 'tp0', cashierUrl: 'https://cashier.opaycheckout.com/' }],
    ['a script instead of a page', { cashierUrl: 'javascript:alert(1)' }],
    ['a page without TLS', { cashierUrl: 'http://cashier.opaycheckout.com/' }],
  ])('acceptance with %s is unknown', async ([, data]) => {
    const placed = order()
    const body = { code: '00000', data: { reference: placed.reference, ...(data as object) } }
    provider.scriptedReplies.push({ status: 200, body })
    expect(await rail.start(http, placed)).toMatchObject({ outcome: 'unknown' })
  })
})

test('without the acceptance code the rest of a reply is ignored', async () => {
  const placed = order()
  const { reference } = placed
  const data = { reference, cashierUrl: 'https://cashier.opaycheckout.com/', status: 'SUCCESS' }
  const body = { code: '50001', data: { ...data, amount: { total: 150050, currency: 'NGN' } } }
  provider.scriptedReplies.push({ status: 200, body }, { status: 200, body })
  expect(await rail.start(http, placed)).toMatchObject({ outcome: 'unknown' })
  expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
})

describe('check', () => {
  test('a paid payment has the amount that OPay reports', async () => {
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
    provider.pay(placed.reference, { amountMinor: 1_00n, currency: 'egp' })
    provider.override(placed.reference, { reference: 'tp0' })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({
      status: 'paid',
      amountMinor: 1_00n,
      currency: 'EGP',
      reference: 'tp0',
    })
  })

  test('a payment at a test host is not live', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    const host = 'https://testapi.opaycheckout.com'
    const rerouted: HttpClient = {
      ...http,
      call: (address, request) => http.call(address.replace(host, provider.url), request),
    }
    const open = opened({ ...provider.variables, OPAY_BASE_URL: host })
    expect(await open.check(rerouted, queryOf(placed))).toMatchObject({ status: 'paid', live: false })
  })

  test.for([
    ['a text of digits', '150050', 1_500_50n],
    ['the largest amount', 500_000_000, 5_000_000_00n],
  ] as const)('an amount of %s is read exactly', async ([, total, minor]) => {
    const placed = await started()
    provider.pay(placed.reference)
    provider.override(placed.reference, { amount: { total, currency: 'NGN' } })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid', amountMinor: minor })
  })

  test.for([
    ['no amount', { amount: null }],
    ['half a kobo', { amount: { total: 1500.5, currency: 'NGN' } }],
    ['major units', { amount: { total: '1500.50', currency: 'NGN' } }],
    ['a negative amount', { amount: { total: -1, currency: 'NGN' } }],
    ['a list', { amount: { total: [150050], currency: 'NGN' } }],
    ['no currency', { amount: { total: 150050 } }],
    ['no reference', { reference: undefined }],
    ['an unknown status', { status: 'success' }],
    ['a numeric status', { status: 1 }],
  ])('success with %s is unknown', async ([, data]) => {
    const placed = await started()
    provider.pay(placed.reference)
    provider.override(placed.reference, data as object)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test.for([
    ['INITIAL', 'pending'],
    ['PENDING', 'pending'],
    ['FAIL', 'failed'],
    ['CLOSE', 'failed'],
    ['REFUNDED', 'unknown'],
  ] as const)('%s is %s', async ([word, status]) => {
    const placed = await started()
    provider.override(placed.reference, { status: word })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status })
  })

  test('a failure of another payment is unknown', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    provider.override(placed.reference, { reference: 'tp0' })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test('a success after a failure is a success', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'failed' })
    provider.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid' })
  })

  test('an unknown payment is pending for ten minutes and failed afterwards', async () => {
    const clock = new ManualClock()
    const query = queryOf(order())
    clock.advance({ minutes: 9, seconds: 59 })
    expect(await rail.check(testHttp(clock), query)).toMatchObject({ status: 'pending' })
    clock.advance({ seconds: 1 })
    expect(await rail.check(testHttp(clock), query)).toMatchObject({ status: 'failed' })
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

  test('the status is unknown if OPay rejects the signature', async () => {
    const placed = await started()
    const other = opened({ ...provider.variables, OPAY_SECRET_KEY: 'another' })
    expect(await other.check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test('payments of the other country are unknown, not failed', async () => {
    const clock = new ManualClock(after(order().createdAt, { days: 1 }))
    const query = queryOf(order({ currency: 'EGP' }))
    expect(await rail.check(testHttp(clock), query)).toMatchObject({ status: 'unknown' })
  })

  test('the query is signed over the sent bytes', async () => {
    const { recordingHttp, recorded } = createRecorder()
    const open = opened({ ...provider.variables, OPAY_SECRET_KEY: 'opay_secret' })
    await open.check(recordingHttp, { ...queryOf(order()), reference: 'tp_1' })
    expect(recorded[0]?.body).toBe('{"country":"NG","reference":"tp_1"}')
    expect(recorded[0]?.headers?.authorization).toBe(
      'Bearer 8f3dbf0024e421ca601fe655675e7eacdea56d80a8c143e036d6c82886bdbd6cfbc44df0f8a94f822f1f34468351055dc669592a18ba447eb0dcf4527690201d',
    )
  })
})

test('in Egypt it uses piastres and the Egyptian country code', async () => {
  const egypt = await startFakeOpay('EG')
  try {
    const open = opened(egypt.variables)
    const placed = order({ currency: 'EGP', amountMinor: 25_00n, phone: '+201012345678' })
    expect(await open.start(http, placed)).toMatchObject({ outcome: 'accepted' })
    const sent = {
      country: 'EG',
      amount: { total: 2500, currency: 'EGP' },
      userInfo: { userMobile: '01012345678' },
    }
    expect(JSON.parse(egypt.requests[0]?.raw ?? '')).toMatchObject(sent)
    egypt.pay(placed.reference)
    const paid = { status: 'paid', amountMinor: 25_00n, currency: 'EGP' }
    expect(await open.check(http, queryOf(placed))).toMatchObject(paid)
    const { headers, body } = egypt.message(placed.reference)
    expect(open.parseWebhook({ headers, raw: Buffer.from(body) })).toMatchObject({
      about: { reference: placed.reference },
    })
  } finally {
    await egypt.close()
  }
})

/** An HTTP client that records requests and replies with an empty success. */
function createRecorder() {
  const recorded: (HttpRequest & { address: string })[] = []
  const recordingHttp: HttpClient = {
    clock: new ManualClock(),
    call: async (address, request) => {
      recorded.push({ address, ...request })
      return { status: 200, text: '{}', json: {} }
    },
  }
  return { recordingHttp, recorded }
}
