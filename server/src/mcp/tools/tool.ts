// What a tool is: a description that names the operation it calls. All rules are those of the operation.

export type Arguments = Readonly<Record<string, unknown>>
export type Reply = Readonly<Record<string, unknown>>

/** Reads from another operation for the same caller; null where that is refused. */
export type FetchText = (path: string) => Promise<string | null>

export type Tool = {
  readonly name: string
  readonly title: string
  /** The operation that it calls, by its name in the API. */
  readonly operation: string
  readonly description: string
  /** Whether it changes nothing of the caller's. */
  readonly isReadOnly: boolean
  /** Whether it reaches beyond what the caller has given us: the web. */
  readonly isOpenWorld?: boolean
  /** Whether the same call again changes nothing more. */
  readonly isIdempotent?: boolean
  /** Of a tool that costs money: how its price is asked, and which field of the body bounds it. */
  readonly price?: Price
  /** Fields of the operation that the tool does not have. */
  readonly hiddenFields?: readonly string[]
  /** Only these fields of the reply. */
  readonly replyFields?: readonly string[]
  /** What is read beside the reply. */
  readonly extra?: {
    readonly fields: Readonly<Record<string, object>>
    readonly read: (reply: Reply, look: FetchText) => Promise<object>
  }
  /** Reports its steps: frames of its stream in words, null for those that say nothing new. */
  readonly progress?: (frame: Reply) => string | null
}

export type Price = {
  readonly limitField: 'maxMinor' | 'budgetMinor'
  /** The operation that quotes. */
  readonly quotedBy: string
  /** The body of the quote for a call; none where the operation only reads. */
  readonly quoteBody?: (given: Arguments) => object
  /** What of the quote concerns this call. */
  readonly selectQuote?: (quote: Reply, given: Arguments) => unknown
  /** In words for the description, from the quote of an example. */
  readonly example: Arguments
  readonly describe: (quote: Reply, money: (minor: unknown) => string) => string
}

/** What the caller agrees to pay at most, in minor units: the one name for it in all tools. */
export const MAX_COST = 'maxCostMinor'
export const KEY = 'idempotencyKey'
