// What the providers' stand-ins have in common, so that one test can drive every rail.

export type FakeProvider = {
  /** The variables that open the rail against this stand-in. */
  readonly variables: Record<string, string>
  /** Orders that reached the provider, oldest first. */
  readonly orders: readonly {
    reference: string
    providerRef: string | null
    amount: string
    currency: string
  }[]
  /** The payer decides. `amountMinor`/`currency` pay something else than was asked for. */
  pay(reference: string, as?: { amountMinor?: bigint; currency?: string; test?: boolean }): void
  decline(reference: string): void
  reverse(reference: string): void
  /** The provider's message about how this reference stands now: what it would post to our webhook. */
  message(reference: string): { headers: Record<string, string>; body: string }
  /** What the next calls meet, until `heal`: an outage, silence after the request was taken, garbage, or a rejection in the provider's own way. */
  fault(kind: 'down' | 'silent' | 'garbage' | 'reject'): void
  heal(): void
  close(): Promise<void>
}
