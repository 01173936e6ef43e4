// Statements on the source_refunds table. All need platform scope.
import type { Id, OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type SourceRefundId = Id<'srf'>

export type SourceRefund = {
  id: SourceRefundId
  reference: string
  orgId: OrgId
  amountMinor: bigint
  /** Printed on the credit note. */
  reason: string
  /** `requested`: never sent; `sent`: the provider may have it; `unclear`: as `sent`, and staff look into it. */
  state: 'requested' | 'sent' | 'unclear' | 'done' | 'failed'
  holdId: string
  attempts: number
  providerId: string | null
  /** Of the return that ended it. Null where a reversal of the whole payment did. */
  returnKey: string | null
  detail: string | null
  createdAt: Date
  sentAt: Date | null
  decidedAt: Date | null
}

export type NewSourceRefund = Pick<
  SourceRefund,
  'id' | 'reference' | 'orgId' | 'amountMinor' | 'reason' | 'holdId'
> & { actorUserId: string }

export async function insertSourceRefund(tx: Tx, it: NewSourceRefund): Promise<void> {
  await tx.rows`
    insert into source_refunds (id, reference, org_id, amount_minor, reason, actor_user_id, hold_id, next_check_at, created_at)
    values (${it.id}, ${it.reference}, ${it.orgId}, ${it.amountMinor}, ${it.reason}, ${it.actorUserId}, ${it.holdId},
            ${tx.now}, ${tx.now})`
}

/** Oldest first. */
export function refundsOf(tx: Tx, reference: string): Promise<SourceRefund[]> {
  return tx.rows<SourceRefund>`
    select id, reference, org_id as "orgId", amount_minor as "amountMinor", reason, state, hold_id as "holdId", attempts,
           provider_id as "providerId", return_key as "returnKey", detail, created_at as "createdAt", sent_at as "sentAt",
           decided_at as "decidedAt"
    from source_refunds where reference = ${reference} order by created_at, id`
}

export function findSourceRefund(tx: Tx, id: string): Promise<SourceRefund | undefined> {
  return tx.maybe<SourceRefund>`
    select id, reference, org_id as "orgId", amount_minor as "amountMinor", reason, state, hold_id as "holdId", attempts,
           provider_id as "providerId", return_key as "returnKey", detail, created_at as "createdAt", sent_at as "sentAt",
           decided_at as "decidedAt"
    from source_refunds where id = ${id}`
}

/** The refund of a payment that the provider has not decided. A payment has at most one. */
export function openRefundOf(tx: Tx, reference: string): Promise<SourceRefund | undefined> {
  return tx.maybe<SourceRefund>`
    select id, reference, org_id as "orgId", amount_minor as "amountMinor", reason, state, hold_id as "holdId", attempts,
           provider_id as "providerId", return_key as "returnKey", detail, created_at as "createdAt", sent_at as "sentAt",
           decided_at as "decidedAt"
    from source_refunds where reference = ${reference} and decided_at is null`
}

/** The amount that an undecided refund returns; it is not refunded again. */
export async function refundingMinorOf(tx: Tx, reference: string): Promise<bigint> {
  return (await openRefundOf(tx, reference))?.amountMinor ?? 0n
}

/** Claims the next attempt. False: another worker has it, or the refund is decided. */
export async function claimAttempt(
  tx: Tx,
  { id, attempts }: SourceRefund,
  nextCheckAt: Date,
): Promise<boolean> {
  const claimed = await tx.maybe`
    update source_refunds set attempts = attempts + 1, sent_at = ${tx.now}, next_check_at = ${nextCheckAt},
                              state = case when state = 'requested' then 'sent' else state end
    where id = ${id} and attempts = ${attempts} and decided_at is null
    returning id`
  return claimed !== undefined
}

/** The attempt had no effect: it may be sent again. */
export async function returnAttempt(
  tx: Tx,
  { id, attempts }: SourceRefund,
  detail: string,
  nextCheckAt: Date,
): Promise<void> {
  await tx.rows`
    update source_refunds set state = case when attempts = 1 then 'requested' else state end, attempts = attempts - 1,
                              detail = ${detail}, next_check_at = ${nextCheckAt}
    where id = ${id} and attempts = ${attempts} and decided_at is null`
}

export async function recordProgress(
  tx: Tx,
  id: SourceRefundId,
  progress: {
    providerId: string | null
    detail: string | null
    isUnclear: boolean
    nextCheckAt: Date
  },
): Promise<void> {
  const { providerId, detail, isUnclear, nextCheckAt } = progress
  await tx.rows`
    update source_refunds set provider_id = coalesce(provider_id, ${providerId}), detail = ${detail},
                              next_check_at = ${nextCheckAt},
                              state = case when ${isUnclear}::boolean then 'unclear' else state end
    where id = ${id} and decided_at is null`
}

/** False: it was decided before. */
export async function endSourceRefund(
  tx: Tx,
  id: SourceRefundId,
  end: { state: 'done' | 'failed'; detail: string | null; providerId?: string | null },
): Promise<boolean> {
  const ended = await tx.maybe`
    update source_refunds set state = ${end.state}, detail = coalesce(${end.detail}, detail),
                              provider_id = coalesce(provider_id, ${end.providerId ?? null}),
                              next_check_at = null, decided_at = ${tx.now}
    where id = ${id} and decided_at is null
    returning id`
  return ended !== undefined
}

/** Names the return that ended the refund, once that return is stored. */
export async function setReturnKey(tx: Tx, id: SourceRefundId, key: string): Promise<void> {
  await tx.rows`update source_refunds set return_key = ${key} where id = ${id} and state = 'done'`
}

/** Claims due refunds, longest due first. Other replicas leave them alone until `until`. */
export function claimDueRefunds(tx: Tx, most: number, until: Date): Promise<{ id: SourceRefundId }[]> {
  return tx.rows<{ id: SourceRefundId }>`
    update source_refunds set next_check_at = ${until}
    where id in (
      select id from source_refunds where next_check_at <= ${tx.now} order by next_check_at limit ${most}
      for update skip locked)
    returning id`
}
