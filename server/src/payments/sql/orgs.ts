// What payments read of organisations and staff.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** The currency of the wallet, locked until the transaction ends. */
export async function lockCurrency(tx: Tx, org: OrgId): Promise<string> {
  const { currency } = await tx.one<{ currency: string }>`
    select currency from orgs where id = ${org} for share`
  return currency
}

export async function isOrgClosed(tx: Tx, org: OrgId): Promise<boolean> {
  const { closed } = await tx.one<{ closed: boolean }>`
    select closed_at is not null as closed from orgs where id = ${org}`
  return closed
}

/** False where the organisation is closed or does not exist. */
export async function isOpenOrg(tx: Tx, id: OrgId): Promise<boolean> {
  return (await tx.maybe`select 1 as found from orgs where id = ${id} and closed_at is null`) !== undefined
}

/** Email addresses of the staff that handle payments, longest-serving first. */
export async function paymentStaffEmails(tx: Tx, most: number): Promise<string[]> {
  const rows = await tx.rows<{ email: string }>`
    select u.email from staff s join users u on u.id = s.user_id
    where s.role in ('billing', 'operator', 'super_admin') order by s.created_at, s.user_id limit ${most}`
  return rows.map(({ email }) => email)
}
