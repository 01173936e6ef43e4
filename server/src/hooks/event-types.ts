// What organisations can be told: ids, statuses and amounts, never content and never secrets.
import type { OrgId } from '../kernel/ids.ts'

export type HookData = {
  'topup.settled': {
    readonly reference: string
    readonly amountMinor: bigint
    readonly creditedMinor: bigint
    readonly currency: string
    readonly channel: string
    readonly settledAt: Date
  }
  'balance.low': {
    readonly balanceMinor: bigint
    readonly thresholdMinor: bigint
    readonly currency: string
  }
  'run.finished': {
    readonly runId: string
    readonly kind: string
    readonly status: string
    readonly stopReason: string | null
    readonly iterations: number
    readonly verified: boolean
    readonly costMinor: bigint
    readonly lane: string
  }
  'research.finished': {
    readonly runId: string
    readonly status: string
    readonly stopReason: string
    readonly depth: string
    readonly spentMinor: bigint
    readonly refundedMinor: bigint
  }
  'invoice.paid': {
    readonly invoiceId: string
    readonly number: string
    readonly totalMinor: bigint
    readonly currency: string
    readonly paidAt: Date
  }
  ping: { readonly endpointId: string }
}

export type HookType = keyof HookData

/** A fact that an organisation may want to hear of. */
export type HookFact = {
  [T in HookType]: { readonly orgId: OrgId; readonly type: T; readonly data: HookData[T] }
}[HookType]

/** What an endpoint can choose. A ping comes when it is asked for, and only then. */
export const SUBSCRIBABLE_TYPES = [
  'topup.settled',
  'balance.low',
  'run.finished',
  'research.finished',
  'invoice.paid',
] as const

const AT = '2026-11-15T09:00:00.000Z'

/** What the reference says of each type, with the data as it arrives. */
export const EVENT_TYPES: readonly {
  readonly type: HookType
  readonly description: string
  readonly data: Readonly<Record<string, unknown>>
}[] = [
  {
    type: 'topup.settled',
    description: 'A top-up was confirmed by its provider and is in the wallet.',
    data: {
      reference: 'top_01kab0000000000000000000aa',
      amountMinor: 500_000,
      creditedMinor: 500_000,
      currency: 'NGN',
      channel: 'card',
      settledAt: AT,
    },
  },
  {
    type: 'balance.low',
    description: 'The balance fell below the threshold. Told once, until it was above it again.',
    data: { balanceMinor: 49_900, thresholdMinor: 50_000, currency: 'NGN' },
  },
  {
    type: 'run.finished',
    description:
      'A run or a loop of the agent ended, well or not. One that was taken for lost and ends after all is told again; the later event counts.',
    data: {
      runId: 'agr_01kab0000000000000000000aa',
      kind: 'loop',
      status: 'completed',
      stopReason: 'verified',
      iterations: 2,
      verified: true,
      costMinor: 218,
      lane: 'open',
    },
  },
  {
    type: 'research.finished',
    description: 'A research run ended, with a report or without one. The run itself says what it found.',
    data: {
      runId: 'run_01kab0000000000000000000aa',
      status: 'completed',
      stopReason: 'budget',
      depth: 'standard',
      spentMinor: 4_120,
      refundedMinor: 0,
    },
  },
  {
    type: 'invoice.paid',
    description: 'An invoice was paid, also one that was paid when it was issued.',
    data: {
      invoiceId: 'inv_01kab0000000000000000000aa',
      number: 'CWR-000001',
      totalMinor: 500_000,
      currency: 'NGN',
      paidAt: AT,
    },
  },
  {
    type: 'ping',
    description: 'You asked for a test of the endpoint.',
    data: { endpointId: 'hep_01kab0000000000000000000aa' },
  },
]
