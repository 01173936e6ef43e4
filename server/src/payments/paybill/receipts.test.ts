// Receipts of the paybill beside those of prompts, and receipts that staff decide about.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import {
  answer,
  casesOf,
  confirm,
  type PaybillWorld,
  paymentsOf,
  post,
  startPaybillWorld,
  stateOf,
} from '@cowrie/testkit/payments/paybill-world.ts'
import { postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { balanceOf, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const AMOUNT = 1_500_00n
let world: PaybillWorld
let biller: Person
let operator: Person
beforeAll(async () => {
  world = await startPaybillWorld()
  biller = await world.server.person({ staff: 'billing' })
  operator = await world.server.person({ staff: 'operator' })
})
afterAll(() => world.close())

const drain = () => world.server.app.jobs.drain()
let phones = 0
let keys = 0

/** A prompt that its payer has paid, with the confirmation that M-Pesa sends about it to the paybill. */
async function paidPrompt(isTill = false) {
  const payer = await world.payer()
  const phone = `0712${String(++phones).padStart(6, '0')}`
  const { body } = await topUp(world.server, payer, { amountMinor: AMOUNT, channel: 'mpesa', phone })
  const { reference } = body
  world.daraja.pay(reference)
  const push = world.daraja.pushes.at(-1)
  const receipt = world.daraja.receiptOf(reference)
  const account = isTill ? '' : (push?.AccountReference ?? '')
  const payment = world.daraja.paybill.pay(account, '1500.00', { receipt })
  const callback = () =>
    post(world.server, new URL(push?.CallBackURL ?? '').pathname, world.daraja.message(reference).body)
  return { payer, reference, payment, callback, account: push?.AccountReference ?? '' }
}

describe('the receipt of a prompt', () => {
  test('is credited once when the callback of the prompt arrives first', async () => {
    const { payer, reference, payment, callback } = await paidPrompt()
    await callback()
    await drain()
    await confirm(world, payment)
    expect(await postedAmounts(world.server, reference)).toEqual([AMOUNT])
    expect(await paymentsOf(world, payment)).toMatchObject([{ reference }])
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await stateOf(world, payment)).toBe('prompt')
  })

  test('is credited once when the confirmation arrives first', async () => {
    const { payer, reference, payment, callback } = await paidPrompt()
    await confirm(world, payment)
    expect(await postedAmounts(world.server, reference)).toEqual([AMOUNT])
    await callback()
    await drain()
    expect(await paymentsOf(world, payment)).toMatchObject([{ reference }])
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
  })

  test('is credited once when both arrive at the same time, on two replicas', async () => {
    const { payer, payment, callback } = await paidPrompt()
    await Promise.all([
      callback().then(drain),
      confirm(world, payment),
      confirm(world, payment, world.unverifying),
    ])
    await drain()
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await paymentsOf(world, payment)).toHaveLength(1)
    expect(await stateOf(world, payment)).toBe('prompt')
  })

  test('is found by the callback at a till, which reports no account number', async () => {
    const { payer, reference, payment, callback } = await paidPrompt(true)
    await confirm(world, payment)
    await callback()
    await drain()
    await answer(world, payment)
    expect(await postedAmounts(world.server, reference)).toEqual([AMOUNT])
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await stateOf(world, payment)).toBe('prompt')
  })

  test('closes the case that was opened before the callback arrived', async () => {
    const { payment, callback } = await paidPrompt(true)
    await confirm(world, payment)
    await answer(world, payment)
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: true }])
    await callback()
    await drain()
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: false }])
  })

  test('waits while the prompt is not paid, and becomes a case when it never is', async () => {
    const { payer, reference, payment } = await paidPrompt()
    world.daraja.decline(reference)
    await confirm(world, payment)
    expect(await stateOf(world, payment)).toBe('received')
    world.server.clock.advance({ minutes: 31 })
    await drain()
    await answer(world, payment)
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: true }])
    expect(await balanceOf(world.server, payer)).toBe(0n)
  })

  test('differs from that of a later payment by hand with the same account reference', async () => {
    const { payer, reference, account, callback } = await paidPrompt()
    await callback()
    await drain()
    const later = world.daraja.paybill.pay(account)
    await confirm(world, later)
    await answer(world, later)
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect((await readPayment(world.server, reference)).transactionId).not.toBe(later.receipt)
    expect((await casesOf(world, later)).some(({ isOpen }) => isOpen)).toBe(true)
  })

  test('is not credited again when a confirmation names it with an account number', async () => {
    const { payer, payment, callback } = await paidPrompt()
    await callback()
    await drain()
    await confirm(world, { ...payment, account: payer.account })
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await paymentsOf(world, payment)).toHaveLength(1)
  })
})

