// The common interface of the fake tax authorities, so that one test can run against each.
import { setTimeout as pause } from 'node:timers/promises'
import type { Currency } from '@cowrie/server/src/kernel/money.ts'
import { type FakeReply, type FakeRequest, startLoopbackServer } from '../payments/loopback-server.ts'

export type FakeAuthority = {
  readonly name: 'firs' | 'etims' | 'evat' | 'eta'
  readonly country: string
  readonly currency: Currency
  /** The environment variables that connect the service to this fake. */
  readonly variables: Record<string, string>
  /** Documents that the authority has, oldest first. The body is as received. */
  readonly documents: readonly RegisteredDocument[]
  readonly server: AuthorityServer
  /** The next documents fail the validation. */
  rejects: boolean
  /** The keys stop working. */
  keysWork: boolean
  /** Registers a document of another system under this name. */
  occupy(document: { key: string; serial: bigint; day: string }): void
  /** An authority that decides later decides about everything that it has. */
  decide(verdict: 'valid' | 'invalid'): void
}

export type RegisteredDocument = { readonly key: string; readonly body: unknown }

// A request takes a moment, so that concurrent ones overlap.
const LATENCY_MS = 2

export type AuthorityServer = {
  readonly url: string
  readonly requests: readonly FakeRequest[]
  /** Requests that could register a document, oldest first. */
  sent(): readonly FakeRequest[]
  /** The most requests at once. */
  mostAtOnce(): number
  /** `down`: an outage of everything. `silent`, `garbage`: no or an unreadable answer after a document was registered. */
  fault(kind: 'down' | 'silent' | 'garbage' | null): void
  close(): Promise<void>
}

/** Faults after the effect happen only to the requests that register a document. */
export async function startAuthorityServer(
  handle: (received: FakeRequest) => FakeReply,
  registers: (received: FakeRequest) => boolean,
): Promise<AuthorityServer> {
  let atOnce = 0
  let most = 0
  const loopback = await startLoopbackServer(
    async (received) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await pause(LATENCY_MS)
      atOnce -= 1
      return handle(received)
    },
    (received) => !registers(received),
  )
  return {
    url: loopback.url,
    requests: loopback.requests,
    sent: () => loopback.requests.filter(registers),
    mostAtOnce: () => most,
    fault(kind) {
      loopback.fault = kind
    },
    close: () => loopback.close(),
  }
}

export const reply = (status: number, body: object): FakeReply => ({ status, body })

/** Amounts as integers of hundredths, so that sums are exact. */
export const cents = (amount: number): number => Math.round(amount * 100)
export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, each) => sum + cents(each), 0)
