// Statements that change the status, the checks and the provider's ids of payments. All need platform scope.
import type { Tx } from '../../platform/db/tx.ts'
import type { Payment } from './payments.ts'

/** Whether this provider transaction has settled another payment. */
export async function isTransactionUsed(
  tx: Tx,
  { rail, mode, account, reference }: Payment,
  transactionId: string,
): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from payments
    where rail = ${rail} and mode = ${mode} and transaction_id = ${transactionId} and status = 'settled'
      and reference <> ${reference} and coalesce(account, ${account}, '') = coalesce(${account}, account, '') limit 1`
  return found !== undefined
}

/** Stores the provider's id of a payment. False: the payment has one already, or the id belongs to another payment. */
export async function claimProviderRef(
  tx: Tx,
  { reference, rail, mode }: Payment,
  providerRef: string,
): Promise<boolean> {
  await tx.lock(`name of payment ${rail} ${mode} ${providerRef}`)
  const claimed = await tx.maybe`
    update payments set provider_ref = ${providerRef}
    where reference = ${reference} and provider_ref is null and not exists (
      select 1 from payments other
      where other.rail = ${rail} and other.mode = ${mode} and other.provider_ref = ${providerRef})
    returning reference`
  return claimed !== undefined
}

export type CaptureRecord = {
  capturedMinor: bigint
  feeMinor: bigint | null
  transactionId: string | null
  entryId: string
  invoiceId: string
  nextCheckAt: Date | null
}

export async function markSettled(tx: Tx, reference: string, captured: CaptureRecord): Promise<void> {
  await tx.rows`
    update payments set status = 'settled', reason = null, captured_minor = ${captured.capturedMinor}, settled_at = ${tx.now},
      fee_minor = ${captured.feeMinor},
      transaction_id = ${captured.transactionId}, entry_id = ${captured.entryId},
      invoice_id = ${captured.invoiceId}, next_check_at = ${captured.nextCheckAt}, reversed_at = null
    where reference = ${reference}`
}

/** Stops the checks: staff decide. */
export async function markReview(
  tx: Tx,
  reference: string,
  reason: string,
  { transactionId, saidMinor }: Pick<Payment, 'transactionId' | 'saidMinor'>,
): Promise<void> {
  await tx.rows`
    update payments set status = 'review', reason = ${reason}, transaction_id = ${transactionId}, said_minor = ${saidMinor},
      next_check_at = null
    where reference = ${reference}`
}

export async function markFailed(tx: Tx, reference: string, reason: string): Promise<void> {
  await tx.rows`update payments set status = 'failed', reason = ${reason} where reference = ${reference}`
}

export async function markExpired(tx: Tx, reference: string, reason: string): Promise<void> {
  await tx.rows`update payments set status = 'expired', reason = ${reason} where reference = ${reference}`
}

export async function markReversed(tx: Tx, reference: string, reason: string): Promise<void> {
  await tx.rows`
    update payments set reversed_at = ${tx.now}, reason = ${reason}, next_check_at = null where reference = ${reference}`
}

/** The provider returned an uncredited payment to its payer. */
export async function markReturnedToPayer(tx: Tx, reference: string): Promise<void> {
  await tx.rows`update payments set reversed_at = ${tx.now} where reference = ${reference}`
}

/** Staff decided a review. */
export async function markDecided(tx: Tx, reference: string): Promise<void> {
  await tx.rows`update payments set decided_at = ${tx.now}, next_check_at = null where reference = ${reference}`
}

/** The payment must be locked. A table constraint rejects refunds above the captured amount. */
export async function addRefunded(tx: Tx, reference: string, amountMinor: bigint): Promise<void> {
  await tx.rows`update payments set refunded_minor = refunded_minor + ${amountMinor} where reference = ${reference}`
}

/** Schedules another check of a settled payment without one, unless it expired before `expiredSince`. */
export async function recheckSettled(tx: Tx, reference: string, at: Date, expiredSince: Date): Promise<void> {
  await tx.rows`
    update payments set next_check_at = ${at}
    where reference = ${reference} and status = 'settled' and next_check_at is null and expires_at > ${expiredSince}`
}

export async function setNextCheck(tx: Tx, reference: string, at: Date | null): Promise<void> {
  await tx.rows`update payments set next_check_at = ${at} where reference = ${reference}`
}

/** Claims due payments, longest due first. Other replicas leave them alone until `until`. */
export function claimDuePayments(tx: Tx, most: number, until: Date): Promise<{ reference: string }[]> {
  return tx.rows<{ reference: string }>`
    update payments set next_check_at = ${until}, checks = checks + 1
    where reference in (
      select reference from payments where next_check_at <= ${tx.now} order by next_check_at limit ${most}
      for update skip locked)
    returning reference`
}
