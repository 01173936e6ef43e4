// What every payment rail offers us. A rail speaks its provider's HTTP API, and moves no money of ours: it says what it
// learned, and the settlement decides what that means.
import type { Currency } from '../../kernel/money.ts'
import type { CardDetails } from '../../platform/payment-handler.ts'
import type { ChannelName } from '../channels.ts'
import type { HttpClient } from './http-client.ts'

export type RailName =
  | 'paystack'
  | 'flutterwave'
  | 'daraja'
  | 'momo'
  | 'opay'
  | 'palmpay'
  | 'ozow'
  | 'fawry'
  | 'mock'
export type ProviderName = Exclude<RailName, 'mock'>

/** The rail's own environment variables by name, such as `PAYSTACK_SECRET_KEY`. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What a rail is asked to collect, in the ledger's own units. */
export type Order = {
  /** Ours, unique for ever, and for the rail its idempotency key: `tp` and 26 small letters and digits, 28 in all. */
  readonly reference: string
  readonly channel: ChannelName
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly email: string
  /** In E.164, where the channel needs one. */
  readonly phone: string | null
  readonly customer: { readonly id: string; readonly name: string }
  /** Shown to the payer where the rail has room for it. */
  readonly description: string
  /** Where a browser comes back to; says nothing about whether anything was paid. */
  readonly returnUrl: string
  /** Where the provider's messages go. */
  readonly notifyUrl: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** What the payer has to do next, as the client is told. */
export type HandOff = {
  readonly authorizationUrl?: string
  readonly ussdCode?: string
  readonly displayText?: string
  /** The payer's network sends a code, which is handed in with `submitOtp`. */
  readonly otpRequired?: true
}

export type InitiationResult =
  | {
      readonly outcome: 'accepted'
      readonly handOff: HandOff
      /** What the provider calls this payment, when we need it to ask again. */
      readonly providerRef: string | null
    }
  /**
   * The provider said no before anything could be paid. `reason` is fit for the customer's eyes, `detail` for the log:
   * the provider's own code and words, without secrets and without anybody's number.
   */
  | { readonly outcome: 'rejected'; readonly reason: string; readonly detail?: string }
  /** The reference is already known there: ask with `check` instead of starting again. */
  | { readonly outcome: 'known' }
  /** Nobody can say whether the provider took it: it stays pending, and is asked about later. `reason` is for the log. */
  | { readonly outcome: 'unknown'; readonly reason: string }

/** A stored card that is to be charged without its owner. */
export type CardCharge = Pick<Order, 'reference' | 'amountMinor' | 'currency'> & {
  readonly authorizationCode: string
  /** The one that the authorization belongs to. */
  readonly email: string
}

export type CardChargeResult =
  /** The provider has taken it and knows how it ended: ask with `check`. */
  | { readonly outcome: 'answered' }
  /** Not paid: the bank wants to hear from its customer first, on this page. */
  | { readonly outcome: 'challenged'; readonly authorizationUrl: string }
  /** Not paid. `isFinal`: the card will never pay again. `reason` and `detail` are as for `rejected`. */
  | {
      readonly outcome: 'declined'
      readonly reason: string
      readonly detail?: string
      readonly isFinal: boolean
    }
  /** Nobody can say. It stays pending, and is asked about later. */
  | { readonly outcome: 'unknown'; readonly reason: string }

/** A payment as we remember it, for asking about it again. */
export type PaymentQuery = Pick<Order, 'reference' | 'channel' | 'amountMinor' | 'currency' | 'createdAt'> & {
  readonly providerRef: string | null
}

/** How a payment stands at the provider, by the provider's own answer to our question. */
export type ProviderStatus =
  | {
      readonly status: 'paid'
      /** The provider's number of the transaction that paid: unique there, kept for disputes. */
      readonly transactionId: string | null
      /** What was asked for and paid, without fees that the payer bore on top. Null where the rail never says. */
      readonly amountMinor: bigint | null
      /** As the provider wrote it, upper case. Null where the rail never says. */
      readonly currency: string | null
      /** Whose reference the provider says it is; null where the rail never says. */
      readonly reference: string | null
      /** False for play money: a test key, a sandbox, a test flag. */
      readonly live: boolean
      /** The card that paid, where the rail shows it. */
      readonly card?: CardDetails
      /** Other transactions that paid under the same reference: the payer paid more than once. */
      readonly others?: readonly PaidTransaction[]
      /** Part of it went back to the payer, and the rail never says how much: a sentence for staff. */
      readonly unclearReturn?: string
    }
  | { readonly status: 'pending'; readonly detail: string }
  /** Over, and nothing was paid. A later success still counts. `reason` and `detail` are as for `rejected`. */
  | { readonly status: 'failed'; readonly reason: string; readonly detail?: string }
  /** Was paid and taken back: a refund at the provider or a lost dispute. */
  | { readonly status: 'reversed'; readonly reason: string; readonly transactionId: string | null }
  /** No usable answer. Nothing changes. `reason` is for the log. */
  | { readonly status: 'unknown'; readonly reason: string }

/** One transaction of the provider that paid. */
export type PaidTransaction = Pick<
  Extract<ProviderStatus, { status: 'paid' }>,
  'amountMinor' | 'currency' | 'live'
> & {
  readonly transactionId: string
}

/** A refund at the provider, or a dispute of the payer with their bank. */
export type ProviderReturn = {
  /** Unique among the returns of one payment. A refund that settles a dispute has the key of the dispute. */
  readonly key: `refund:${string}` | `dispute:${string}`
  readonly amountMinor: bigint
  /** `open`: a dispute that is not decided; `kept`: the money stays with us; `returned`: the payer has it. */
  readonly state: 'open' | 'kept' | 'returned'
}

export type ProviderReturns =
  | { readonly status: 'known'; readonly returns: readonly ProviderReturn[] }
  | { readonly status: 'unknown'; readonly reason: string }

/** A message as it came over the wire. */
export type WebhookRequest = {
  readonly raw: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a message is about. It only wakes us: never what it says about money. */
export type WebhookEvent =
  | {
      readonly about:
        | { readonly reference: string }
        | { readonly providerRef: string }
        | { readonly transactionId: string }
      /** The same for a repetition of the same message, another for another. */
      readonly eventKey: string
      /** The provider's own word for what happened, such as `charge.success`. */
      readonly kind: string
    }
  /** The signature does not hold. */
  | 'forged'
  /** Genuine or unsigned, and about nothing that we could look up. */
  | 'nothing'

/** A rail with its keys in hand. */
export type OpenRail = {
  readonly name: RailName
  /** `test` where the keys or the host are the provider's play-ground. */
  readonly keys: 'live' | 'test'
  start(http: HttpClient, order: Order): Promise<InitiationResult>
  check(http: HttpClient, query: PaymentQuery): Promise<ProviderStatus>
  parseWebhook(message: WebhookRequest): WebhookEvent
  /** What went back of a paid payment, where the provider can be asked. Refunds that are not done yet are left out. */
  returns?(
    http: HttpClient,
    paid: PaymentQuery & { readonly transactionId: string },
  ): Promise<ProviderReturns>
  /** Hands in the code that a payer was asked for, where a payment can have that step. */
  submitOtp?(http: HttpClient, reference: string, otp: string): Promise<InitiationResult>
  /** Charges a stored card, where the rail stores any. */
  chargeCard?(http: HttpClient, charge: CardCharge): Promise<CardChargeResult>
  /** Makes the provider forget a stored card. Says whether it has. */
  deleteCard?(http: HttpClient, authorizationCode: string): Promise<boolean>
  /** What a message is answered with, when the provider insists on certain words. */
  readonly acknowledgement?: { readonly contentType: string; readonly text: string }
}

export type Rail = {
  readonly name: ProviderName
  /** The variables that make it live, for messages and the posture page: names only. */
  readonly needs: readonly string[]
  /** Opens the rail with these variables; null when its keys are not set. Throws `Misconfigured` when they are half set. */
  open(variables: Variables): OpenRail | null
}

export class Misconfigured extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join(' '))
    this.name = 'Misconfigured'
    this.problems = problems
  }
}
