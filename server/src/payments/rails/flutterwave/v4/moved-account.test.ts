// An account that moved from API v3 to v4 while payments are open.
import { type FakeFlutterwave, startFakeFlutterwave } from '@cowrie/testkit/fakes/payments/flutterwave.ts'
import {
  type FakeFlutterwaveV4,
  startFakeFlutterwaveV4,
} from '@cowrie/testkit/fakes/payments/flutterwave-v4.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../../kernel/assert.ts'
import type { OpenRail } from '../../rail.ts'
import { flutterwave } from '../flutterwave.ts'

let provider: FakeFlutterwaveV4
let older: FakeFlutterwave
beforeAll(async () => {
  provider = await startFakeFlutterwaveV4()
  older = await startFakeFlutterwave()
})
afterEach(() => older.heal())
afterAll(() => Promise.all([provider.close(), older.close()]))

const http = testHttp()
const order = () => testOrder({ channel: 'flutterwave' })
const rail = (changes: Record<string, string> = {}): OpenRail =>
  present(flutterwave.open({ ...provider.variables, ...changes }), 'the rail is configured')
const moved = (): OpenRail =>
  rail({
    FLUTTERWAVE_SECRET_KEY_PREVIOUS: older.variables.FLUTTERWAVE_SECRET_KEY ?? '',
    FLUTTERWAVE_BASE_URL: older.variables.FLUTTERWAVE_BASE_URL ?? '',
    FLUTTERWAVE_WEBHOOK_HASH_PREVIOUS: older.variables.FLUTTERWAVE_WEBHOOK_HASH ?? '',
  })

describe('an account that moved from version 3', () => {
  const v3 = () => present(flutterwave.open(older.variables), 'version 3 is configured')

  test('starts with version 4 and still checks the payments of version 3', async () => {
    const before = order()
    await v3().start(http, before)
    older.pay(before.reference)
    expect(await moved().check(http, queryOf(before))).toMatchObject({ status: 'paid', transactionId: '1' })
    const count = older.orders.length
    const placed = order()
    const answer = await moved().start(http, placed)
    expect(older.orders).toHaveLength(count)
    provider.pay(placed.reference)
    const providerRef = 'providerRef' in answer ? answer.providerRef : null
    expect(await moved().check(http, queryOf(placed, providerRef))).toMatchObject({
      status: 'paid',
      transactionId: expect.stringMatching(/^chg_/),
    })
  })

  test('a payment of version 3 is unknown while that API does not answer, and failed when it failed there', async () => {
    const placed = order()
    await v3().start(http, placed)
    older.decline(placed.reference)
    expect(await moved().check(http, queryOf(placed))).toMatchObject({ status: 'failed' })
    older.fault('down')
    expect(await moved().check(http, queryOf(placed))).toMatchObject({ status: 'unknown' })
  })

  test('payments on the pages of both versions are one payment and a second one', async () => {
    const placed = order()
    await v3().start(http, placed)
    await rail().start(http, placed)
    older.pay(placed.reference)
    provider.pay(placed.reference)
    expect(await moved().check(http, queryOf(placed))).toMatchObject({
      transactionId: expect.stringMatching(/^\d+$/),
      others: [{ transactionId: expect.stringMatching(/^chg_/), amountMinor: 1_500_50n }],
    })
  })

  test('accepts the webhooks of both versions, and reads the returns where the payment is', async () => {
    const placed = order()
    await v3().start(http, placed)
    older.pay(placed.reference)
    const { headers, body } = older.message(placed.reference)
    const about = { about: { reference: placed.reference } }
    expect(moved().parseWebhook({ raw: Buffer.from(body), headers })).toMatchObject(about)
    expect(rail().parseWebhook({ raw: Buffer.from(body), headers })).toBe('forged')
    older.refund(placed.reference, 5)
    const paid = await v3().check(http, queryOf(placed))
    const transactionId = present('transactionId' in paid ? paid.transactionId : null, 'it is paid')
    expect(await moved().returns?.(http, { ...queryOf(placed), transactionId })).toMatchObject({
      status: 'known',
      returns: [{ amountMinor: 5_00n }],
    })
    expect(moved().list).toBeUndefined()
  })
})
