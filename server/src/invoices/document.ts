// Types and numbers of invoices and credit notes. Numbers have no gap within an organisation; its mark tells them
// apart from those of others.
import type { Id, OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Language } from '../platform/texts/language.ts'
import { translated } from '../platform/texts/texts.ts'
import type { TaxSplit } from './tax/tax.ts'

export type InvoiceId = Id<'inv'>
export type CreditNoteId = Id<'crn'>

export type InvoiceLine = {
  readonly description: string
  readonly quantity: number
  /** Includes tax. Negative for a credit. */
  readonly amountMinor: bigint
}

/** Lines are stored in English, with names and dates, and shown in the language of the reader. */
export const linesIn = <Line extends { readonly description: string }>(
  language: Language,
  lines: readonly Line[],
): Line[] => lines.map((line) => ({ ...line, description: translated(language, line.description) }))

/** The names of taxes are stored in English too. */
export const taxesIn = <Tax extends { readonly name: string }>(
  language: Language,
  taxes: readonly Tax[],
): Tax[] => taxes.map((tax) => ({ ...tax, name: translated(language, tax.name) }))

export const SUBJECTS = ['topup', 'card', 'checkout', 'change', 'seats', 'renewal', 'credit'] as const

export type NewInvoice = {
  readonly orgId: OrgId
  readonly subject: (typeof SUBJECTS)[number]
  /** Globally unique: the reference of a payment, or the id of a bill. */
  readonly cause: string
  readonly currency: Currency
  readonly lines: readonly InvoiceLine[]
  readonly mode: 'live' | 'mock'
  readonly status: 'paid' | 'open'
  readonly reference: string | null
  /** Shown to the customer: `Card`, `Visa ending in 4081`. */
  readonly method: string | null
  /** Default: the time of the transaction. */
  readonly issuedAt?: Date
  /** False for a payment from the wallet: the tax was charged with the top-up. */
  readonly isTaxed?: boolean
}

export type NewCreditNote = {
  readonly orgId: OrgId
  /** The payment whose invoice is credited. */
  readonly reference: string
  readonly amountMinor: bigint
  /** Shown to the customer on the note. */
  readonly reason: string
  /** Globally unique: the refund or the reversal. */
  readonly cause: string
  /** Default: the time of the transaction. */
  readonly issuedAt?: Date
}

/** The seller or the buyer, as of the issue date. */
export type Party = {
  readonly name: string
  readonly address: string | null
  readonly taxId: string | null
}
export type Buyer = Party & { readonly country: string | null }

export type InvoiceRow = Omit<NewInvoice, 'issuedAt'> &
  TaxSplit & {
    readonly id: InvoiceId
    readonly seq: bigint
    readonly number: string
    readonly totalMinor: bigint
    readonly seller: Party
    readonly buyer: Buyer
    readonly issuedAt: Date
  }

export type CreditNoteRow = Omit<NewCreditNote, 'reference' | 'amountMinor' | 'issuedAt'> &
  TaxSplit & {
    readonly id: CreditNoteId
    readonly seq: bigint
    readonly number: string
    readonly invoiceId: InvoiceId
    readonly totalMinor: bigint
    readonly issuedAt: Date
  }

const MARK_CHARACTERS = 6

export const invoiceNumber = (org: OrgId, seq: bigint): string =>
  `COW-${orgMark(org)}-${String(seq).padStart(6, '0')}`

export const creditNoteNumber = (org: OrgId, seq: bigint): string =>
  `COW-${orgMark(org)}-CN-${String(seq).padStart(4, '0')}`

/**
 * The end of an id is random. Its beginning is a timestamp and would be the same for organisations created
 * together.
 */
const orgMark = (org: OrgId): string => org.slice(-MARK_CHARACTERS).toUpperCase()
