// Statements on the approvals table. All need platform scope.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { json, type Tx } from '../platform/db/tx.ts'
import type { StaffTier } from '../platform/http/actor.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type ApprovalId = Id<'apr'>
export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'void'

export type Approval = {
  id: ApprovalId
  kind: string
  orgId: OrgId
  reference: string | null
  amountMinor: bigint
  currency: Currency
  reason: string
  input: Record<string, string | null>
  operationId: Id<'idem'>
  requestedBy: UserId
  requesterRole: StaffTier
  requesterIp: string
  requestedAt: Date
  expiresAt: Date
  state: ApprovalState | 'direct'
}

export type NewApproval = Approval & { amountKobo: bigint; requesterEmail: string }

/** False when this operation has a row already. */
export async function insertApproval(tx: Tx, row: NewApproval): Promise<boolean> {
  const inserted = await tx.rows`
    insert into approvals (id, kind, org_id, reference, amount_minor, currency, amount_kobo, reason, input, operation_id,
                           requested_by, requester_email, requester_role, requester_ip, requested_at, expires_at, state)
    values (${row.id}, ${row.kind}, ${row.orgId}, ${row.reference}, ${row.amountMinor}, ${row.currency}, ${row.amountKobo},
            ${row.reason}, ${json(row.input)}, ${row.operationId}, ${row.requestedBy}, ${row.requesterEmail}, ${row.requesterRole},
            ${row.requesterIp}, ${row.requestedAt}, ${row.expiresAt}, ${row.state})
    on conflict (operation_id) do nothing returning id`
  return inserted.length === 1
}

/** The sum that a member of staff moved without approval since then, in kobo. */
export async function directKoboSince(tx: Tx, user: UserId, since: Date): Promise<bigint> {
  const { kobo } = await tx.one<{ kobo: string }>`
    select coalesce(sum(amount_kobo), 0)::text as kobo from approvals
    where requested_by = ${user} and state = 'direct' and requested_at > ${since}`
  return BigInt(kobo)
}

export function approvalOfOperation(tx: Tx, operation: string) {
  return tx.maybe<Pick<Approval, 'id' | 'state' | 'expiresAt'>>`
    select id, state, expires_at as "expiresAt" from approvals where operation_id = ${operation}`
}

export function lockApproval(tx: Tx, id: ApprovalId) {
  return tx.maybe<Approval>`
    select id, kind, org_id as "orgId", reference, amount_minor as "amountMinor", currency, reason, input,
           operation_id as "operationId", requested_by as "requestedBy", requester_role as "requesterRole",
           requester_ip as "requesterIp", requested_at as "requestedAt", expires_at as "expiresAt", state
    from approvals where id = ${id} and state <> 'direct' for update`
}

type Decision = {
  state: 'approved' | 'rejected' | 'void'
  by: { userId: UserId; email: string }
  note: string | null
}

export async function decideApproval(tx: Tx, id: ApprovalId, { state, by, note }: Decision): Promise<void> {
  await tx.rows`
    update approvals set state = ${state}, decided_by = ${by.userId}, decider_email = ${by.email}, decided_at = ${tx.now}, note = ${note}
    where id = ${id} and state = 'pending'`
}

export type ListedApproval = Omit<
  Approval,
  'input' | 'operationId' | 'requesterIp' | 'requesterRole' | 'requestedBy' | 'state'
> & {
  orgName: string
  requestedBy: string
  state: ApprovalState | 'expired'
  decidedBy: string | null
  decidedAt: Date | null
  note: string | null
}

/** Newest first. A request without a decision in time is expired. */
export function listApprovals(tx: Tx, pendingOnly: boolean, before: TimeCursor | null, limit: number) {
  return tx.rows<ListedApproval>`
    select a.id, a.kind, a.org_id as "orgId", o.name as "orgName", a.reference, a.amount_minor as "amountMinor", a.currency,
           a.reason, a.requester_email as "requestedBy", a.requested_at as "requestedAt", a.expires_at as "expiresAt",
           case when a.state = 'pending' and a.expires_at <= ${tx.now} then 'expired' else a.state end as state,
           a.decider_email as "decidedBy", a.decided_at as "decidedAt", a.note
    from approvals a
    join org_profiles o on o.id = a.org_id
    where a.state <> 'direct' and (not ${pendingOnly} or (a.state = 'pending' and a.expires_at > ${tx.now}))
      and (${before?.at ?? null}::timestamptz is null or (a.requested_at, a.id) < (${before?.at ?? null}, ${before?.id ?? null}))
    order by a.requested_at desc, a.id desc limit ${limit}`
}
