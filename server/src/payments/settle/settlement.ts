// What every change of a payment has in common: who brought it, what it tells, and how it is recorded.
import { record } from '../../audit/audit.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { balances } from '../../wallet/wallet.ts'
import type { Payment, PaymentStatus } from '../sql/payments.ts'

/** Who brought the answer. */
export type SettlementTrigger = 'webhook' | 'verify' | 'redirect' | 'sweep' | 'staff' | 'mock'

export type Settlement = {
  readonly status: PaymentStatus
  /** What this call credited: nothing when another has done so before. */
  readonly creditedMinor: bigint
  readonly balanceMinor: bigint
  /** Whether this call changed how the payment stands. */
  readonly changed: boolean
}

export const REASON_CHARACTERS_MAX = 500

export async function withoutCredit(
  tx: Tx,
  { orgId }: Payment,
  status: PaymentStatus,
  changed: boolean,
): Promise<Settlement> {
  const { balanceMinor } = await balances(tx, orgId)
  return { status, creditedMinor: 0n, balanceMinor, changed }
}

export const recordAudit = (tx: Tx, { orgId, reference }: Payment, action: string, metadata: object) =>
  record(tx, { orgId, actor: { kind: 'system' }, action, target: reference, metadata })
