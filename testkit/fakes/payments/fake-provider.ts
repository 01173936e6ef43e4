// The common interface of the fake payment providers, so that one test can run against every rail.

export type FakeProvider = {
  /** The environment variables that connect the rail to this fake. */
  readonly variables: Record<string, string>
  /** Orders that reached the provider, oldest first. */
  readonly orders: readonly {
    reference: string
    providerRef: string | null
    amount: string
    currency: string
  }[]
  /** Simulates the payer. `amountMinor` and `currency` pay a different amount than requested. */
  pay(reference: string, as?: { amountMinor?: bigint; currency?: string; test?: boolean }): void
  decline(reference: string): void
  reverse(reference: string): void
  /** The webhook that the provider would send for the current status. */
  message(reference: string): { headers: Record<string, string>; body: string }
  /** Fails the next calls until `heal`: an outage, no reply after the request took effect, an unreadable reply, or a rejection. */
  fault(kind: 'down' | 'silent' | 'garbage' | 'reject'): void
  heal(): void
  close(): Promise<void>
}
