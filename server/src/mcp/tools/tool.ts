// A tool describes one API operation. All rules are those of the operation.

export type Arguments = Readonly<Record<string, unknown>>
export type Reply = Readonly<Record<string, unknown>>

/** Reads another operation as the same caller; null if refused. */
export type FetchText = (path: string) => Promise<string | null>

export type Tool = {
  readonly name: string
  readonly title: string
  /** The name of its API operation. */
  readonly operation: string
  readonly description: string
  /** Whether it changes no data of the caller. */
  readonly isReadOnly: boolean
  /** Whether it accesses the web. */
  readonly isOpenWorld?: boolean
  /** Whether repeating a call has no further effect. */
  readonly isIdempotent?: boolean
  /** For paid tools: how to quote the price, and the field that limits it. */
  readonly price?: Price
  /** Fields of the operation that the tool hides. */
  readonly hiddenFields?: readonly string[]
  /** Shortens a reply that can become long. */
  readonly shorten?: (reply: Reply) => Reply
  /** Limits the reply to these fields. */
  readonly replyFields?: readonly string[]
  /** Additional fields that are read separately. */
  readonly extra?: {
    readonly fields: Readonly<Record<string, object>>
    readonly read: (reply: Reply, fetchText: FetchText) => Promise<object>
  }
  /** Converts a stream frame to a progress message; null for frames without progress. */
  readonly progress?: (frame: Reply) => string | null
}

export type Price = {
  readonly limitField: 'maxMinor' | 'budgetMinor'
  /** The operation that returns the quote. */
  readonly quotedBy: string
  /** The body of the quote request; none for a GET operation. */
  readonly quoteBody?: (given: Arguments) => object
  /** Selects the part of the quote for this call. */
  readonly selectQuote?: (quote: Reply, given: Arguments) => unknown
  /** The price text of the tool description is made from a quote of this example. Absent: from no quote. */
  readonly example?: Arguments
  readonly describe: (quote: Reply, money: (minor: unknown) => string) => string
}

/** The maximum cost in minor units. All tools use this argument name. */
export const MAX_COST = 'maxCostMinor'
export const KEY = 'idempotencyKey'
