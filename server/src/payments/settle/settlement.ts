// The result of a settlement and its audit record.
import { record } from '../../audit/audit.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { readBalances } from '../../wallet/wallet.ts'
import type { Payment, PaymentStatus } from '../sql/payments.ts'

/** The caller that fetched the provider's status. */
export type SettlementTrigger =
  | 'webhook'
  | 'verify'
  | 'redirect'
  | 'sweep'
  | 'staff'
  | 'mock'
  | 'reconciliation'
  | 'refund'

export type Settlement = {
  readonly status: PaymentStatus
  /** Credited by this call; 0 when an earlier call credited it. */
  readonly creditedMinor: bigint
  readonly balanceMinor: bigint
  /** Whether this call changed the payment. */
  readonly changed: boolean
}

export const REASON_CHARACTERS_MAX = 500

export async function withoutCredit(
  tx: Tx,
  { orgId }: Payment,
  status: PaymentStatus,
  changed: boolean,
): Promise<Settlement> {
  const { balanceMinor } = await readBalances(tx, orgId)
  return { status, creditedMinor: 0n, balanceMinor, changed }
}

export const recordAudit = (tx: Tx, { orgId, reference }: Payment, action: string, metadata: object) =>
  record(tx, { orgId, actor: { kind: 'system' }, action, target: reference, metadata })
