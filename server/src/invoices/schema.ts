// Schemas of invoices and billing details.
import { z } from 'zod'
import { currencies } from '../kernel/money.ts'
import { line, minorOut, pageQuery, queryFlag, queryTime, text, timestamp } from '../platform/http/shapes.ts'
import { LANGUAGE_CODES } from '../platform/texts/language.ts'
import { SUBJECTS } from './document.ts'
import { isCountry } from './tax/countries.ts'

const Tax = z.object({
  name: z.string(),
  rateBps: z.int().meta({ description: 'Of the price without tax, in hundredths of a percent.' }),
  amountMinor: minorOut,
})

const receiptUrl = z.string().meta({ description: 'A printable page; `?format=pdf` sends it as a PDF file.' })

export const CreditNote = z.object({
  id: z.string(),
  number: z.string(),
  totalMinor: minorOut,
  reason: z.string(),
  issuedAt: timestamp,
  receiptUrl,
})

export const Invoice = z
  .object({
    id: z.string(),
    number: z.string().meta({ description: 'Consecutive within your organisation.' }),
    status: z.enum(['paid', 'open', 'void']),
    currency: z.enum(currencies),
    subtotalMinor: minorOut.meta({ description: 'Without tax.' }),
    taxMinor: minorOut,
    totalMinor: minorOut,
    lines: z
      .array(
        z.object({
          description: z.string(),
          quantity: z.int(),
          amountMinor: minorOut,
        }),
      )
      .meta({ description: 'Including tax; they sum to the total. Credits are negative.' }),
    issuedAt: timestamp,
    paidAt: timestamp.nullable(),
    receiptUrl,
    subject: z.enum(SUBJECTS),
    mode: z.enum(['live', 'mock']).meta({ description: '`mock` is test money without value.' }),
    reference: z.string().nullable().meta({ description: 'The reference of the payment.' }),
    method: z.string().nullable(),
    country: z.string().nullable().meta({ description: 'The country whose tax is included.' }),
    taxes: z.array(Tax),
    creditedMinor: minorOut.meta({ description: 'The sum of its credit notes.' }),
    creditNotes: z.array(CreditNote).meta({ description: 'At most 50, oldest first.' }),
  })
  .meta({ id: 'Invoice' })

const Span = {
  from: queryTime.optional(),
  to: queryTime.optional().meta({ description: 'Exclusive.' }),
}

export const InvoicesQuery = z.object({ ...Span, ...pageQuery() })
export const StaffInvoicesQuery = z.object({
  orgId: text(100),
  ...Span,
  ...pageQuery(),
})
export const InvoicesPage = z.object({
  invoices: z.array(Invoice),
  nextCursor: z.string().nullable(),
})
export const DocumentParams = z.object({ id: text(100) })
export const ReceiptQuery = z.object({
  download: queryFlag.default(false).meta({ description: 'Return a file instead of a page.' }),
  format: z.enum(['html', 'pdf']).default('html').meta({ description: '`pdf` is always a file.' }),
  lang: z
    .enum(LANGUAGE_CODES)
    .optional()
    .meta({ description: 'The language of the page. Default: `Accept-Language`, then English.' }),
})

const LINES_MAX = 10

/** Several lines of plain text, without characters that hide text or change its direction. */
const postal = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .transform((value) => value.replaceAll(/\r\n?/g, '\n'))
  .refine((value) => !/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(value), {
    error: 'must be plain text',
  })
  .refine((value) => value.split('\n').length <= LINES_MAX, {
    error: `must have at most ${LINES_MAX} lines`,
  })

const country = z
  .string()
  .refine(isCountry, {
    error: 'must be an ISO 3166 country code of two capital letters',
  })
  .meta({ wire: { type: 'string', pattern: '^[A-Z]{2}$', examples: ['NG'] } })

export const BillingDetails = z
  .object({
    legalName: z.string().nullable(),
    address: z.string().nullable(),
    taxId: z.string().nullable(),
    country: z.string().nullable(),
    updatedAt: timestamp.nullable(),
    invoicedAs: z
      .object({
        name: z.string(),
        country: z.string().nullable(),
        taxes: z.array(z.object({ name: z.string(), rateBps: z.int() })),
      })
      .meta({ description: 'The values that the next invoice will show.' }),
  })
  .meta({ id: 'BillingDetails' })

export const BillingDetailsEdit = z.object({
  legalName: line(200).nullable().optional(),
  address: postal.nullable().optional(),
  taxId: line(50).nullable().optional(),
  country: country.nullable().optional().meta({
    description: 'The country whose tax your payments contain. Default: the country of your currency.',
  }),
})
