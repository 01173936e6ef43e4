// Cards and transactions of the simulated bank.

/** The response of a bank to a charge of a stored card. */
export type CardBehaviour =
  | 'pays'
  | 'declines'
  /** Requires the owner's confirmation. */
  | 'asks'
  /** Times out. The charge is decided later. */
  | 'silent'

export type Card = {
  /** Identifies the physical card. */
  readonly signature: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly isReusable: boolean
  behaviour: CardBehaviour
}

export type BankEntry = {
  readonly id: number
  readonly reference: string
  readonly email: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly method: 'page' | 'charge'
  status: 'abandoned' | 'success' | 'failed' | 'ongoing' | 'processing'
  card: Card | null
  authorization: string | null
  /** The first response of the bank, as the service saw it. */
  firstResponse: CardBehaviour | 'page'
  readonly at: Date
  paidAt: Date | null
}
