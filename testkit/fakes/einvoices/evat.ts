// A fake of Ghana's E-VAT 8.2: signed documents in `response`, refusals with a code.
import { z } from 'zod'
import type { FakeReply, FakeRequest } from '../payments/loopback-server.ts'
import {
  cents,
  type FakeAuthority,
  type RegisteredDocument,
  reply,
  startAuthorityServer,
  sumOf,
} from './fake-authority.ts'

const PREFIX = '/vsdc/api/v1/taxpayer/C0012345678-001'
const registers = ({ path }: FakeRequest): boolean => path === `${PREFIX}/invoice`

type Signed = RegisteredDocument & { flag: string; response: object }

export async function startFakeEvat(): Promise<FakeAuthority> {
  const documents: Signed[] = []

  function sign(raw: string): FakeReply {
    const invoice = Invoice.safeParse(JSON.parse(raw))
    if (!invoice.success) return refusal('E500', `INVALID ${invoice.error.issues[0]?.path.join('.')}`)
    const { invoiceNumber: key, flag, reference } = invoice.data
    if (fake.rejects) return refusal('E806', 'ITEM TAX CATEGORY CANNOT CHANGE')
    if (documents.some((each) => each.key === key)) return refusal('E700', 'INVOICE ALREADY SIGNED')
    if (flag !== 'INVOICE' && !documents.some((each) => each.key === reference))
      return refusal('E710', 'ORIGINAL INVOICE NOT FOUND')
    const problem = problemIn(invoice.data)
    if (problem) return refusal('E708', problem)
    documents.push({
      key,
      flag,
      body: JSON.parse(raw),
      response: responseOf(key, flag, documents.length + 1),
    })
    return reply(200, documents.at(-1)?.response ?? {})
  }

  function handle({ path, headers, raw }: FakeRequest): FakeReply {
    if (!fake.keysWork || headers.security_key !== 'security-key')
      return refusal('A01', 'INVALID SECURITY KEY', 401)
    if (path === `${PREFIX}/invoice`) return sign(raw)
    if (path !== `${PREFIX}/invoice/callback`) return refusal('E404', 'NOT FOUND', 404)
    const asked = z
      .strictObject({ invoiceNumber: z.string(), flag: z.string(), reference: z.string() })
      .parse(JSON.parse(raw))
    const found = documents.find(({ key, flag }) => key === asked.invoiceNumber && flag === asked.flag)
    return found ? reply(200, found.response) : refusal('E704', 'INVOICE WAS NEVER RECEIVED')
  }

  const server = await startAuthorityServer(handle, registers)
  const fake: FakeAuthority = {
    name: 'evat',
    server,
    country: 'GH',
    currency: 'GHS',
    variables: {
      SERVICE_SELLER_COUNTRY: 'GH',
      EVAT_BASE_URL: server.url,
      EVAT_TAXPAYER: 'C0012345678-001',
      EVAT_SECURITY_KEY: 'security-key',
      EVAT_USER: 'Cowrie',
    },
    documents,
    rejects: false,
    keysWork: true,
    occupy({ key }: { key: string }) {
      documents.push({
        key,
        flag: 'INVOICE',
        body: null,
        response: responseOf(key, 'INVOICE', documents.length + 1),
      })
    },
    decide() {},
  }
  return fake
}

const responseOf = (num: string, flag: string, receipt: number) => ({
  response: {
    status: 'SUCCESS',
    message: {
      num,
      ysdcid: 'GRA-SDC-001',
      ysdcrecnum: `${receipt}/${receipt}`,
      ysdcintdata: 'H7KSJ-9DL2M',
      ysdcregsig: 'XK4TQZ7PMBD2',
      ysdcmrc: 'MRC-1',
      ysdcmrctim: '2026-11-15 12:00:00',
      ysdctime: '2026-11-15 12:00:01',
      flag,
      ysdcitems: '1',
    },
    qr_code: `https://verify.example/evat/${num}`,
    distributor_tin: 'C0012345678',
  },
})

const refusal = (code: string, message: string, status = 400): FakeReply => reply(status, { code, message })

const amount = z.number().min(0)
const Invoice = z.strictObject({
  currency: z.literal('GHS'),
  exchangeRate: z.literal('1.0'),
  invoiceNumber: z.string().min(5).max(50).regex(/^\S+$/),
  totalLevy: amount,
  userName: z.string().min(1),
  flag: z.enum(['INVOICE', 'REFUND', 'PARTIAL_REFUND']),
  calculationType: z.literal('INCLUSIVE'),
  totalVat: amount,
  transactionDate: z.iso.date(),
  totalAmount: amount,
  totalExciseAmount: amount,
  businessPartnerName: z.string().min(1).max(100),
  businessPartnerTin: z.string().min(10).max(15),
  saleType: z.literal('NORMAL'),
  discountType: z.literal('GENERAL'),
  discountAmount: amount,
  reference: z.string(),
  groupReferenceId: z.string(),
  purchaseOrderReference: z.string(),
  items: z
    .array(
      z.strictObject({
        itemCode: z.string().min(1),
        itemCategory: z.enum(['', 'EXM']),
        expireDate: z.string(),
        description: z.string().min(1).max(100),
        quantity: z.string().regex(/^\d+$/),
        levyAmountA: amount,
        levyAmountB: amount,
        levyAmountD: amount,
        levyAmountE: amount,
        discountAmount: amount,
        exciseAmount: amount,
        batchCode: z.string(),
        unitPrice: amount,
      }),
    )
    .min(1),
})

/** Totals may differ from the sums by 0.50. */
const TOLERANCE_CENTS = 50

function problemIn({ items, totalLevy, totalAmount, totalVat }: z.output<typeof Invoice>): string | null {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE_CENTS
  if (new Set(items.map(({ itemCode }) => itemCode)).size !== items.length)
    return 'ONE ITEM CODE HAS TWO PRICES'
  const levies = items.flatMap((item) => [item.levyAmountA, item.levyAmountB])
  if (!isNear(sumOf(levies), cents(totalLevy))) return 'INVALID TOTAL LEVY'
  const gross = items.reduce((sum, { quantity, unitPrice }) => sum + Number(quantity) * cents(unitPrice), 0)
  if (!isNear(gross, cents(totalAmount))) return 'INVALID TOTAL AMOUNT'
  // All taxes are on the same base.
  const base = cents(totalAmount) - cents(totalVat) - cents(totalLevy)
  return totalVat === 0 || isNear(base * 0.15, cents(totalVat)) ? null : 'INVALID TOTAL VAT'
}
