// Nigeria: the e-invoice service of the tax authority (FIRS, now NRS; Merchant Buyer Solution).
import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto'
import { z } from 'zod'
import { toJson } from '../../../kernel/json.ts'
import type { Variables } from '../../../platform/environment/environment.ts'
import { type EInvoiceAuthority, EInvoiceConfigurationError, type OpenAuthority } from '../authority.ts'
import {
  type AuthorityHttp,
  type AuthorityReply,
  failureOf,
  JSON_BODY,
  NoReply,
  parsed,
  unreadable,
} from '../http.ts'
import { type CheckOutcome, rejected, type SubmitOutcome, unknown } from '../outcome.ts'
import { amount, localTime, percent, type TaxDocument, unitsOf } from '../tax-document.ts'

const NEEDS = [
  'FIRS_BASE_URL',
  'FIRS_API_KEY',
  'FIRS_API_SECRET',
  'FIRS_BUSINESS_ID',
  'FIRS_SERVICE_ID',
  'FIRS_EMAIL',
  'FIRS_ITEM_CODE',
  'FIRS_PUBLIC_KEY',
  'FIRS_CERTIFICATE',
] as const

export const firs: EInvoiceAuthority = {
  name: 'firs',
  label: 'Nigeria Revenue Service',
  country: 'NG',
  currency: 'NGN',
  needs: NEEDS,
  open: openFirs,
}

type Keys = Readonly<Record<(typeof NEEDS)[number] | 'FIRS_CITY', string>>

