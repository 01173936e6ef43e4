// The kinds of notifications and their data: ids, statuses and amounts, never content.
import type { Currency } from '../kernel/money.ts'

export const NOTICE_KINDS = ['paid', 'task_finished', 'needs_approval'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export type NoticeData =
  | {
      readonly kind: 'paid'
      readonly reference: string
      readonly purpose: 'topup' | 'bill'
      readonly amountMinor: bigint
      readonly currency: Currency
    }
  | {
      readonly kind: 'task_finished'
      readonly taskId: string
      readonly result: 'completed' | 'stopped' | 'failed'
      /** In the currency of the organisation. */
      readonly spentMinor: bigint
    }
  | { readonly kind: 'needs_approval'; readonly taskId: string }
