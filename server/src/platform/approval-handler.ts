// Approval handlers: how an operation of staff is executed after another member of staff approved it. The approvals module calls
// the handler of the kind in the transaction of the approval.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from './db/tx.ts'
import type { StaffTier } from './http/actor.ts'

/** The member of staff who called the operation. */
export type Requester = {
  readonly userId: UserId
  readonly email: string
  readonly staffRole: StaffTier | null
}

export type MoneyAction = {
  readonly kind: string
  readonly orgId: OrgId
  readonly reference: string | null
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly reason: string
  /** Further arguments of the operation, as JSON. */
  readonly input: Readonly<Record<string, string | null>>
}

/** One execution of an operation, direct or approved. */
export type MoneyCall = {
  readonly staff: Requester
  readonly ip: string
  /** The same for every retry and for the approval. Derive the references of effects from it. */
  readonly operationId: Id<'idem'>
  /** The address of the approver; null for a direct call. */
  readonly approvedBy: string | null
  /** Called after the checks and before the effect. Throws when the amount needs an approval first. */
  consent(tx: Tx, action: MoneyAction): Promise<void>
}

export type ApprovalHandler<App> = (
  app: App,
  tx: Tx,
  call: MoneyCall,
  action: MoneyAction,
) => Promise<unknown>
