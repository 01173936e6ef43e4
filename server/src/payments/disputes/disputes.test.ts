// The dispute desk: deadlines, evidence, answers and reminders.
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type Message, type ReturnsWorld, startReturnsWorld } from '@cowrie/testkit/payments/returns-world.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { remindOfDeadlines } from './jobs.ts'

const AMOUNT = 500_000n
let world: ReturnsWorld
let server: TestServer
let staff: Person
let paystack: ReturnsWorld['paystack']
let flutterwave: ReturnsWorld['flutterwave']
let count = 0

beforeAll(async () => {
  world = await startReturnsWorld()
  ;({ server, staff, paystack, flutterwave } = world)
})
afterAll(() => world.close())
afterEach(async () => {
  // An open circuit closes again.
  server.clock.advance({ minutes: 1 })
  await world.checkLedger()
})

const card = (message: Message) => world.post('/webhooks/card_provider', message)

async function settled(person: Person): Promise<string> {
  const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body
  paystack.pay(reference)
  await card(paystack.message(reference))
  return reference
}

type Listed = { disputes: { id: string; reference: string; dueAt: string | null }[] }

async function list(status = 'open') {
  const { body } = await server.call<Listed>('GET', '/admin/disputes', { as: staff, query: { status } })
  return body.disputes
}

/** Opens a dispute about a card payment that is answered within `hours`. */
async function disputed(person: Person, hours: number | null = 72) {
  const reference = await settled(person)
  const dueAt = hours === null ? undefined : after(server.clock.now(), { hours })
  await card(paystack.returns.dispute(reference, 200_000, dueAt))
  const found = (await list()).find((each) => each.reference === reference)
  return { reference, id: String(found?.id) }
}

const show = async (id: string) =>
  (await server.call<Shown>('GET', `/admin/disputes/${id}`, { as: staff })).body

type Shown = {
  dispute: object
  answerObstacle: string | null
  evidence: { payment: { reference: string }; signIns: object[]; serviceDetails: string }
}

type Action = 'evidence' | 'accept'
const answer = (id: string, action: Action, body: object = {}, as: Person = staff) =>
  server.call('POST', `/admin/disputes/${id}/${action}`, {
    as,
    body: { message: 'The customer used the service.', ...body },
    headers: { 'idempotency-key': `answer${++count}` },
  })

describe('the desk', () => {
  test('lists undecided disputes by the deadline of the provider, and decided ones apart', async () => {
    const person = await server.person()
    const late = await disputed(person, 200)
    const soon = await disputed(person, 100)
    const none = await disputed(person, null)
    const ids = (await list()).map(({ id }) => id)
    const ours = ids.filter((id) => [late.id, soon.id, none.id].includes(id))
    expect(ours).toEqual([soon.id, late.id, none.id])
    await card(paystack.returns.decide(soon.reference, 'won'))
    expect((await list()).map(({ id }) => id)).not.toContain(soon.id)
    expect((await list('decided')).map(({ id }) => id)).toContain(soon.id)
  })

  test('shows the evidence: customer, receipt, and what was used after the payment', async () => {
    const person = await server.person()
    const reference = await settled(person)
    await spend(server, person, 130_000n)
    await card(paystack.returns.dispute(reference, 200_000))
    const found = (await list()).find((each) => each.reference === reference)
    const { evidence, answerObstacle } = await show(String(found?.id))
    expect(answerObstacle).toBeNull()
    expect(evidence).toMatchObject({
      customer: { orgId: person.orgId, email: person.email },
      payment: { reference, capturedMinor: AMOUNT },
      invoice: { number: expect.any(String) },
      usage: [{ amountMinor: 130_000n, charges: 1 }],
      balanceMinor: 370_000n,
      heldMinor: 200_000n,
    })
    expect(evidence.serviceDetails).toContain('₦1,300.00 was used from the wallet')
  })

  test('shows the sign-ins of the payer after the payment, with their addresses', async () => {
    const person = await server.person()
    const { id, reference } = await disputed(person)
    await server.call('POST', '/auth/dev-login', { body: { email: person.email } })
    const { evidence } = await show(id)
    expect(evidence.payment.reference).toBe(reference)
    expect(evidence.signIns).toMatchObject([{ ip: expect.stringMatching(/\d/), method: 'dev' }])
    expect(evidence.serviceDetails).toContain('Sign-ins of the customer after the payment:')
  })
})

