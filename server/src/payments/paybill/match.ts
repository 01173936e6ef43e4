// Decides which organisation a payment at the paybill belongs to, by the account number that the payer typed.
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg, type Org, shareOrg } from '../../orgs/orgs.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { channelByName, rangeOf } from '../channels.ts'
import { parseAccountCode } from './account-code.ts'
import { orgOfAccountCode, type Prompt, promptOfReference, type Receipt } from './sql.ts'

export type PaybillFacts = Pick<Receipt, 'shortcode' | 'accountText' | 'amountMinor'>
/** `code`: why M-Pesa must refuse the payment. `reason`: for staff. */
export type Mismatch = { readonly code: RefusalCode; readonly reason: string }
export type RefusalCode = 'C2B00012' | 'C2B00013' | 'C2B00015'

/** The organisation that is credited. Its currency and closure do not change until the transaction ends. */
export async function matchOrg(
  tx: Tx,
  { shortcode, accountText, amountMinor }: PaybillFacts,
  paybill: string,
): Promise<{ readonly orgId: OrgId } | Mismatch> {
  if (shortcode !== paybill)
    return { code: 'C2B00015', reason: 'It was paid to another shortcode than the configured one.' }
  const code = parseAccountCode(accountText)
  const orgId = code === null ? null : await orgOfAccountCode(tx, code)
  if (orgId === null) return { code: 'C2B00012', reason: 'No organisation has this account number.' }
  await shareOrg(tx, orgId)
  const problem = orgProblem(await findOrg(tx, orgId))
  if (problem !== null) return { code: 'C2B00012', reason: `${problem} (${orgId})` }
  const amount = amountProblem(amountMinor)
  return amount === null ? { orgId } : { code: 'C2B00013', reason: amount }
}

/** Why no payment at the paybill is credited to it without staff. */
function orgProblem(org: Org | undefined): string | null {
  if (!org || org.closed) return 'The organisation with this account number is closed.'
  if (org.suspended) return 'The organisation with this account number is suspended.'
  return org.currency === 'KES' ? null : `The wallet is in ${org.currency}; KES was paid.`
}

function amountProblem(amountMinor: bigint | null): string | null {
  const range = rangeOf(channelByName('mpesa'), 'KES')
  if (amountMinor === null || !range) return 'The amount cannot be read.'
  if (amountMinor % range.stepMinor !== 0n) return 'The amount has cents.'
  return amountMinor < range.minMinor || amountMinor > range.maxMinor
    ? 'The amount is outside the limits of M-Pesa.'
    : null
}

const ACCOUNT_REFERENCE = /^[a-z0-9]{12}$/

/** The prompt whose account reference this is. M-Pesa reports prompts in the same way as payments by hand. */
export async function findPrompt(tx: Tx, accountText: string): Promise<Prompt | undefined> {
  const reference = accountText.trim().toLowerCase()
  return ACCOUNT_REFERENCE.test(reference) ? promptOfReference(tx, reference) : undefined
}
