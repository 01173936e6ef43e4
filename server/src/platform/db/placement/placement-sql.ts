// Where the content of organisations is, as transactions need to know it.
import type { OrgId } from '../../../kernel/ids.ts'
import type { Isolation } from '../../content/content.ts'
import type { Sql, TenantScope } from '../tx.ts'

export type IsolatedOrg = { org: OrgId; isolation: Exclude<Isolation, 'shared'> }

/** From here on content stays where it is until the transaction ends. Fails with CW001 where it is not as believed. */
export async function enterContent(sql: Sql, reach: TenantScope, believed: Isolation): Promise<void> {
  await sql.rows`select content_enter(${reach}, ${believed})`
}

/** Fails where the transaction can only be rolled back, or is lost. */
export async function requireUsableTransaction(sql: Sql): Promise<void> {
  await sql.rows`select 1`
}

export async function setTenantScope(sql: Sql, reach: TenantScope): Promise<void> {
  await sql.rows`select set_config('cowrie.reach', ${reach}, true)`
}

export async function readIsolation(sql: Sql, org: OrgId): Promise<Isolation> {
  const row = await sql.maybe<{ place: Isolation }>`select place from content_places where org_id = ${org}`
  return row?.place ?? 'shared'
}

/** Organisations that do not share, in the order of their ids. */
export function listIsolatedOrgs(sql: Sql, after: string, most: number): Promise<IsolatedOrg[]> {
  return sql.rows<IsolatedOrg>`
    select org_id as org, place as isolation from content_places where place <> 'shared' and org_id > ${after}
    order by org_id limit ${most}`
}

/** Which of these do not share. */
export async function filterIsolatedOrgs(sql: Sql, orgs: readonly OrgId[]): Promise<OrgId[]> {
  if (orgs.length === 0) return []
  const rows = await sql.rows<{ org: OrgId }>`
    select org_id as org from content_places where place <> 'shared' and org_id = any (${orgs})`
  return rows.map(({ org }) => org)
}
