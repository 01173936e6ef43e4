// The contract of a payment rail. A rail calls its provider's HTTP API and reports the result; settlement decides what the
// result means.
import type { Currency } from '../../kernel/money.ts'
import type { CardDetails } from '../../platform/payment-handler.ts'
import type { ChannelName, ProviderName, RailName } from '../channels.ts'
import type { HttpClient } from './http-client.ts'

/** Environment variables of the rail, such as `PAYSTACK_SECRET_KEY`. */
export type Variables = Readonly<Record<string, string | undefined>>

/** A payment to collect, in the ledger's units. */
export type Order = {
  /** Unique, and the idempotency key at the provider: `tp` and 26 lowercase letters and digits. */
  readonly reference: string
  readonly channel: ChannelName
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly email: string
  /** E.164, where the channel needs one. */
  readonly phone: string | null
  readonly customer: { readonly id: string; readonly name: string }
  /** Shown to the payer where the rail supports it. */
  readonly description: string
  /** The browser's return page. A return proves no payment. */
  readonly returnUrl: string
  /** The webhook URL. */
  readonly notifyUrl: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The next step of the payer. */
export type HandOff = {
  readonly authorizationUrl?: string
  readonly ussdCode?: string
  readonly displayText?: string
  /** The payer's network sends a code, to be submitted with `submitOtp`. */
  readonly otpRequired?: true
}

export type InitiationResult =
  | {
      readonly outcome: 'accepted'
      readonly handOff: HandOff
      /** The provider's id of this payment, where status queries need it. */
      readonly providerRef: string | null
    }
  /**
   * The provider refused the payment before it could be paid. `reason` is for the customer. `detail` is for the log: the
   * provider's code and message, without secrets and personal data. `isAccountProblem`: the refusal concerns our account and
   * not the payer, and nothing was sent to the payer, so another account may be tried.
   */
  | {
      readonly outcome: 'rejected'
      readonly reason: string
      readonly detail?: string
      readonly isAccountProblem?: true
    }
  /** The provider knows the reference already: use `check` instead. */
  | { readonly outcome: 'known' }
  /**
   * The provider may or may not have accepted it: it stays pending and is checked later. `reason` is for the log. `isUnsent`:
   * the payment certainly never reached the provider.
   */
  | { readonly outcome: 'unknown'; readonly reason: string; readonly isUnsent?: true }

/** A charge of a stored card without its owner. */
export type CardCharge = Pick<Order, 'reference' | 'amountMinor' | 'currency'> & {
  readonly authorizationCode: string
  /** The email address that the authorization belongs to. */
  readonly email: string
}

export type CardChargeResult =
  /** The provider processed the charge: use `check` for the result. */
  | { readonly outcome: 'answered' }
  /** Not paid: the bank requires its customer to confirm on this page. */
  | { readonly outcome: 'challenged'; readonly authorizationUrl: string }
  /** Not paid. `isFinal`: no later charge of this card can succeed. `reason` and `detail` as for `rejected`. */
  | {
      readonly outcome: 'declined'
      readonly reason: string
      readonly detail?: string
      readonly isFinal: boolean
    }
  /** The result is not known. The payment stays pending and is checked later. */
  | { readonly outcome: 'unknown'; readonly reason: string }

/** A stored payment whose status is queried. */
export type PaymentQuery = Pick<Order, 'reference' | 'channel' | 'amountMinor' | 'currency' | 'createdAt'> & {
  readonly providerRef: string | null
}

/** The reason of a failed payment that never reached the provider. */
export const NEVER_BEGUN = 'The payment was never begun.'

/** The status of a payment in the provider's reply to our query. */
export type ProviderStatus =
  | {
      readonly status: 'paid'
      /** The provider's id of the paid transaction: unique there, stored for disputes. */
      readonly transactionId: string | null
      /** The paid amount without fees of the payer. Null where the rail does not report it. */
      readonly amountMinor: bigint | null
      /** In upper case. Null where the rail does not report it. */
      readonly currency: string | null
      /** The reference in the reply; null where the rail does not report it. */
      readonly reference: string | null
      /** False for test money: a test key, a sandbox or a test flag. */
      readonly live: boolean
      /** The card that paid, where the rail reports it. */
      readonly card?: CardDetails
      /** Further transactions under the same reference: the payer paid more than once. */
      readonly others?: readonly PaidTransaction[]
      /** A partial return whose amount the rail does not report: a sentence for staff. */
      readonly unclearReturn?: string
      /** The fee of the provider in the currency of the payment; null or absent where the rail does not report it. */
      readonly feeMinor?: bigint | null
    }
  /** `isNotFound`: the provider does not know the reference yet. */
  | { readonly status: 'pending'; readonly detail: string; readonly isNotFound?: true }
  /** Ended unpaid. A later success still counts. `reason` and `detail` as for `rejected`. */
  | { readonly status: 'failed'; readonly reason: string; readonly detail?: string }
  /** Paid and then returned in full: a refund at the provider or a lost dispute. */
  | { readonly status: 'reversed'; readonly reason: string; readonly transactionId: string | null }
  /** No usable answer: nothing changes. `reason` is for the log. */
  | { readonly status: 'unknown'; readonly reason: string }

/** A paid transaction of the provider. */
export type PaidTransaction = Pick<
  Extract<ProviderStatus, { status: 'paid' }>,
  'amountMinor' | 'currency' | 'live' | 'unclearReturn'
> & {
  readonly transactionId: string
}

/** A refund at the provider, or a dispute of the payer with their bank. */
export type ProviderReturn = {
  /** Unique among the returns of one payment. A refund that settles a dispute has the key of the dispute. */
  readonly key: `refund:${string}` | `dispute:${string}`
  readonly amountMinor: bigint
  /** `open`: an undecided dispute; `kept`: we keep the money; `returned`: the payer has it. */
  readonly state: 'open' | 'kept' | 'returned'
  /** Our id of the refund, where the provider's list has our note. */
  readonly ourId?: string | null
  /** The deadline for our answer to an open dispute. */
  readonly dueAt?: Date | null
}

export type ProviderReturns =
  | { readonly status: 'known'; readonly returns: readonly ProviderReturn[] }
  | { readonly status: 'unknown'; readonly reason: string }

/** A refund to the payer, requested by staff. */
export type RefundOrder = {
  /** `srf_` and 26 lowercase letters and digits. Sent as the reference where the provider takes one, else in a note. */
  readonly id: string
  readonly amountMinor: bigint
  readonly reason: string
  /** The webhook URL. */
  readonly notifyUrl: string
  /** The provider's id; null before it is known. */
  readonly providerId: string | null
  /** Null before the first attempt. */
  readonly sentAt: Date | null
  /** It returns everything that the payer paid. */
  readonly isWhole: boolean
  /** The provider's ids of all other refunds of the payment. */
  readonly otherIds: readonly string[]
}
export type PaidQuery = PaymentQuery & { readonly transactionId: string }

export type RefundStatus =
  /** Accepted. `attention`: it waits for an action at the provider, as a sentence for staff. */
  | { readonly status: 'processing'; readonly providerId: string | null; readonly attention?: string }
  | { readonly status: 'processed'; readonly providerId: string; readonly amountMinor: bigint }
  /** Not refunded, and it never will be. `reason` is for staff: the provider's code and message. */
  | { readonly status: 'failed'; readonly reason: string }
  /** The request certainly had no effect: it may be sent again. */
  | { readonly status: 'not_sent'; readonly reason: string }
  /** The provider lists its refunds, and this one is not among them. */
  | { readonly status: 'absent' }
  | { readonly status: 'unknown'; readonly reason: string }

/** Our answer to a dispute. */
export type DisputeAnswer =
  | { readonly kind: 'accepted'; readonly message: string; readonly amountMinor: bigint }
  | {
      readonly kind: 'contested'
      readonly message: string
      readonly customer: { readonly email: string; readonly name: string; readonly phone: string | null }
      /** The purchase and its use, as text. */
      readonly serviceDetails: string
    }

export type DisputeAnswerResult =
  | { readonly status: 'accepted' }
  /** The provider did not take the answer: nothing changed there. */
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'unknown'; readonly reason: string }