describe('an answer', () => {
  test('that contests sends evidence, a file and a refusal, and the bank still decides', async () => {
    const person = await server.person()
    const { id, reference } = await disputed(person)
    expect(await answer(id, 'evidence', { customerPhone: '+2348012345678' })).toMatchObject({
      status: 200,
      body: { answer: 'contested' },
    })
    expect(paystack.returns.answers.at(-1)).toMatchObject({
      resolution: 'declined',
      refund_amount: 0,
      message: 'The customer used the service.',
      evidence: { customer_email: person.email, customer_phone: '+2348012345678' },
      file: expect.stringContaining(reference),
    })
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 200_000n })
    expect((await show(id)).dispute).toMatchObject({ answer: 'contested', answeredAt: expect.anything() })
    expect(await answer(id, 'accept')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    await card(paystack.returns.decide(reference, 'won'))
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT, heldMinor: 0n })
  })

  test('that accepts lets the provider refund, which is debited once', async () => {
    const person = await server.person()
    const { id, reference } = await disputed(person)
    expect(await answer(id, 'accept')).toMatchObject({ status: 200, body: { answer: 'accepted' } })
    await server.app.jobs.drain()
    server.clock.advance({ minutes: 1 })
    await server.app.jobs.drain()
    expect(paystack.returns.answers.at(-1)).toMatchObject({
      ...{ resolution: 'merchant-accepted', refund_amount: 200_000 },
    })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await answer(id, 'evidence')).toMatchObject({ status: 409 })
  })

  test('without a reply can be repeated, and no other answer can be sent meanwhile', async () => {
    const person = await server.person()
    const { id } = await disputed(person)
    paystack.fault('down')
    expect(await answer(id, 'evidence')).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    paystack.heal()
    expect(await answer(id, 'accept')).toMatchObject({ status: 409 })
    expect(await answer(id, 'evidence')).toMatchObject({ status: 200 })
    expect(paystack.returns.answers.filter(({ resolution }) => resolution === 'declined').length).toBe(2)
  })

  test('that the provider refuses changes nothing, and can be corrected', async () => {
    const person = await server.person()
    const { id } = await disputed(person)
    paystack.scriptedReplies.push({
      status: 400,
      body: { status: false, message: 'Customer phone is invalid' },
    })
    expect(await answer(id, 'evidence')).toMatchObject({
      status: 409,
      body: { code: 'dispute_answer_refused', reason: expect.stringContaining('phone is invalid') },
    })
    expect((await show(id)).dispute).toMatchObject({ answer: null, answeredAt: null })
    expect(await answer(id, 'accept')).toMatchObject({ status: 200 })
  })

  test('at Flutterwave accepts or declines the chargeback', async () => {
    const person = await server.person()
    const open = async () => {
      const input = { amountMinor: AMOUNT, channel: 'flutterwave' }
      const { reference } = (await topUp(server, person, input)).body
      flutterwave.pay(reference)
      const check = () => server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
      await check()
      const dueAt = after(server.clock.now(), { hours: 48 })
      flutterwave.chargeback(reference, 2_000, 'initiated', dueAt)
      await check()
      const found = (await list()).find((each) => each.reference === reference)
      expect(found).toMatchObject({ dueAt: dueAt.toISOString() })
      return String(found?.id)
    }
    expect(await answer(await open(), 'evidence')).toMatchObject({ status: 200 })
    expect(flutterwave.answers.at(-1)).toMatchObject({
      action: 'decline',
      comment: expect.stringContaining('prepaid service'),
    })
    expect(await answer(await open(), 'accept')).toMatchObject({ status: 200 })
    expect(flutterwave.answers.at(-1)).toMatchObject({ action: 'accept' })
  })

  test('is sent by staff of the right tier outside the organisation', async () => {
    const member = await server.person({ staff: 'billing' })
    const { id } = await disputed(member)
    const support = await server.person({ staff: 'support' })
    expect(await answer(id, 'accept', {}, support)).toMatchObject({ status: 403 })
    expect(await answer(id, 'accept', {}, member)).toMatchObject({ status: 403 })
  })
})

describe('a deadline', () => {
  const alerts = async (reference: string) =>
    (await mailsTo(server, staff.email))
      .filter(({ text }) => text.includes(reference))
      .map(({ subject }) => subject)
      .filter((subject) => subject !== 'A payment is disputed')

  async function pass(hours: number) {
    server.clock.advance({ hours })
    await remindOfDeadlines(server.app)
  }

  test('is announced 48 and 12 hours before, and a missed one opens a case until the decision', async () => {
    const person = await server.person()
    const { reference } = await disputed(person, 60)
    await pass(6)
    expect(await alerts(reference)).toEqual([])
    await pass(7)
    await pass(5)
    expect(await alerts(reference)).toEqual(['A dispute needs an answer'])
    await pass(31)
    await pass(1)
    expect(await alerts(reference)).toEqual(['A dispute needs an answer', 'A dispute needs an answer'])
    await pass(11)
    await pass(24)
    expect((await alerts(reference)).filter((each) => each.includes('passed'))).toEqual([
      'The deadline of a dispute has passed',
    ])
    const open = (await world.casesOf(reference)) as { resolvedAt?: string | null }[]
    expect(open.filter(({ resolvedAt }) => resolvedAt === null)).toHaveLength(2)
    await card(paystack.returns.decide(reference, 'lost'))
    const closed = (await world.casesOf(reference)) as { resolvedAt?: string | null }[]
    expect(closed.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([])
  })

  test('of an answered dispute is not announced', async () => {
    const person = await server.person()
    const { reference, id } = await disputed(person, 60)
    await answer(id, 'evidence')
    await pass(100)
    expect(await alerts(reference)).toEqual([])
  })
})