test.for([
  ['that the status query repeats', 1400, 'prompt', 404],
  ['that the status query denies', 1500, 'unassigned', 409],
] as const)(
  'the receipt of a prompt with another amount, %s, is not credited again',
  async ([, Amount, state, status]) => {
    const { payer, payment, callback } = await paidPrompt()
    await callback()
    await drain()
    await confirm(world, { ...payment, account: payer.account, amount: '1400.00' })
    await answer(world, payment, { Amount })
    expect(await stateOf(world, payment)).toBe(state)
    const [opened] = await casesOf(world, payment)
    const assigned = await assign(opened?.id ?? 'pcs_00000000000000000000000000', payer.orgId)
    expect(assigned.status).toBe(status)
    if (status === 409) expect(assigned.body.code).toBe('transaction_used')
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await paymentsOf(world, payment)).toHaveLength(1)
  },
)

type Assigned = { reference: string; status: string; creditedMinor: bigint; code?: string }
const assign = (id: string | undefined, orgId: string, as = biller, key = `assign-${++keys}`) =>
  world.server.call<Assigned>('POST', `/admin/payment-cases/${id}/assign`, {
    as,
    body: { orgId, note: 'The payer sent the receipt.' },
    headers: { 'idempotency-key': key },
  })

/** A payment with an unknown account number. */
async function unassigned(isVerified = true) {
  const payment = world.daraja.paybill.pay('RENT', '1500.00')
  await confirm(world, payment, isVerified ? world.server : world.unverifying)
  if (isVerified) await answer(world, payment)
  const [opened] = await casesOf(world, payment)
  return { payment, id: opened?.id }
}

