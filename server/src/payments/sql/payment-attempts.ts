// Statements on the payment_attempts table: the accounts that were asked to collect a payment.
import type { Tx } from '../../platform/db/tx.ts'
import type { RailName } from '../channels.ts'
import type { Payment } from './payments.ts'

export const ATTEMPT_OUTCOMES = [
  'started',
  'accepted',
  'refused',
  'rejected',
  'unsent',
  'known',
  'unknown',
] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

export type Attempt = {
  reference: string
  position: number
  rail: RailName
  account: string
  mode: 'live' | 'mock'
  outcome: AttemptOutcome
  providerRef: string | null
}

const ELSEWHERE_MAX = 10
const REPEATS_MAX = 20

export type AttemptAccount = Pick<Attempt, 'rail' | 'account' | 'mode'>
type Attempted = Pick<Payment, 'reference' | 'orgId' | 'channel' | 'currency'>

/**
 * Stores an attempt before its call. A repeated attempt at one account keeps its row: if the provider may have the payment from
 * the first call, a refusal of the second does not change that.
 */
export async function beginAttempt(
  tx: Tx,
  { reference, orgId, channel, currency }: Attempted,
  { rail, account, mode }: AttemptAccount,
): Promise<void> {
  await tx.rows`
    insert into payment_attempts as a (reference, org_id, position, channel, currency, rail, account, mode, started_at)
    select ${reference}, ${orgId}, coalesce(max(position), 0) + 1, ${channel}, ${currency}, ${rail}, ${account}, ${mode}, ${tx.now}
    from payment_attempts where reference = ${reference}
    on conflict (reference, rail, account) do update set
      outcome = case when a.outcome in ('refused', 'rejected', 'unsent') then 'started' else 'unknown' end, ended_at = null`
}

export async function endAttempt(
  tx: Tx,
  reference: string,
  { rail, account }: Pick<Attempt, 'rail' | 'account'>,
  { outcome, providerRef, detail }: Pick<Attempt, 'outcome' | 'providerRef'> & { detail: string | null },
): Promise<void> {
  await tx.rows`
    update payment_attempts
    set outcome = case when outcome = 'unknown' and ${outcome}::text in ('refused', 'rejected', 'unsent') then outcome
                       else ${outcome} end,
        provider_ref = coalesce(${providerRef}, provider_ref), detail = ${detail}, ended_at = ${tx.now}
    where reference = ${reference} and rail = ${rail} and account = ${account}`
}

/** The attempts at other accounts that may have the payment, and all attempts at the rail that named it. */
export function attemptsElsewhere(
  tx: Tx,
  { reference, rail, account, mode }: Pick<Payment, 'reference' | 'rail' | 'account' | 'mode'>,
  namedRail: string | null,
): Promise<Attempt[]> {
  return tx.rows<Attempt>`
    select reference, position, rail, account, mode, outcome, provider_ref as "providerRef"
    from payment_attempts
    where reference = ${reference} and mode = ${mode} and (rail <> ${rail} or account <> coalesce(${account}, account))
      and (outcome not in ('refused', 'rejected', 'unsent') or rail = ${namedRail})
    order by position limit ${ELSEWHERE_MAX}`
}

export type Repeat = Pick<Payment, 'reference' | 'rail' | 'account' | 'status' | 'transactionId'>

/** The repeats of a payment, the newest first. Found among the later payments of its organisation, which have an index. */
export function repeatsOf(
  tx: Tx,
  { reference, orgId, createdAt }: Pick<Payment, 'reference' | 'orgId' | 'createdAt'>,
): Promise<Repeat[]> {
  return tx.rows<Repeat>`
    select reference, rail, account, status, transaction_id as "transactionId"
    from payments where org_id = ${orgId} and created_at >= ${createdAt} and repeat_of = ${reference}
    order by created_at desc, reference limit ${REPEATS_MAX}`
}

/** Whether an account other than that of the payment may have it. */
export async function mayBeElsewhere(
  tx: Tx,
  { reference, rail, account, mode }: Pick<Payment, 'reference' | 'rail' | 'account' | 'mode'>,
): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from payment_attempts
    where reference = ${reference} and mode = ${mode} and (rail <> ${rail} or account <> coalesce(${account}, account))
      and outcome not in ('refused', 'rejected', 'unsent')
    limit 1`
  return found !== undefined
}

/** Whether any account may have the payment. */
export async function mayBeAnywhere(tx: Tx, reference: string): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from payment_attempts
    where reference = ${reference} and outcome not in ('refused', 'rejected', 'unsent') limit 1`
  return found !== undefined
}

/** Makes an account that of an open payment without instructions. False: the payment is decided, or its payer has instructions. */
export async function chooseAccount(
  tx: Tx,
  reference: string,
  { rail, account, mode }: AttemptAccount,
): Promise<boolean> {
  await keepProviderRef(tx, reference)
  const chosen = await tx.maybe`
    update payments set rail = ${rail}, account = ${mode === 'mock' ? null : account}, provider_ref = (
      select provider_ref from payment_attempts
      where reference = ${reference} and rail = ${rail} and account = ${account})
    where reference = ${reference} and status = 'pending' and hand_off is null
    returning reference`
  return chosen !== undefined
}

/** The payment is paid at this account: it becomes that of the payment. The payment must be locked. */
export async function moveToAccount(
  tx: Tx,
  reference: string,
  { rail, account, providerRef }: Pick<Attempt, 'rail' | 'account' | 'providerRef'>,
): Promise<void> {
  await keepProviderRef(tx, reference)
  await tx.rows`
    update payments set rail = ${rail}, account = ${account}, provider_ref = ${providerRef} where reference = ${reference}`
}

/** A webhook can name the provider's id before the attempt ends. */
async function keepProviderRef(tx: Tx, reference: string): Promise<void> {
  await tx.rows`
    update payment_attempts a set provider_ref = p.provider_ref
    from payments p
    where p.reference = ${reference} and a.reference = p.reference and p.provider_ref is not null
      and a.provider_ref is null and a.rail = p.rail and a.account = p.account`
}

/** Stores the id in a webhook as that of an attempt. False: it belongs to another payment. */
export async function claimAttemptRef(
  tx: Tx,
  { reference, rail, account, mode }: Attempt,
  providerRef: string,
): Promise<boolean> {
  await tx.lock(`name of payment ${rail} ${mode} ${providerRef}`)
  const claimed = await tx.maybe`
    update payment_attempts set provider_ref = ${providerRef}
    where reference = ${reference} and rail = ${rail} and account = ${account} and provider_ref is null
      and not exists (select 1 from payments p where p.rail = ${rail} and p.mode = ${mode}
                      and p.provider_ref = ${providerRef} and p.reference <> ${reference})
      and not exists (select 1 from payment_attempts o where o.rail = ${rail} and o.mode = ${mode}
                      and o.provider_ref = ${providerRef} and o.reference <> ${reference})
    returning reference`
  return claimed !== undefined
}

export type ListedAttempt = Omit<Attempt, 'reference' | 'mode'> & {
  detail: string | null
  startedAt: Date
  endedAt: Date | null
}

/** For staff. */
export function listAttempts(tx: Tx, reference: string): Promise<ListedAttempt[]> {
  return tx.rows<ListedAttempt>`
    select position, rail, account, outcome, provider_ref as "providerRef", detail, started_at as "startedAt",
           ended_at as "endedAt"
    from payment_attempts where reference = ${reference} order by position`
}
