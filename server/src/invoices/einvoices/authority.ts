// The interface of a tax authority's electronic invoicing.
import type { Currency } from '../../kernel/money.ts'
import type { Variables } from '../../platform/environment/environment.ts'
import type { AuthorityHttp } from './http.ts'
import type { CheckOutcome, SubmitOutcome } from './outcome.ts'
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
  submit(http: AuthorityHttp, document: TaxDocument): Promise<SubmitOutcome>
  /** Looks a document up that an earlier attempt may have sent. `pendingId` is the id from a `pending` answer. */
  check(http: AuthorityHttp, document: TaxDocument, pendingId: string | null): Promise<CheckOutcome>
}

export class EInvoiceConfigurationError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join(' '))
    this.name = 'EInvoiceConfigurationError'
    this.problems = problems
  }
}
