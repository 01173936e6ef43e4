// Statements on the account numbers and receipts of the paybill. Those on receipts need platform scope.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Payment } from '../sql/payments.ts'

export async function accountCodeOf(tx: Tx, org: OrgId): Promise<string | null> {
  const found = await tx.maybe<{ code: string }>`select code from paybill_accounts where org_id = ${org}`
  return found?.code ?? null
}

/** False: the organisation has a code already, or another one has this code. */
export async function insertAccountCode(tx: Tx, org: OrgId, code: string): Promise<boolean> {
  const inserted = await tx.maybe`
    insert into paybill_accounts (org_id, code, created_at) values (${org}, ${code}, ${tx.now})
    on conflict do nothing returning code`
  return inserted !== undefined
}

export async function orgOfAccountCode(tx: Tx, code: string): Promise<OrgId | null> {
  const found = await tx.maybe<{ orgId: OrgId }>`
    select org_id as "orgId" from paybill_accounts where code = ${code}`
  return found?.orgId ?? null
}

export type Receipt = {
  receipt: string
  shortcode: string
  accountText: string
  amountMinor: bigint | null
  eventId: string
  state: 'received' | 'prompt' | 'recorded' | 'unassigned'
  inquiryId: string | null
  conversationId: string | null
  inquiries: number
  finding: string | null
  verifiedAt: Date | null
  orgId: OrgId | null
  reference: string | null
  receivedAt: Date
}

export type NewReceipt = Pick<Receipt, 'receipt' | 'shortcode' | 'accountText' | 'amountMinor' | 'eventId'>

/** The stored receipt, locked; `isNew` when this call stored it. */
export async function storeReceipt(
  tx: Tx,
  it: NewReceipt,
  nextCheckAt: Date,
): Promise<{ stored: Receipt; isNew: boolean }> {
  const inserted = await tx.maybe`
    insert into paybill_receipts (receipt, shortcode, account_text, amount_minor, event_id, next_check_at, received_at)
    values (${it.receipt}, ${it.shortcode}, ${it.accountText}, ${it.amountMinor}, ${it.eventId}, ${nextCheckAt}, ${tx.now})
    on conflict (receipt) do nothing returning receipt`
  const stored = await lockReceipt(tx, it.receipt)
  if (!stored) throw new Error('a stored receipt exists')
  return { stored, isNew: inserted !== undefined }
}

/** Locks the receipt until the transaction ends. */
export function lockReceipt(tx: Tx, receipt: string): Promise<Receipt | undefined> {
  return tx.maybe<Receipt>`
    select receipt, shortcode, account_text as "accountText", amount_minor as "amountMinor", event_id as "eventId", state,
      inquiry_id as "inquiryId", conversation_id as "conversationId", inquiries, finding, verified_at as "verifiedAt",
      org_id as "orgId", reference, received_at as "receivedAt"
    from paybill_receipts where receipt = ${receipt} for update`
}

/** Locks the receipt whose status query has this id. */
export function lockReceiptOfInquiry(tx: Tx, inquiryId: string): Promise<Receipt | undefined> {
  return tx.maybe<Receipt>`
    select receipt, shortcode, account_text as "accountText", amount_minor as "amountMinor", event_id as "eventId", state,
      inquiry_id as "inquiryId", conversation_id as "conversationId", inquiries, finding, verified_at as "verifiedAt",
      org_id as "orgId", reference, received_at as "receivedAt"
    from paybill_receipts where inquiry_id = ${inquiryId} for update`
}

/** Claims due receipts, longest due first. Other replicas leave them alone until `until`. */
export function claimDueReceipts(tx: Tx, most: number, until: Date): Promise<{ receipt: string }[]> {
  return tx.rows<{ receipt: string }>`
    update paybill_receipts set next_check_at = ${until}
    where receipt in (
      select receipt from paybill_receipts where next_check_at <= ${tx.now} order by next_check_at limit ${most}
      for update skip locked)
    returning receipt`
}

