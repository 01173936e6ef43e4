// A server with a paybill at the fake Daraja, and the messages that it gets from it.
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { paybillUrl } from '@cowrie/server/src/payments/settle/webhooks/webhook-url.ts'
import { type FakeDaraja, startFakeDaraja } from '../fakes/payments/daraja.ts'
import { type HandPayment, type Inquiry, paybillVariables } from '../fakes/payments/daraja-paybill.ts'
import { type Person, startTestServer, type TestServer } from '../harness/harness.ts'
import { customer } from './topup-fixture.ts'

export type PaybillWorld = {
  readonly daraja: FakeDaraja
  /** Verifies receipts. */
  readonly server: TestServer
  /** On the same database, without the keys of an initiator. */
  readonly unverifying: TestServer
  /** A person in Kenya and their account number. */
  payer(): Promise<Person & { account: string }>
  close(): Promise<void>
}

export async function startPaybillWorld(): Promise<PaybillWorld> {
  const daraja = await startFakeDaraja()
  const variables = {
    ...daraja.variables,
    ...paybillVariables,
    SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
    TRUST_PROXY: '1',
  }
  const schedules = ['payments.', 'wallet.', 'invoices.']
  const server = await startTestServer({ variables, schedules })
  const unverifying = await startTestServer({
    schedules,
    variables: { ...variables, DARAJA_INITIATOR_NAME: '', DARAJA_SECURITY_CREDENTIAL: '' },
    url: server.url,
    clock: server.clock,
  })
  return {
    daraja,
    server,
    unverifying,
    async payer() {
      const person = await customer(server, 'KES')
      const { body } = await showPaybill(server, person)
      return { ...person, account: present(body.account, 'Kenya has a paybill') }
    },
    async close() {
      await unverifying.close()
      await server.close()
      await daraja.close()
    },
  }
}

type Shown = { paybill: string | null; account: string | null; mode: string | null; code?: string }

export const showPaybill = (server: TestServer, as: { bearer: string }) =>
  server.call<Shown>('GET', '/wallet/paybill', { as })

type Reply = { ResultCode: string | number; code?: string }

export const post = (server: TestServer, path: string, raw: string) =>
  server.call<Reply>('POST', path, { raw, headers: { 'content-type': 'application/json' } })

export const pathOf = (server: TestServer, name: 'validation' | 'confirmation'): string =>
  `${new URL(paybillUrl(server.app)).pathname}/${name}`

export const validate = ({ server, daraja }: PaybillWorld, payment: HandPayment) =>
  post(server, pathOf(server, 'validation'), daraja.paybill.notice(payment))

/** M-Pesa confirms the payment, and the service takes its first step. */
export async function confirm({ server, daraja }: PaybillWorld, payment: HandPayment, on = server) {
  const reply = await post(on, pathOf(on, 'confirmation'), daraja.paybill.notice(payment))
  await on.app.jobs.drain()
  return reply
}

/** M-Pesa answers the last status query of the payment. */
export async function answer(
  { server, daraja: { paybill } }: PaybillWorld,
  { receipt }: HandPayment,
  changes: Record<string, unknown> = {},
  result: Record<string, unknown> = {},
) {
  const inquiry = paybill.lastInquiry(receipt)
  return post(server, new URL(inquiry.ResultURL).pathname, paybill.answer(inquiry, changes, result))
}

export const answerTo = ({ server, daraja }: PaybillWorld, inquiry: Inquiry, body?: string) =>
  post(server, new URL(inquiry.ResultURL).pathname, body ?? daraja.paybill.answer(inquiry))

export type PaidRow = {
  reference: string
  orgId: string
  status: string
  capturedMinor: bigint
  reason: string | null
}

/** The payments with this receipt. */
export const paymentsOf = ({ server }: PaybillWorld, { receipt }: { receipt: string }): Promise<PaidRow[]> =>
  server.sql.rows<PaidRow>`
    select reference, org_id as "orgId", status, captured_minor as "capturedMinor", reason
    from payments where transaction_id = ${receipt}`

export type CaseRow = {
  id: string
  summary: string
  isOpen: boolean
  reference: string | null
  note: string | null
}

export const casesOf = ({ server }: PaybillWorld, { receipt }: { receipt: string }): Promise<CaseRow[]> =>
  server.sql.rows<CaseRow>`
    select id, summary, resolved_at is null as "isOpen", reference, note
    from payment_cases where kind = 'paybill' and evidence->>'receipt' = ${receipt} order by opened_at, id`

export async function stateOf(
  { server }: PaybillWorld,
  { receipt }: { receipt: string },
): Promise<string | null> {
  const row = await server.sql.maybe<{ state: string }>`
    select state from paybill_receipts where receipt = ${receipt}`
  return row?.state ?? null
}