/** A payment, refund or dispute in the provider's lists. */
export type ListedItem = {
  readonly kind: 'payment' | 'refund' | 'dispute'
  /** Unique among the items of its kind. */
  readonly id: string
  /** The payment itself, or the one that is refunded or disputed. Null where the list does not name it. */
  readonly transactionId: string | null
  readonly reference: string | null
  /** Null where the list does not report it, or not in a form that we can read. */
  readonly amountMinor: bigint | null
  readonly feeMinor: bigint | null
  readonly currency: string | null
  /** `unpaid`: nothing was paid or returned, or not yet. */
  readonly status: 'paid' | 'reversed' | 'unpaid' | ProviderReturn['state']
  /** The key of a refund or dispute among the returns of its payment. */
  readonly returnKey: ProviderReturn['key'] | null
  readonly live: boolean
  readonly at: Date
}

/** Of creation at the provider. `until` is exclusive. Both are the start of a UTC day. */
export type ListWindow = { readonly from: Date; readonly until: Date }

export type ListPage =
  | {
      readonly status: 'known'
      readonly kind: ListedItem['kind']
      readonly items: readonly ListedItem[]
      /** How many items of this kind the provider counts in the window; null where it does not report it. */
      readonly total: number | null
      /** Of the next page; null after the last. */
      readonly next: string | null
    }
  | { readonly status: 'unknown'; readonly reason: string }

