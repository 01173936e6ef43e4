// A fake of Nigeria's e-invoice service: it checks keys, reference numbers and sums, and has the same answers.
import { constants, privateDecrypt } from 'node:crypto'
import { z } from 'zod'
import { rsaKeys } from '../../harness/rsa-keys.ts'
import type { FakeReply, FakeRequest } from '../payments/loopback-server.ts'
import {
  cents,
  type FakeAuthority,
  type RegisteredDocument,
  reply,
  startAuthorityServer,
  sumOf,
} from './fake-authority.ts'

export type FakeFirs = FakeAuthority & {
  /** Reads a QR code, as the authority's app does. */
  readQr(text: string): { irn: string; certificate: string }
  /** The reference numbers that were transmitted to a buyer. */
  readonly transmitted: readonly string[]
  /** Whether buyers have an access point. */
  buyersReachable: boolean
}

const SERVICE = '94ND90NR'
const PREFIX = '/api/v1/invoice'
const registers = ({ path }: FakeRequest): boolean => path === `${PREFIX}/sign`

export async function startFakeFirs(): Promise<FakeFirs> {
  const { publicKey, privateKey } = rsaKeys()
  const documents: (RegisteredDocument & { irn: string })[] = []
  const transmitted: string[] = []

  const readInvoice = (raw: string): { invoice: z.output<typeof Invoice> } | { problem: string } => {
    const read = Invoice.safeParse(JSON.parse(raw))
    if (!read.success) {
      const [issue] = read.error.issues
      return { problem: `${issue?.path.join('.')}: ${issue?.message}` }
    }
    const problem = fake.rejects ? 'hsn_code is not in the list of services' : problemIn(read.data, documents)
    return problem ? { problem } : { invoice: read.data }
  }

  function handle({ method, path, headers, raw }: FakeRequest): FakeReply {
    if (!fake.keysWork || headers['x-api-key'] !== 'key' || headers['x-api-secret'] !== 'secret')
      return refusal(401, 'invalid api key or secret')
    const [, action, irn] = /^\/api\/v1\/invoice\/(\w+)(?:\/(.+))?$/.exec(path) ?? []
    if (method === 'POST' && (action === 'validate' || action === 'sign')) {
      const read = readInvoice(raw)
      if ('problem' in read) return refusal(400, read.problem)
      if (action === 'validate') return reply(200, { code: 200, data: { ok: true } })
      if (documents.some((each) => each.irn === read.invoice.irn)) return refusal(400, 'irn already exists')
      documents.push({
        irn: read.invoice.irn,
        key: read.invoice.irn.split('-')[0] ?? '',
        body: JSON.parse(raw),
      })
      return reply(201, { code: 201, data: { ok: true } })
    }
    const found = documents.find((each) => each.irn === irn)
    if (!found) return refusal(404, 'invoice not found')
    if (method === 'GET' && action === 'confirm') return reply(200, { code: 200, data: { irn } })
    if (method === 'POST' && action === 'transmit') {
      if (!fake.buyersReachable) return refusal(400, 'the receiving party has no access point')
      transmitted.push(found.irn)
      return reply(200, { code: 200, data: { ok: true } })
    }
    return refusal(404, 'no such endpoint')
  }

  const server = await startAuthorityServer(handle, registers)
  const fake: FakeFirs = {
    name: 'firs',
    server,
    country: 'NG',
    currency: 'NGN',
    variables: {
      SERVICE_SELLER_COUNTRY: 'NG',
      FIRS_BASE_URL: server.url,
      FIRS_API_KEY: 'key',
      FIRS_API_SECRET: 'secret',
      FIRS_BUSINESS_ID: '4141d37b-95ed-4059-ba8c-fffa40ccd455',
      FIRS_SERVICE_ID: SERVICE,
      FIRS_EMAIL: 'tax@cowrie.example',
      FIRS_ITEM_CODE: '8314.11',
      FIRS_PUBLIC_KEY: Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
      FIRS_CERTIFICATE: 'Y2VydGlmaWNhdGUgb2YgYSB0ZXN0IGJ1c2luZXNz',
    },
    documents,
    transmitted,
    rejects: false,
    keysWork: true,
    buyersReachable: true,
    occupy({ key, day }: { key: string; day: string }) {
      const irn = `${key.replaceAll('-', '')}-${SERVICE}-${day.replaceAll('-', '')}`
      documents.push({ irn, key, body: null })
    },
    decide() {},
    readQr: (text: string) =>
      JSON.parse(
        privateDecrypt(
          { key: privateKey, padding: constants.RSA_PKCS1_PADDING },
          Buffer.from(text, 'base64'),
        ).toString(),
      ) as { irn: string; certificate: string },
  }
  return fake
}

