// Each event type from its real flow: top-ups, runs, loops and invoices.

import {
  answer,
  change,
  type LoopTestServer,
  runToEnd,
  SHELL,
  startLoopServer,
} from '@cowrie/testkit/agent/loop.ts'
import { createRunCaller, fixingAnswer, TASK, USAGE } from '@cowrie/testkit/agent/run.ts'
import { issueFor } from '@cowrie/testkit/billing/invoice.ts'
import { addEndpoint, type Receiver, sendDue, startReceiver } from '@cowrie/testkit/fakes/webhook-receiver.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSilentRuns } from '../agent/jobs.ts'
import { payInvoice } from '../invoices/invoices.ts'
import { after } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { notifyLowBalances } from '../wallet/low-balance/low-balance.ts'

let loops: LoopTestServer
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  loops = await startLoopServer()
})
afterAll(async () => {
  await loops.close()
  await receiver.close()
})

async function createSubscriber(balanceMinor: bigint, events: string[]): Promise<Person> {
  const ada = await loops.customer(balanceMinor)
  await addEndpoint(loops.server, ada, `${receiver.url}/${ada.orgId}`, { events })
  return ada
}

/** Sends all due deliveries and returns the events that a user received. */
async function receivedEvents({ orgId }: Person) {
  await sendDue(loops.server)
  return receiver.at(`/${orgId}`).map(({ body: { type, data } }) => ({ type, data }))
}

describe('a payment', () => {
  test('emits one top-up event and one invoice event', async () => {
    const ada = await createSubscriber(0n, ['topup.settled', 'invoice.paid'])
    const { body } = await topUp(loops.server, ada, { amountMinor: 500_000n })
    for (let time = 0; time < 2; time++) await verify(loops.server, ada, body.reference)
    const at = loops.server.clock.now().toISOString()
    const events = await receivedEvents(ada)
    expect(events).toHaveLength(2)
    expect(events).toContainEqual({
      type: 'topup.settled',
      data: {
        reference: body.reference,
        amountMinor: 500_000n,
        creditedMinor: 500_000n,
        currency: 'NGN',
        channel: 'card',
        settledAt: at,
      },
    })
    expect(events).toContainEqual({
      type: 'invoice.paid',
      data: {
        invoiceId: expect.stringMatching(/^inv_/),
        number: expect.any(String),
        totalMinor: 500_000n,
        currency: 'NGN',
        paidAt: at,
      },
    })
  })

  test('of an open invoice emits the event when paid, not when issued', async () => {
    const ada = await createSubscriber(0n, ['invoice.paid'])
    const { id, number } = await issueFor(loops.server, ada.orgId, { status: 'open', reference: null })
    expect(await receivedEvents(ada)).toEqual([])
    for (let time = 0; time < 2; time++)
      await loops.server.app.db.tx(ada.orgId, (tx) =>
        payInvoice(loops.server.app, tx, id, { reference: 'r', method: null }),
      )
    expect(await receivedEvents(ada)).toMatchObject([
      { type: 'invoice.paid', data: { invoiceId: id, number } },
    ])
  })

  test('and a run emit balance.low once per crossing of the threshold', async () => {
    const ada = await createSubscriber(1_000n, ['balance.low'])
    await loops.server.call('PATCH', '/wallet/settings', {
      as: ada,
      body: { lowBalanceThresholdMinor: 1_000 },
    })
    for (let time = 0; time < 2; time++) {
      loops.upstream.script(fixingAnswer({ usage: USAGE }))
      expect((await createRunCaller(loops)(ada)).status).toBe(200)
    }
    for (let time = 0; time < 2; time++) await notifyLowBalances(loops.server.app)
    expect(await receivedEvents(ada)).toEqual([
      { type: 'balance.low', data: { balanceMinor: 782n, thresholdMinor: 1_000n, currency: 'NGN' } },
    ])
  })
})

describe('the end', () => {
  test('of a run emits an event, whether it completed or failed', async () => {
    const ada = await createSubscriber(1_000_000n, ['run.finished'])
    loops.upstream.script(fixingAnswer({ usage: USAGE }), { status: 400, body: {} })
    const { body } = await createRunCaller(loops)(ada)
    expect((await createRunCaller(loops)(ada, TASK)).status).toBeGreaterThanOrEqual(400)
    const run = { kind: 'run', verified: false, lane: 'open' }
    const events = await receivedEvents(ada)
    expect(events).toHaveLength(2)
    expect(events.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { ...run, runId: body.id, status: 'completed', stopReason: null, iterations: 1, costMinor: 109n },
        {
          ...run,
          runId: expect.stringMatching(/^agr_/),
          status: 'failed',
          stopReason: 'error',
          iterations: 0,
          costMinor: 0n,
        },
      ]),
    )
  })

  test('of a loop emits its outcome, without prompt or content', async () => {
    const ada = await createSubscriber(1_000_000n, ['run.finished'])
    loops.upstream.script(answer(change('word.txt', 'bad', 'good')))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    const [event, ...rest] = await receivedEvents(ada)
    expect(rest).toEqual([])
    expect(event?.data).toEqual({
      runId: last.id,
      kind: 'loop',
      status: 'completed',
      stopReason: 'verified',
      iterations: 1,
      verified: true,
      costMinor: last.totalCostMinor,
      lane: 'open',
    })
  })

  test.for(['shared', 'schema'] as const)(
    'of a loop whose process died emits an event when it is detected (content: %s)',
    async (place) => {
      const ada = await createSubscriber(0n, ['run.finished'])
      const id = newId('agr')
      const now = loops.server.clock.now()
      await loops.server.sql.rows`
        insert into agent_runs (id, org_id, user_id, kind, status, prompt, lane, model, sandbox, max_iterations, iterations,
                                cost_minor, created_at, beat_at)
        values (${id}, ${ada.orgId}, ${ada.userId}, 'loop', 'running', 'Loop.', 'open', 'small-1', 'local', 3, 1, 109,
                ${now}, ${now})`
      if (place === 'schema') await moveOut(ada)
      loops.server.clock.advance({ minutes: 3 })
      for (let time = 0; time < 2; time++) await endSilentRuns(loops.server.app)
      expect(await receivedEvents(ada)).toMatchObject([
        { data: { runId: id, status: 'failed', stopReason: 'interrupted', iterations: 1, costMinor: 109n } },
      ])
    },
  )
})

/** Moves the content of an organisation to a separate schema. */
async function moveOut({ orgId }: Person): Promise<void> {
  const { app, clock } = loops.server
  await app.content.prepare(orgId, 'schema')
  await app.db.tx(orgId, (tx) => app.content.startMove(tx, orgId, 'schema'))
  expect(await app.content.resumeMove(orgId, after(clock.now(), { minutes: 1 }))).toBe(true)
}
