// Setup of e-invoicing tests: a service with a fake tax authority, and one buyer.
import type { NewInvoice } from '@cowrie/server/src/invoices/document.ts'
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import { creditFor, issueFor } from '../billing/invoice.ts'
import type { FakeAuthority } from '../fakes/einvoices/fake-authority.ts'
import { type Person, startTestServer, type TestServer } from '../harness/harness.ts'

export type RegistrationRow = {
  id: string
  number: string
  state: string
  serial: bigint | null
  key: string | null
  authorityId: string | null
  qr: string | null
  stamp: Record<string, string> | null
  attempts: number
  failure: string | null
  reasons: string[]
  sent: boolean
}

export type EInvoiceWorld = {
  readonly server: TestServer
  readonly staff: Person
  /** A new buyer with billing details. */
  buyer(details?: { taxId?: string | null; country?: string }): Promise<Person>
  /** A paid top-up of 1,200.00 by card, in the currency of the authority. */
  issue(to: Person, more?: Partial<NewInvoice>): Promise<{ id: string; number: string; reference: string }>
  credit(to: Person, reference: string, amountMinor: bigint): Promise<{ id: string; number: string }>
  /** Runs all due jobs, and again until nothing happens. */
  run(): Promise<void>
  /** Lets the next planned attempt become due, and runs it. */
  runLater(): Promise<void>
  registered(number: string): Promise<RegistrationRow>
  /** Mails to staff about a document. */
  mails(number: string): Promise<{ subject: string; text: string }[]>
}

export async function startEInvoiceWorld(authority: FakeAuthority): Promise<EInvoiceWorld> {
  const server = await startTestServer({
    variables: {
      SERVICE_SELLER_NAME: 'Cowrie Ltd',
      SERVICE_SELLER_ADDRESS: '1 Marina\nLagos',
      SERVICE_SELLER_TAX_ID: '12345678-0001',
      ...authority.variables,
    },
    schedules: ['einvoices.', 'invoices.', 'payments.'],
  })
  const staff = await server.person({ staff: 'billing' })

  const run = async () => {
    await server.app.jobs.drain()
  }

  return {
    server,
    staff,
    run,
    async buyer({ taxId = null, country = authority.country } = {}) {
      const person = await server.person()
      await server.call('PUT', '/billing/details', {
        as: person,
        body: { legalName: 'Ada Ltd', address: '2 Road\nTown', taxId, country },
      })
      return person
    },
    async issue(to, more = {}) {
      const reference = `tp${newId('x').slice(2)}`
      const lines = [{ description: 'Wallet top-up', quantity: 1, amountMinor: 120_000n }]
      const issued = await issueFor(server, to.orgId, {
        ...{ reference, cause: reference, currency: authority.currency, lines },
        method: 'Visa ending in 4081',
        ...more,
      })
      return { ...issued, reference }
    },
    credit: async (to, reference, amountMinor) =>
      present(await creditFor(server, to.orgId, reference, amountMinor), 'the payment has an invoice'),
    async runLater() {
      const { due } = await server.sql.one<{ due: Date | null }>`
        select min(due_at) as due from einvoice_submissions where state in ('waiting', 'sent') and due_at is not null`
      const ms = (due?.getTime() ?? 0) - server.clock.now().getTime()
      if (ms > 0) server.clock.advance({ ms })
      await run()
    },
    registered: (number) => server.sql.one<RegistrationRow>`
      select s.id, ${number}::text as number, s.state, s.serial, s.document_key as key, s.authority_id as "authorityId", s.qr, s.stamp,
             s.attempts, s.failure, s.reasons, s.sent_at is not null as sent
      from einvoice_submissions s join invoices i on i.id = s.invoice_id left join credit_notes n on n.id = s.credit_note_id
      where coalesce(n.number, i.number) = ${number}`,
    async mails(number) {
      const { body } = await server.call<{ mails: { subject: string; text: string }[] }>(
        'GET',
        '/dev/outbox',
        {
          query: { to: staff.email },
        },
      )
      return body.mails.filter(({ text }) => text.includes(number))
    },
  }
}