const refusal = (status: number, details: string): FakeReply =>
  reply(status, {
    code: status,
    data: null,
    message: 'error has occurred',
    error: {
      id: 'a2a5c2f6',
      handler: 'invoice_actions',
      details,
      public_message: 'unable to process the invoice',
    },
  })

const Address = z.object({ street_name: z.string(), city_name: z.string(), country: z.string().length(2) })
const Reference = z.object({ irn: z.string(), issue_date: z.iso.date() })
const amount = z.number().min(0)
const Invoice = z.strictObject({
  business_id: z.uuid(),
  irn: z.string().regex(/^[A-Za-z0-9]+-[A-Z0-9]{8}-\d{8}$/),
  issue_date: z.iso.date(),
  issue_time: z.iso.time(),
  invoice_type_code: z.enum(['380', '381']),
  payment_status: z.enum(['PENDING', 'PAID']),
  tax_point_date: z.iso.date(),
  document_currency_code: z.literal('NGN'),
  tax_currency_code: z.literal('NGN'),
  billing_reference: z.array(Reference).optional(),
  accounting_supplier_party: z.strictObject({
    party_name: z.string().min(1),
    tin: z.string(),
    email: z.email(),
    postal_address: Address,
  }),
  accounting_customer_party: z.strictObject({
    party_name: z.string().min(1),
    tin: z.string().optional(),
    postal_address: Address.optional(),
  }),
  tax_total: z.array(
    z.strictObject({
      tax_amount: amount,
      tax_subtotal: z.array(
        z.strictObject({
          taxable_amount: amount,
          tax_amount: amount,
          tax_category: z.strictObject({ id: z.enum(['STANDARD_VAT', 'ZERO_VAT']), percent: amount }),
        }),
      ),
    }),
  ),
  legal_monetary_total: z.strictObject({
    line_extension_amount: amount,
    tax_exclusive_amount: amount,
    tax_inclusive_amount: amount,
    payable_amount: amount,
  }),
  invoice_line: z
    .array(
      z.strictObject({
        hsn_code: z.string().min(1),
        product_category: z.string().min(1),
        invoiced_quantity: z.int().min(1),
        line_extension_amount: amount,
        item: z.strictObject({ name: z.string().min(1), description: z.string() }),
        price: z.strictObject({ price_amount: amount, base_quantity: z.int(), price_unit: z.string() }),
      }),
    )
    .min(1),
})

function problemIn(invoice: z.output<typeof Invoice>, documents: readonly { irn: string }[]): string | null {
  const { irn, issue_date, invoice_line: lines, legal_monetary_total: total, tax_total } = invoice
  if (!irn.endsWith(`-${SERVICE}-${issue_date.replaceAll('-', '')}`)) return 'irn does not match the template'
  const isNote = invoice.invoice_type_code === '380'
  const references = invoice.billing_reference ?? []
  if (isNote && !references.some((reference) => documents.some((each) => each.irn === reference.irn)))
    return 'billing_reference is required for credit notes'
  if (
    lines.some(
      ({ invoiced_quantity: pieces, price, line_extension_amount: net }) =>
        cents(price.price_amount) * pieces !== cents(net),
    )
  )
    return 'line_extension_amount is not price times quantity'
  if (sumOf(lines.map((line) => line.line_extension_amount)) !== cents(total.line_extension_amount))
    return 'line_extension_amount is not the sum of the lines'
  if (
    sumOf([total.tax_exclusive_amount, ...tax_total.map(({ tax_amount }) => tax_amount)]) !==
    cents(total.tax_inclusive_amount)
  )
    return 'tax_inclusive_amount is not the sum of net and tax'
  return null
}
