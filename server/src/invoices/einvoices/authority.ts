// The interface of a tax authority's electronic invoicing.
import type { Currency } from '../../kernel/money.ts'
import type { Variables } from '../../platform/environment/environment.ts'
import type { AuthorityHttp } from './http.ts'
import type { TaxDocument } from './tax-document.ts'

export type AuthorityName = 'firs' | 'etims' | 'evat' | 'eta'

export type EInvoiceAuthority = {
  readonly name: AuthorityName
  /** The name on receipts. */
  readonly label: string
  /** Of the seller and the buyer. Documents for other countries are not registered. */
  readonly country: string
  readonly currency: Currency
  /** The required variables. */
  readonly needs: readonly string[]
  /** Called with all required variables. Throws `EInvoiceConfigurationError`. */
  open(variables: Variables): OpenAuthority
}

/** Both calls throw `NoReply` when there was no complete answer. */
export type OpenAuthority = {
  submit(http: AuthorityHttp, document: TaxDocument): Promise<Submitted>
  /** Looks a document up that an earlier attempt may have sent. `pendingId` is the id from a `pending` answer. */
  check(http: AuthorityHttp, document: TaxDocument, pendingId: string | null): Promise<Checked>
}

export type Accepted = {
  readonly outcome: 'accepted'
  /** The authority's number of the document, printed on the receipt. */
  readonly id: string
  /** The text of the QR code. */
  readonly qr: string | null
  /** Signature data, stored as received. */
  readonly stamp: Readonly<Record<string, string>>
}
export type Rejected = { readonly outcome: 'rejected'; readonly reasons: readonly string[] }
/** The authority has the document and decides later. */
export type Pending = { readonly outcome: 'pending'; readonly pendingId: string }
/** Nothing follows about the document. `sent` is false only when the authority certainly did not process it. */
export type Unknown = { readonly outcome: 'unknown'; readonly reason: string; readonly sent: boolean }

export type Submitted =
  | Accepted
  | Rejected
  | Pending
  | Unknown
  /** The authority already has a document of this name. */
  | { readonly outcome: 'duplicate' }
export type Checked =
  | Accepted
  | Rejected
  | Pending
  | Unknown
  /** The authority does not have the document. */
  | { readonly outcome: 'absent' }

export class EInvoiceConfigurationError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join(' '))
    this.name = 'EInvoiceConfigurationError'
    this.problems = problems
  }
}
