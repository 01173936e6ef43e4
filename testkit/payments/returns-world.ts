// Setup of refund and dispute tests: two replicas, the providers that support refunds, and views of staff and customers.
import { expect } from 'vitest'
import type { FakeProvider } from '../fakes/payments/fake-provider.ts'
import { startFakeFawry } from '../fakes/payments/fawry.ts'
import { startFakeFlutterwave } from '../fakes/payments/flutterwave.ts'
import { startFakeOpay } from '../fakes/payments/opay.ts'
import { startFakeOzow } from '../fakes/payments/ozow.ts'
import { startFakePaystack } from '../fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '../harness/harness.ts'

export type Message = ReturnType<FakeProvider['message']>
export type ReturnsWorld = Awaited<ReturnType<typeof startReturnsWorld>>

export async function startReturnsWorld() {
  const fakes = {
    paystack: await startFakePaystack(),
    flutterwave: await startFakeFlutterwave(),
    opay: await startFakeOpay('NG'),
    ozow: await startFakeOzow(),
    fawry: await startFakeFawry(),
  }
  const all: readonly FakeProvider[] = Object.values(fakes)
  const variables = {
    ...Object.assign({}, ...all.map((fake) => fake.variables)),
    SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
    SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
    SERVICE_WEBHOOK_TOKEN_MPESA: 'operator-token',
  }
  const schedules = ['payments.', 'wallet.', 'invoices.']
  const server = await startTestServer({ variables, schedules })
  const second = await startTestServer({ variables, schedules, url: server.url, clock: server.clock })
  const staff = await server.person({ staff: 'billing' })
  return {
    ...fakes,
    server,
    second,
    staff,
    /** Checks the ledger invariants after each test. */
    async checkLedger() {
      for (const fake of all) fake.heal()
      const { body } = await server.call('GET', '/admin/ledger/invariants', { as: staff })
      expect(body).toMatchObject({ ok: true })
    },
    async close() {
      await second.close()
      await server.close()
      await Promise.all(all.map((fake) => fake.close()))
    },
    /** Sends a webhook and runs its job. */
    async post(path: string, { headers, body }: Message, on: TestServer = server): Promise<void> {
      expect(await on.call('POST', path, { headers, raw: body })).toMatchObject({ status: 200 })
      await on.app.jobs.drain()
    },
    walletOf: async (person: Person) => (await server.call('GET', '/wallet', { as: person })).body,
    casesOf: async (reference: string) =>
      (await server.call<Cases>('GET', '/admin/payment-cases', { as: staff, query: { reference } })).body
        .cases,
    ledgerOf: async (person: Person) =>
      (await server.call<Ledger>('GET', '/wallet/ledger', { as: person })).body.entries,
  }
}

type Cases = { cases: { id: string; kind: string }[] }
type Ledger = { entries: { id: string; type: string }[] }