describe('an unassigned receipt', () => {
  test('is credited to the organisation that staff name, once, with an audit entry', async () => {
    const [payer, other] = [await world.payer(), await world.payer()]
    const { payment, id } = await unassigned()
    const assigned = await assign(id, payer.orgId)
    expect(assigned).toMatchObject({ status: 200, body: { status: 'settled', creditedMinor: AMOUNT } })
    expect(await assign(id, other.orgId)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await balanceOf(world.server, other)).toBe(0n)
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: false }])
    const audited = await world.server.sql.rows`
      select 1 from audit_entries where action = 'admin.payments.assign' and target = ${assigned.body.reference}`
    expect(audited).toHaveLength(1)
  })

  test('that staff assign is not credited again when the prompt is reported as paid later', async () => {
    const { payer, reference, payment, callback } = await paidPrompt()
    world.daraja.decline(reference)
    await confirm(world, payment)
    world.server.clock.advance({ minutes: 31 })
    await drain()
    await answer(world, payment)
    const [opened] = await casesOf(world, payment)
    expect(await assign(opened?.id, payer.orgId)).toMatchObject({ status: 200 })
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    world.daraja.pay(reference)
    await callback()
    await drain()
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
  })

  test('above the limit of staff is credited after the approval of another one', async () => {
    const admin = await world.server.person({ staff: 'super_admin' })
    const setLimit = (value: number) =>
      world.server.call('PUT', '/admin/settings/staff_approval_limit_minor', { as: admin, body: { value } })
    await setLimit(1)
    const payer = await world.payer()
    const { payment, id } = await unassigned()
    const asked = await assign(id, payer.orgId)
    expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } })
    expect(await stateOf(world, payment)).toBe('unassigned')
    expect(await balanceOf(world.server, payer)).toBe(0n)
    const { approvalId } = asked.body as unknown as { approvalId: string }
    const decide = (key: string) =>
      world.server.call('POST', `/admin/approvals/${approvalId}/decide`, {
        as: operator,
        body: { decision: 'approve' },
        headers: { 'idempotency-key': key },
      })
    expect(await decide('approve-receipt')).toMatchObject({ status: 200, body: { state: 'approved' } })
    expect((await decide('approve-receipt-again')).body.code).toBe('already_decided')
    expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: false }])
    // A receipt that M-Pesa did not confirm credits nothing, so its assignment needs no approval.
    const unverified = await unassigned(false)
    expect(await assign(unverified.id, payer.orgId)).toMatchObject({ body: { status: 'review' } })
    await setLimit(0)
  })

  test('is credited once by two concurrent decisions', async () => {
    const [payer, other] = [await world.payer(), await world.payer()]
    const { id } = await unassigned()
    const replies = await Promise.all([assign(id, payer.orgId), assign(id, other.orgId, operator)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const balances = await Promise.all([payer, other].map((each) => balanceOf(world.server, each)))
    expect(balances.sort()).toEqual([0n, AMOUNT])
  })

  test('is not assigned to a closed organisation, another currency or one’s own organisation', async () => {
    const { payment, id } = await unassigned()
    const closed = await world.payer()
    await world.server.sql.rows`
      update orgs set closed_at = ${world.server.clock.now()} where id = ${closed.orgId}`
    const naira = await world.server.person()
    for (const { orgId } of [closed, naira])
      expect(await assign(id, orgId)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    expect(await assign(id, biller.orgId)).toMatchObject({ status: 403 })
    expect(await paymentsOf(world, payment)).toEqual([])
  })

  test('without verification becomes a payment under review', async () => {
    const payer = await world.payer()
    const { id } = await unassigned(false)
    const { body } = await assign(id, payer.orgId)
    expect(body).toMatchObject({ status: 'review', creditedMinor: 0n })
    expect(await balanceOf(world.server, payer)).toBe(0n)
  })

  test('is unknown under the id of another case', async () => {
    const payer = await world.payer()
    expect(await assign('pcs_00000000000000000000000000', payer.orgId)).toMatchObject({ status: 404 })
  })
})

test('without the keys of an initiator, a payment is under review until staff credit it', async () => {
  const payer = await world.payer()
  const payment = world.daraja.paybill.pay(payer.account)
  await confirm(world, payment, world.unverifying)
  const [paid] = await paymentsOf(world, payment)
  expect(paid).toMatchObject({ status: 'review', reason: expect.stringContaining(payment.receipt) })
  expect(await casesOf(world, payment)).toMatchObject([{ isOpen: true, reference: paid?.reference }])
  expect(await balanceOf(world.server, payer)).toBe(0n)
  const credit = () =>
    world.server.call('POST', `/admin/payments/${paid?.reference}/resolve`, {
      as: biller,
      body: { decision: 'credit', note: 'It is in the portal of M-Pesa.' },
      headers: { 'idempotency-key': `credit-${++keys}` },
    })
  expect(await credit()).toMatchObject({ status: 200, body: { status: 'settled' } })
  expect(await credit()).toMatchObject({ status: 409 })
  expect(await balanceOf(world.server, payer)).toBe(AMOUNT)
})

test('the URLs are registered once, without a word that M-Pesa refuses, and each attempt is audited', async () => {
  const register = (as: Person) =>
    world.server.call('POST', '/admin/rails/daraja/register-urls', {
      as,
      body: { responseType: 'Cancelled' },
    })
  expect(await register(biller)).toMatchObject({ status: 403 })
  expect(await register(operator)).toMatchObject({ status: 200, body: { ok: true, shortcode: '600000' } })
  expect(world.daraja.paybill.registrations).toMatchObject([
    {
      ResponseType: 'Cancelled',
      ConfirmationURL: expect.stringMatching(/\/webhooks\/paybill\/.+\/confirmation$/),
    },
  ])
  expect(await register(operator)).toMatchObject({
    body: { ok: false, detail: expect.stringContaining('already registered') },
  })
  const audited = await world.server.sql.rows`
    select 1 from audit_entries where action = 'admin.rails.register_urls'`
  expect(audited).toHaveLength(2)
})