/** A webhook as received. */
export type WebhookRequest = {
  readonly raw: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** For signatures that expire. Without it they are invalid. */
  readonly receivedAt?: Date
}

/** The payment that a webhook concerns. Its statements about money are not read. */
export type WebhookEvent =
  | {
      readonly about:
        | { readonly reference: string }
        | { readonly providerRef: string }
        | { readonly transactionId: string }
      /** Identifies the event: equal for repetitions only. */
      readonly eventKey: string
      /** The provider's event type, such as `charge.success`. */
      readonly kind: string
      /** The receipt of the payer, where only webhooks report it. Stored once a status query confirmed the payment. */
      readonly receipt?: string
    }
  /** The signature is invalid. */
  | 'forged'
  /** Valid or unsigned, and about no payment that we could look up. */
  | 'nothing'

/** `address_refused`: the provider does not allow calls from our address. */
export type KeyVerdict = {
  readonly keys: 'accepted' | 'refused' | 'address_refused' | 'unclear'
  /** The provider's code and message, without secrets and personal data. */
  readonly detail: string
}

export type LookupVerdict = {
  /** `wrong_account`: the keys belong to another country or environment. `other`: a status that no unused reference has. */
  readonly found: 'unknown' | 'pending' | 'wrong_account' | 'unclear' | 'other'
  readonly detail: string
}

export type AccountReport = {
  /** As the provider reports them; null where it does not. */
  readonly currencies: readonly string[] | null
  /** The provider does not accept this account: the keys belong to another country or environment. */
  readonly isRefused?: boolean
  /** The expected currencies, where they are not those of the account's country. */
  readonly expected?: readonly string[]
  readonly detail: string
}

export type SampleWebhook = { readonly genuine: WebhookRequest; readonly changed: WebhookRequest }

/** The safe calls of the doctor. They only read, so none of them can move money. */
export type RailProbes = {
  /** An authenticated call that ends in a verdict about the keys. Throws `NoResponse`. */
  tryKeys(http: HttpClient): Promise<KeyVerdict>
  /** Asks for the status of a reference that no payment has. */
  lookUp(http: HttpClient, sample: Sample): Promise<LookupVerdict>
  /** Absent where the provider has no such call. */
  readAccount?(http: HttpClient): Promise<AccountReport>
  /** A webhook signed with the configured secret. Null when that is not set; absent where we cannot sign one. */
  sampleWebhook?(reference: string): SampleWebhook | null
  /** The host that the provider accepts in webhook URLs. Null where it cannot be read. */
  readWebhookHost?(http: HttpClient): Promise<string | null>
  /** The words in a webhook URL that the provider rejects. */
  readonly forbiddenInUrl?: RegExp
}

export type Sample = {
  readonly reference: string
  readonly channel: ChannelName
  readonly currency: Currency
}

