// Accepting a dispute above the limit of staff needs a second member of staff.
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type ReturnsWorld, startReturnsWorld } from '@cowrie/testkit/payments/returns-world.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { type DisputeId, withdrawAnswer } from './sql.ts'

const AMOUNT = 500_000n
const DISPUTED = 200_000
let world: ReturnsWorld
let server: TestServer
let paystack: ReturnsWorld['paystack']
let admin: Person
let second: Person
let requester: Person
let count = 0
beforeAll(async () => {
  world = await startReturnsWorld()
  ;({ server, paystack } = world)
  admin = await server.person({ staff: 'super_admin' })
  second = await server.person({ staff: 'billing' })
})
afterAll(() => world.close())
beforeEach(async () => {
  requester = await server.person({ staff: 'billing' })
  await setLimit(DISPUTED - 1)
})

const setLimit = (value: number) =>
  server.call('PUT', '/admin/settings/staff_approval_limit_minor', { as: admin, body: { value } })
const headers = () => ({ 'idempotency-key': `approved-answer-${++count}` })

async function disputed() {
  const person = await server.person()
  const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
  paystack.pay(reference)
  await world.post('/webhooks/card_provider', paystack.message(reference))
  const dueAt = after(server.clock.now(), { hours: 72 })
  await world.post('/webhooks/card_provider', paystack.returns.dispute(reference, DISPUTED, dueAt))
  const { id } = await server.sql.one<{ id: string }>`
    select id from payment_disputes where reference = ${reference}`
  return { person, reference, id }
}
const answer = (id: string, action: 'evidence' | 'accept', options = { headers: headers() }) =>
  server.call('POST', `/admin/disputes/${id}/${action}`, {
    as: requester,
    body: { message: 'The customer is right.' },
    ...options,
  })
const approve = (id: unknown) =>
  server.call('POST', `/admin/approvals/${id}/decide`, {
    as: second,
    body: { decision: 'approve' },
    headers: headers(),
  })
const sent = () => paystack.returns.answers.length
const answerOf = (id: string) => server.sql.one<{ answer: string | null; isSent: boolean }>`
  select answer, answered_at is not null as "isSent" from payment_disputes where id = ${id}`

test('nothing is sent before the approval, and the answer once after it', async () => {
  const { reference, id } = await disputed()
  const before = sent()
  const asked = await answer(id, 'accept')
  expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } })
  expect([sent(), await answerOf(id)]).toEqual([before, { answer: null, isSent: false }])
  expect(await approve(asked.body.approvalId)).toMatchObject({ status: 200, body: { state: 'approved' } })
  expect((await answer(id, 'evidence')).body.code).toBe('already_decided')
  await server.app.jobs.drain()
  expect(sent()).toBe(before + 1)
  expect(paystack.returns.answers.at(-1)).toMatchObject({
    ...{ resolution: 'merchant-accepted', refund_amount: DISPUTED, message: 'The customer is right.' },
  })
  expect(await answerOf(id)).toEqual({ answer: 'accepted', isSent: true })
  const [entry] = await server.sql.rows<{ email: string; metadata: object }>`
    select actor_email as email, metadata from audit_entries
    where action = 'admin.disputes.answer' and target = ${reference}`
  expect(entry).toMatchObject({ email: requester.email, metadata: { approvedBy: second.email } })
  server.clock.advance({ minutes: 1 })
  await server.app.jobs.drain()
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -BigInt(DISPUTED)])
})

test('an approved answer without a reply is sent again', async () => {
  const { id } = await disputed()
  const asked = await answer(id, 'accept')
  paystack.fault('down')
  await approve(asked.body.approvalId)
  await server.app.jobs.drain()
  expect(await answerOf(id)).toEqual({ answer: 'accepted', isSent: false })
  paystack.heal()
  server.clock.advance({ minutes: 11 })
  await server.app.jobs.drain()
  expect(await answerOf(id)).toEqual({ answer: 'accepted', isSent: true })
})

test('an approved answer is not sent after it was withdrawn and the dispute was contested', async () => {
  const { id } = await disputed()
  const asked = await answer(id, 'accept')
  paystack.fault('down')
  await approve(asked.body.approvalId)
  await server.app.jobs.drain()
  paystack.heal()
  server.clock.advance({ minutes: 1 })
  await setLimit(0)
  paystack.scriptedReplies.push({ status: 400, body: { status: false, message: 'Amount is invalid' } })
  expect(await answer(id, 'accept')).toMatchObject({ body: { code: 'dispute_answer_refused' } })
  paystack.fault('down')
  expect((await answer(id, 'evidence')).status).toBe(503)
  paystack.heal()
  const before = sent()
  server.clock.advance({ minutes: 20 })
  await server.app.jobs.drain()
  expect(sent()).toBe(before)
  expect(await answerOf(id)).toEqual({ answer: 'contested', isSent: false })
})

test('an approved answer that the provider refuses is withdrawn, and staff receive a mail', async () => {
  const { id } = await disputed()
  const asked = await answer(id, 'accept')
  await approve(asked.body.approvalId)
  paystack.scriptedReplies.push({ status: 400, body: { status: false, message: 'Amount is invalid' } })
  await server.app.jobs.drain()
  expect(await answerOf(id)).toEqual({ answer: null, isSent: false })
  const mails = await mailsTo(server, second.email)
  expect(mails.filter(({ text }) => text.includes('Amount is invalid'))).toHaveLength(1)
})

test('an answer within the limit is sent at once, and counts once when it is repeated', async () => {
  await setLimit(DISPUTED)
  const { id } = await disputed()
  const options = { headers: headers() }
  paystack.fault('down')
  expect(await answer(id, 'accept', options)).toMatchObject({ status: 503 })
  paystack.heal()
  server.clock.advance({ minutes: 1 })
  expect(await answer(id, 'accept', options)).toMatchObject({ status: 200, body: { answer: 'accepted' } })
  expect((await answer((await disputed()).id, 'accept')).body.code).toBe('approval_required')
})

test('contesting moves no money and needs no approval', async () => {
  const { id } = await disputed()
  expect(await answer(id, 'evidence')).toMatchObject({ status: 200, body: { answer: 'contested' } })
})

test('a late refusal of an accepted dispute does not withdraw the evidence that was claimed since', async () => {
  const { id } = await disputed()
  paystack.fault('down')
  expect((await answer(id, 'evidence')).status).toBe(503)
  paystack.heal()
  await server.app.db.tx('platform', (tx) => withdrawAnswer(tx, id as DisputeId, 'accepted'))
  expect(await answerOf(id)).toEqual({ answer: 'contested', isSent: false })
  await server.app.db.tx('platform', (tx) => withdrawAnswer(tx, id as DisputeId, 'contested'))
  expect(await answerOf(id)).toEqual({ answer: null, isSent: false })
})