export async function checkReceiptAt(tx: Tx, receipt: string, at: Date): Promise<void> {
  await tx.rows`
    update paybill_receipts set next_check_at = ${at} where receipt = ${receipt} and state = 'received'`
}

/** A new query replaces the one before it, whose answer is no longer accepted. */
export async function openInquiry(
  tx: Tx,
  receipt: string,
  inquiryId: string,
  nextCheckAt: Date,
): Promise<void> {
  await tx.rows`
    update paybill_receipts set inquiry_id = ${inquiryId}, conversation_id = null, inquiries = inquiries + 1,
      next_check_at = ${nextCheckAt}
    where receipt = ${receipt} and state = 'received'`
}

export async function storeConversation(tx: Tx, inquiryId: string, conversationId: string): Promise<void> {
  await tx.rows`
    update paybill_receipts set conversation_id = ${conversationId} where inquiry_id = ${inquiryId}`
}

/** The answer arrived, or is not expected any more. */
export async function closeInquiry(
  tx: Tx,
  receipt: string,
  { finding, isVerified, nextCheckAt }: { finding: string | null; isVerified: boolean; nextCheckAt: Date },
): Promise<void> {
  await tx.rows`
    update paybill_receipts set inquiry_id = null, conversation_id = null, finding = ${finding},
      verified_at = case when ${isVerified}::boolean then ${tx.now} else verified_at end, next_check_at = ${nextCheckAt}
    where receipt = ${receipt} and state = 'received'`
}

/** The end of the checks. */
export async function decideReceipt(
  tx: Tx,
  receipt: string,
  state: Exclude<Receipt['state'], 'received'>,
  payment: Pick<Payment, 'orgId' | 'reference'> | null,
): Promise<void> {
  await tx.rows`
    update paybill_receipts set state = ${state}, org_id = ${payment?.orgId ?? null}, reference = ${payment?.reference ?? null},
      inquiry_id = null, conversation_id = null, next_check_at = null, decided_at = ${tx.now}
    where receipt = ${receipt}`
}

export type Prompt = Pick<Payment, 'orgId' | 'reference' | 'status' | 'amountMinor' | 'transactionId'> & {
  createdAt: Date
}

/** The live payment whose prompt showed this account reference. */
export function promptOfReference(tx: Tx, accountReference: string): Promise<Prompt | undefined> {
  return tx.maybe<Prompt>`
    select reference, org_id as "orgId", status, amount_minor as "amountMinor", transaction_id as "transactionId",
      created_at as "createdAt"
    from payments
    where rail = 'daraja' and mode = 'live' and right(reference, 12) = ${accountReference}
    order by created_at desc limit 1`
}

/** The live payment whose prompt reported this receipt. */
export function promptOfReceipt(tx: Tx, receipt: string): Promise<Prompt | undefined> {
  return tx.maybe<Prompt>`
    select p.reference, p.org_id as "orgId", p.status, p.amount_minor as "amountMinor", p.transaction_id as "transactionId",
      p.created_at as "createdAt"
    from payment_events e join payments p on p.reference = e.reference
    where e.rail = 'daraja' and e.transaction_id = ${receipt} and e.kind like 'stkCallback %'
      and p.rail = 'daraja' and p.mode = 'live' limit 1`
}

/** The settled payment that used this receipt. */
export function paymentOfTransaction(tx: Tx, transactionId: string) {
  return tx.maybe<Pick<Payment, 'orgId' | 'reference'>>`
    select reference, org_id as "orgId" from payments
    where rail = 'daraja' and mode = 'live' and transaction_id = ${transactionId} and status = 'settled' limit 1`
}

/** Stores the receipt of a settled prompt that has none. */
export async function setReceiptOfPrompt(tx: Tx, reference: string, receipt: string): Promise<void> {
  await tx.rows`
    update payments set transaction_id = ${receipt}
    where reference = ${reference} and rail = 'daraja' and status = 'settled' and transaction_id is null`
}