function openFirs(variables: Variables): OpenAuthority {
  const keys = { FIRS_CITY: 'Lagos', ...variables } as Keys
  if (!/^[A-Z0-9]{8}$/.test(keys.FIRS_SERVICE_ID))
    throw new EInvoiceConfigurationError(['FIRS_SERVICE_ID must have 8 capital letters and digits.'])
  const publicKey = readPublicKey(keys.FIRS_PUBLIC_KEY)
  const headers = { ...JSON_BODY, 'x-api-key': keys.FIRS_API_KEY, 'x-api-secret': keys.FIRS_API_SECRET }
  const call = (http: AuthorityHttp, method: 'GET' | 'POST', path: string, body?: string) =>
    http.call(`${keys.FIRS_BASE_URL.replace(/\/+$/, '')}/api/v1/invoice${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })

  /** A signed invoice is registered. It is also sent to a buyer with a tax number, if the buyer receives invoices. */
  async function complete(http: AuthorityHttp, document: TaxDocument): Promise<SubmitOutcome & CheckOutcome> {
    const irn = irnOf(document, keys)
    const stamp = { irn }
    const qr = qrOf(irn, http.clock.now(), keys, publicKey)
    if (document.buyer.taxId === null) return { outcome: 'accepted', id: irn, qr, stamp }
    let reply: AuthorityReply
    try {
      reply = await call(http, 'POST', `/transmit/${irn}`, '{}')
    } catch (error) {
      if (error instanceof NoReply)
        return unknown(`The invoice is signed, but not transmitted: ${error.message}`)
      throw error
    }
    const failure = failureOf(reply)
    if (failure) return { ...failure, sent: true }
    // The buyer has no access point. That is no fault of the document.
    const transmission = reply.status < 300 ? 'sent' : `not delivered (status ${reply.status})`
    return { outcome: 'accepted', id: irn, qr, stamp: { ...stamp, transmission } }
  }

  return {
    async submit(http, document) {
      const body = toJson(firsInvoice(document, keys))
      const checked = await call(http, 'POST', '/validate', body)
      const invalid = failureOf(checked)
      if (invalid) return { ...invalid, sent: false }
      if (checked.status >= 300) return refusalIn(checked)
      const signed = await call(http, 'POST', '/sign', body)
      const failure = failureOf(signed)
      if (failure) return failure
      if (signed.status >= 300) return refusalIn(signed)
      if (!parsed(Success, signed)) return unreadable(signed)
      return complete(http, document)
    },
    async check(http, document) {
      const found = await call(http, 'GET', `/confirm/${irnOf(document, keys)}`)
      const failure = failureOf(found)
      if (failure) return failure
      if (found.status === 404) return { outcome: 'absent' }
      return parsed(Success, found) ? complete(http, document) : unreadable(found)
    },
  }
}

function readPublicKey(base64: string): KeyObject {
  try {
    const text = base64.includes('-----BEGIN') ? base64 : Buffer.from(base64, 'base64').toString('utf8')
    return createPublicKey(text.replaceAll('\\n', '\n'))
  } catch {
    throw new EInvoiceConfigurationError([
      'FIRS_PUBLIC_KEY is not the public key from the key file of the portal.',
    ])
  }
}

/** The invoice reference number: invoice number, service id and date. It takes letters and digits only. */
export const irnOf = (
  { key, issuedAt }: Pick<TaxDocument, 'key' | 'issuedAt'>,
  keys: Pick<Keys, 'FIRS_SERVICE_ID'>,
) => `${key.replaceAll(/[^A-Za-z0-9]/g, '')}-${keys.FIRS_SERVICE_ID}-${dayOf(issuedAt).replaceAll('-', '')}`

const ZONE = 'Africa/Lagos'
const dayOf = (at: Date): string => localTime(at, ZONE).date

/** The padding is random, so the text is stored with the document. */
function qrOf(irn: string, at: Date, { FIRS_CERTIFICATE: certificate }: Keys, key: KeyObject): string {
  const text = toJson({ irn: `${irn}.${Math.floor(at.getTime() / 1000)}`, certificate })
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString('base64')
}

const INVOICE_TYPES = { invoice: '381', credit_note: '380' } as const

function firsInvoice(document: TaxDocument, keys: Keys): object {
  const { kind, currency, seller, buyer, original, taxes, subtotalMinor, taxMinor, totalMinor } = document
  const { date, time } = localTime(document.issuedAt, ZONE)
  const money = (minor: bigint) => amount(minor, currency)
  return {
    business_id: keys.FIRS_BUSINESS_ID,
    irn: irnOf(document, keys),
    issue_date: date,
    issue_time: time,
    invoice_type_code: INVOICE_TYPES[kind],
    payment_status: 'PAID',
    tax_point_date: date,
    document_currency_code: currency,
    tax_currency_code: currency,
    ...(original && {
      billing_reference: [{ irn: irnOf(original, keys), issue_date: dayOf(original.issuedAt) }],
    }),
    accounting_supplier_party: {
      party_name: seller.name,
      tin: seller.taxId ?? '',
      email: keys.FIRS_EMAIL,
      postal_address: addressOf(seller.address, keys.FIRS_CITY, 'NG'),
    },
    accounting_customer_party: {
      party_name: buyer.name,
      ...(buyer.taxId !== null && { tin: buyer.taxId }),
      ...(buyer.address !== null && {
        postal_address: addressOf(buyer.address, cityIn(buyer.address), buyer.country ?? 'NG'),
      }),
    },
    tax_total: [
      {
        tax_amount: money(taxMinor),
        tax_subtotal: [
          {
            taxable_amount: money(subtotalMinor),
            tax_amount: money(taxMinor),
            tax_category:
              taxes.length > 0
                ? {
                    id: 'STANDARD_VAT',
                    percent: percent(taxes.reduce((sum, { rateBps }) => sum + rateBps, 0)),
                  }
                : { id: 'ZERO_VAT', percent: percent(0) },
          },
        ],
      },
    ],
    legal_monetary_total: {
      line_extension_amount: money(subtotalMinor),
      tax_exclusive_amount: money(subtotalMinor),
      tax_inclusive_amount: money(totalMinor),
      payable_amount: money(totalMinor),
    },
    invoice_line: document.lines.map(({ description, quantity, netMinor }) => {
      const units = unitsOf(netMinor, quantity)
      return {
        hsn_code: keys.FIRS_ITEM_CODE,
        product_category: 'Software services',
        invoiced_quantity: units.quantity,
        line_extension_amount: money(netMinor),
        item: { name: description, description },
        price: { price_amount: money(units.unitMinor), base_quantity: 1, price_unit: `${currency} per 1` },
      }
    }),
  }
}

const addressOf = (address: string | null, city: string, country: string) => ({
  street_name: address?.split('\n')[0] ?? '',
  city_name: city,
  country,
})

/** Addresses are free text. The last line names the city. */
const cityIn = (address: string): string => address.split('\n').at(-1) ?? ''

const Success = z.object({ code: z.number().min(200).max(299) })
const Refusal = z.object({
  message: z.string().optional(),
  error: z.object({ details: z.string().optional(), public_message: z.string().optional() }).nullish(),
})

function refusalIn(reply: AuthorityReply): SubmitOutcome {
  const refusal = parsed(Refusal, reply)
  if (!refusal) return unreadable(reply)
  const { details, public_message: words } = refusal.error ?? {}
  if (reply.status === 409 || /duplicate|already exist/i.test(`${details} ${words}`))
    return { outcome: 'duplicate' }
  return rejected([details, words === details ? null : words, details || words ? null : refusal.message])
}
