// Ghana: E-VAT of the Revenue Authority (GRA), version 8.2.
import { z } from 'zod'
import { toJson } from '../../../kernel/json.ts'
import type { Variables } from '../../../platform/environment/environment.ts'
import type { EInvoiceAuthority, OpenAuthority } from '../authority.ts'
import { type AuthorityHttp, type AuthorityReply, failureOf, JSON_BODY, parsed, unreadable } from '../http.ts'
import { type AcceptedOutcome, rejected, type UnknownOutcome, unknown } from '../outcome.ts'
import { amount, localTime, type TaxDocument, unitsOf } from '../tax-document.ts'

const NEEDS = ['EVAT_BASE_URL', 'EVAT_TAXPAYER', 'EVAT_SECURITY_KEY', 'EVAT_USER'] as const

export const evat: EInvoiceAuthority = {
  name: 'evat',
  label: 'GRA E-VAT',
  country: 'GH',
  currency: 'GHS',
  needs: NEEDS,
  open: openEvat,
}

type Keys = Readonly<Record<(typeof NEEDS)[number], string>>

function openEvat(variables: Variables): OpenAuthority {
  const keys = variables as Keys
  const base = keys.EVAT_BASE_URL.replace(/\/+$/, '')
  const call = (http: AuthorityHttp, path: string, body: object) =>
    http.call(`${base}/vsdc/api/v1/taxpayer/${encodeURIComponent(keys.EVAT_TAXPAYER)}${path}`, {
      method: 'POST',
      headers: { ...JSON_BODY, security_key: keys.EVAT_SECURITY_KEY },
      body: toJson(body),
    })
  return {
    async submit(http, document) {
      const answer = readAnswer(await call(http, '/invoice', invoiceOf(document, keys)))
      if ('outcome' in answer) return answer
      if (answer.code === ALREADY_SIGNED) return { outcome: 'duplicate' }
      return rejected([`E-VAT answered ${answer.code}: ${answer.message}`])
    },
    async check(http, document) {
      const asked = {
        invoiceNumber: document.key,
        flag: flagOf(document),
        reference: document.original?.key ?? '',
      }
      const answer = readAnswer(await call(http, '/invoice/callback', asked))
      if ('outcome' in answer) return answer
      if (answer.code === NEVER_RECEIVED) return { outcome: 'absent' }
      return unknown(`E-VAT answered ${answer.code}: ${answer.message}`)
    },
  }
}

const ALREADY_SIGNED = 'E700'
const NEVER_RECEIVED = 'E704'
const TOO_MANY_REQUESTS = 'E990'

const TEXT = z.union([z.string(), z.number()]).transform(String)
const Message = z.object({
  ysdcid: TEXT,
  ysdcrecnum: TEXT,
  ysdcintdata: TEXT,
  ysdcregsig: TEXT,
  ysdcmrc: TEXT.catch(''),
  ysdctime: TEXT.catch(''),
})
const Signed = z.object({
  response: z
    // The documentation also spells the name wrong.
    .object({ message: Message.optional(), mesaage: Message.optional(), qr_code: z.string().min(1) })
    .transform(({ message, mesaage, qr_code: qr }) => ({ message: message ?? mesaage, qr })),
})
const Refusal = z.object({ code: TEXT, message: z.string().catch('') })

function readAnswer(reply: AuthorityReply): AcceptedOutcome | UnknownOutcome | z.output<typeof Refusal> {
  const failure = failureOf(reply)
  if (failure) return failure
  const signed = parsed(Signed, reply)?.response
  if (signed?.message) {
    const { ysdcid, ysdcrecnum } = signed.message
    return { outcome: 'accepted', id: `${ysdcid}/${ysdcrecnum}`, qr: signed.qr, stamp: signed.message }
  }
  const refusal = parsed(Refusal, reply)
  if (!refusal) return unreadable(reply)
  if (refusal.code === TOO_MANY_REQUESTS)
    return unknown(`E-VAT answered ${refusal.code}: ${refusal.message}`, false)
  return refusal
}

const flagOf = ({ kind, original }: TaxDocument): string =>
  kind === 'invoice' ? 'INVOICE' : original?.isWhole ? 'REFUND' : 'PARTIAL_REFUND'

/** The documented name of a buyer without a tax number. */
const CASH_CUSTOMER = 'C0000000000'

function invoiceOf(document: TaxDocument, keys: Keys): object {
  const { buyer, currency, original, taxes, totalMinor } = document
  const money = (minor: bigint) => amount(minor, currency)
  const places = {
    vat: placesOf(document, /^VAT/),
    nhil: placesOf(document, /^NHIL/),
    getFund: placesOf(document, /^GETFund/),
  }
  const sumOf = (at: readonly number[], minors: readonly bigint[]): bigint =>
    at.reduce((sum, place) => sum + (minors[place] ?? 0n), 0n)
  const taxMinors = taxes.map(({ amountMinor }) => amountMinor)
  const isTaxed = taxes.length > 0
  return {
    currency,
    exchangeRate: '1.0',
    invoiceNumber: document.key,
    totalLevy: money(sumOf([...places.nhil, ...places.getFund], taxMinors)),
    userName: keys.EVAT_USER,
    flag: flagOf(document),
    calculationType: 'INCLUSIVE',
    totalVat: money(sumOf(places.vat, taxMinors)),
    transactionDate: localTime(document.issuedAt, 'Africa/Accra').date,
    totalAmount: money(totalMinor),
    totalExciseAmount: money(0n),
    businessPartnerName: buyer.name.slice(0, 100),
    businessPartnerTin: buyer.taxId ?? CASH_CUSTOMER,
    saleType: 'NORMAL',
    discountType: 'GENERAL',
    discountAmount: money(0n),
    reference: original?.key ?? '',
    groupReferenceId: '',
    purchaseOrderReference: '',
    items: document.lines.map(({ description, quantity, grossMinor, taxesMinor }, at) => {
      const units = unitsOf(grossMinor, quantity)
      return {
        // One code has one price on an invoice and one tax category forever, so each line and category has its own.
        itemCode: `${isTaxed ? 'COWRIE' : 'COWRIE-EXM'}-${at + 1}`,
        itemCategory: isTaxed ? '' : 'EXM',
        expireDate: '',
        description: description.slice(0, 100),
        quantity: String(units.quantity),
        levyAmountA: money(sumOf(places.nhil, taxesMinor)),
        levyAmountB: money(sumOf(places.getFund, taxesMinor)),
        levyAmountD: money(0n),
        levyAmountE: money(0n),
        discountAmount: money(0n),
        exciseAmount: money(0n),
        batchCode: '',
        unitPrice: money(units.unitMinor),
      }
    }),
  }
}

/** Where the taxes with such a name are in the document. */
const placesOf = ({ taxes }: TaxDocument, name: RegExp): readonly number[] =>
  taxes.flatMap((tax, at) => (name.test(tax.name) ? [at] : []))
