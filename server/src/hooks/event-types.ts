// The webhook event types. Their data has ids, statuses and amounts, never content or secrets.
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
  'task.turn.finished': {
    readonly taskId: string
    readonly turnId: string
    readonly ordinal: number
    readonly stopReason: string
    readonly verified: boolean
    readonly spentMinor: bigint
    readonly changedFiles: number
  }
  'task.needs_approval': {
    readonly taskId: string
    readonly turnId: string
    readonly approvalId: string
    readonly tool: string
    readonly reason: 'protected_file'
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

/** A fact that `emit` turns into a webhook event. */
export type HookFact = {
  [T in HookType]: { readonly orgId: OrgId; readonly type: T; readonly data: HookData[T] }
}[HookType]

/** Types that an endpoint can subscribe to. A ping is sent only on request. */
export const SUBSCRIBABLE_TYPES = [
  'topup.settled',
  'balance.low',
  'run.finished',
  'task.turn.finished',
  'task.needs_approval',
  'research.finished',
  'invoice.paid',
] as const

const AT = '2026-11-15T09:00:00.000Z'

/** Descriptions for the API reference, with example data. */
export const EVENT_TYPES: readonly {
  readonly type: HookType
  readonly description: string
  readonly data: Readonly<Record<string, unknown>>
}[] = [
  {
    type: 'topup.settled',
    description: 'The provider confirmed a top-up, and the wallet was credited.',
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
    description: 'The balance fell below the threshold. Sent again only after the balance has been above it.',
    data: { balanceMinor: 49_900, thresholdMinor: 50_000, currency: 'NGN' },
  },
  {
    type: 'run.finished',
    description:
      'An agent run or loop finished, successfully or not. If a run that was reported as lost finishes later, a second event is sent; the later one is correct.',
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
    type: 'task.turn.finished',
    description: 'A turn of a task finished, successfully or not. Read the task for its summary and changes.',
    data: {
      taskId: 'tsk_01kab0000000000000000000aa',
      turnId: 'trn_01kab0000000000000000000aa',
      ordinal: 2,
      stopReason: 'completed',
      verified: true,
      spentMinor: 312,
      changedFiles: 3,
    },
  },
  {
    type: 'task.needs_approval',
    description:
      'A turn of a task waits until a member approves or declines a tool call. `protected_file`: the call changes a file that runs by itself.',
    data: {
      taskId: 'tsk_01kab0000000000000000000aa',
      turnId: 'trn_01kab0000000000000000000aa',
      approvalId: 'call_2_5',
      tool: 'edit',
      reason: 'protected_file',
    },
  },
  {
    type: 'research.finished',
    description: 'A research run finished, with or without a report. Read the run for its findings.',
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
    description: 'An invoice was paid. Includes invoices that were paid when issued.',
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
    description: 'You requested a test of the endpoint.',
    data: { endpointId: 'hep_01kab0000000000000000000aa' },
  },
]
