// What an invoice and a credit note are, as they are issued and as they are kept.
import type { Id, OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { TaxSplit } from './tax/tax.ts'

export type InvoiceId = Id<'inv'>
export type CreditNoteId = Id<'crn'>

export type InvoiceLine = {
  readonly description: string
  readonly quantity: number
  /** With its tax. Negative for what is credited. */
  readonly amountMinor: bigint
}

export const SUBJECTS = ['topup', 'card', 'checkout', 'change', 'seats', 'renewal', 'credit'] as const

export type NewInvoice = {
  readonly orgId: OrgId
  readonly subject: (typeof SUBJECTS)[number]
  /** Unique for ever: the reference of a payment, the id of a bill. */
  readonly cause: string
  readonly currency: Currency
  readonly lines: readonly InvoiceLine[]
  readonly mode: 'live' | 'mock'
  readonly status: 'paid' | 'open'
  readonly reference: string | null
  /** For people: `Card`, `Visa ending in 4081`. */
  readonly method: string | null
  /** The transaction's own instant where it is left out. */
  readonly issuedAt?: Date
  /** False for what is paid from the wallet: the tax was in what filled it. */
  readonly isTaxed?: boolean
}

export type NewCreditNote = {
  readonly orgId: OrgId
  /** The payment whose invoice is credited. */
  readonly reference: string
  readonly amountMinor: bigint
  /** The customer reads it on the note. */
  readonly reason: string
  /** Unique for ever: the refund, the reversal. */
  readonly cause: string
  /** The transaction's own instant where it is left out. */
  readonly issuedAt?: Date
}

/** One side of the paper, as it was on that day. */
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

/** The end of an id is chance; its beginning is time and the same for all who came together. */
const orgMark = (org: OrgId): string => org.slice(-MARK_CHARACTERS).toUpperCase()