/** The second generation of an API, beside the one that has the name of its provider. */
export type NewerApi = 'flutterwave_v4' | 'ozow_one'

/** `conversationId`: the provider's id of the question, where it reports one. */
export type PaybillReply =
  | { readonly status: 'accepted'; readonly conversationId: string | null }
  | { readonly status: 'refused' | 'unknown'; readonly reason: string }

/** The calls for payments that a payer makes by hand, with an account number. */
export type PaybillApi = {
  readonly shortcode: string
  /** `responseType`: what happens to a payment while our validation does not answer. */
  registerUrls(
    http: HttpClient,
    urls: {
      readonly validationUrl: string
      readonly confirmationUrl: string
      readonly responseType: 'Completed' | 'Cancelled'
    },
  ): Promise<PaybillReply>
  /** Asks for the status of a receipt. The answer arrives at `resultUrl`. Absent without the keys of an initiator. */
  inquire?(
    http: HttpClient,
    question: { readonly receipt: string; readonly resultUrl: string; readonly timeoutUrl: string },
  ): Promise<PaybillReply>
}

/** The provider's answer about a receipt. `detail` is for staff. */
export type ReceiptStatus = { readonly conversationId: string | null; readonly detail: string } & (
  | { readonly found: false }
  | {
      readonly found: true
      readonly receipt: string
      readonly amountMinor: bigint | null
      readonly isCompleted: boolean
      /** The shortcode that received the money. */
      readonly payee: string | null
    }
)

/** A rail with its keys. */
export type OpenRail = {
  readonly name: RailName
  /** Set where the keys are those of the provider's newer API. */
  readonly api?: NewerApi
  /** The channels of the provider that these keys cannot start. */
  readonly withoutChannels?: readonly ChannelName[]
  /** `test` for test keys and sandbox hosts. */
  readonly keys: 'live' | 'test'
  start(http: HttpClient, order: Order): Promise<InitiationResult>
  check(http: HttpClient, query: PaymentQuery): Promise<ProviderStatus>
  parseWebhook(message: WebhookRequest): WebhookEvent
  /** The returns of a paid payment, where the provider lists them. Leaves out refunds in progress. */
  returns?(http: HttpClient, paid: PaidQuery): Promise<ProviderReturns>
  /** Returns money to the card or phone that paid. Called once per attempt; its effect is read by `refundStatus`. */
  refund?(http: HttpClient, paid: PaidQuery, refund: RefundOrder): Promise<RefundStatus>
  /** Never changes anything at the provider. */
  refundStatus?(http: HttpClient, paid: PaidQuery, refund: RefundOrder): Promise<RefundStatus>
  /** Answers a dispute by its number at the provider. A second identical answer is harmless. */
  answerDispute?(
    http: HttpClient,
    paid: PaidQuery,
    disputeNumber: string,
    answer: DisputeAnswer,
  ): Promise<DisputeAnswerResult>
  /** A page of everything that the provider recorded in a time window. `cursor` is `next` of the page before it. */
  list?(http: HttpClient, window: ListWindow, cursor: string | null): Promise<ListPage>
  /** Submits the payer's one-time code, where the rail has that step. */
  submitOtp?(http: HttpClient, reference: string, otp: string): Promise<InitiationResult>
  /** Charges a stored card, where the rail stores cards. */
  chargeCard?(http: HttpClient, charge: CardCharge): Promise<CardChargeResult>
  /** Deletes a stored card at the provider. True when it is deleted. */
  deleteCard?(http: HttpClient, authorizationCode: string): Promise<boolean>
  /** The safe calls of the doctor. Absent in the mock. */
  readonly probes?: RailProbes
  /** Set where payers can pay by hand. */
  readonly paybill?: PaybillApi
  /** The webhook reply, where the provider requires a certain one. */
  readonly acknowledgement?: { readonly contentType: string; readonly text: string }
}

export type Rail = {
  readonly name: ProviderName
  /** The names of the required variables. */
  readonly needs: readonly string[]
  /** The required variables of the provider's newer API, in place of `needs`. */
  readonly newerNeeds?: readonly string[]
  /** Null when its keys are not set. Throws `ConfigurationError` when they are incomplete or invalid. */
  open(variables: Variables): OpenRail | null
}
