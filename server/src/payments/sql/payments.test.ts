import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPayment, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { before } from '../../kernel/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import * as sql from './payments.ts'

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.person()
})

/** In platform scope, so that only the statement itself enforces the rule. */
const run = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => server.app.db.tx('platform', work)

test('a late refusal fails only a pending payment', async () => {
  const reviewed = await createPayment(server, ada, { status: 'review' })
  const waiting = await createPayment(server, ada)
  for (const reference of [reviewed, waiting]) await run((tx) => sql.markRefused(tx, reference, 'No.', true))
  expect((await readPayment(server, reviewed)).status).toBe('review')
  expect(await readPayment(server, waiting)).toMatchObject({ status: 'failed', nextCheckAt: null })
})

test('the instructions and the provider id are stored once and not replaced', async () => {
  const reference = await createPayment(server, ada)
  await run((tx) => sql.storeHandOff(tx, reference, { displayText: 'first' }, `a ${reference}`))
  const kept = await run((tx) => sql.storeHandOff(tx, reference, { displayText: 'second' }, `b ${reference}`))
  expect(kept.handOff).toEqual({ displayText: 'first' })
  expect(
    await server.sql.rows`select provider_ref as name from payments where reference = ${reference}`,
  ).toEqual([{ name: `a ${reference}` }])
})

test('only pending mock payments accept a decision', async () => {
  const play = await createPayment(server, ada, { mode: 'mock', rail: 'mock' })
  const live = await createPayment(server, ada)
  for (const reference of [play, live]) await run((tx) => sql.setMockDecision(tx, reference, 'approved'))
  const decided = await server.sql.rows`
    select reference from payments where mock_decision = 'approved' and org_id = ${ada.orgId}`
  expect(decided).toEqual([{ reference: play }])
})

test('a top-up is found only by its organisation', async () => {
  const reference = await createPayment(server, ada)
  const { orgId } = await server.person()
  expect(await run((tx) => sql.findPayment(tx, orgId, reference))).toBeUndefined()
  expect(await run((tx) => sql.findPayment(tx, ada.orgId, reference))).toMatchObject({ reference })
})

test('the undecided payments are pending ones created since the given time', async () => {
  for (const status of ['pending', 'failed', 'expired', 'review'] as const)
    await createPayment(server, ada, { status })
  await createPayment(server, ada, { channel: 'mpesa', rail: 'daraja' })
  await createPayment(server, ada, { ageMinutes: 61 })
  const since = before(server.clock.now(), { hours: 1 })
  expect(await run((tx) => sql.countPendingByChannel(tx, ada.orgId, since, ['mpesa']))).toEqual({
    within: 1n,
    outside: 1n,
  })
})
