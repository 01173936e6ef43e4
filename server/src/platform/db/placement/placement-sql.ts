// Statements that transactions use to find and enter the content placement of an organisation.
import { assert } from '../../../kernel/assert.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Isolation } from '../../content/content.ts'
import type { Statements } from '../pool.ts'
import type { Sql, TenantScope } from '../tx.ts'

export type IsolatedOrg = { org: OrgId; isolation: Exclude<Isolation, 'shared'> }

/** Locks the placement until the end of the transaction. Fails with CW001 when the placement is not `isolation`. */
export async function enterContent(sql: Sql, scope: TenantScope, isolation: Isolation): Promise<void> {
  await sql.rows`select content_enter(${scope}, ${isolation})`
}

/** Fails when the transaction can only be rolled back, or its connection is lost. */
export async function requireUsableTransaction(sql: Sql): Promise<void> {
  await sql.rows`select 1`
}

export async function setTenantScope(sql: Sql, scope: TenantScope): Promise<void> {
  await sql.rows`select set_config('cowrie.reach', ${scope}, true)`
}

/** As `setTenantScope`, as text that is sent with BEGIN. */
export function tenantScopeSetting(scope: TenantScope): string {
  assert(!scope.includes('\0'), 'a tenant scope has no NUL character')
  return `set local cowrie.reach = '${scope.replaceAll("'", "''")}'`
}

/** As `setTenantScope`, also on the nodes that the transaction reaches: Citus forwards only this form. */
export async function sendTenantScope(sql: Statements, scope: TenantScope): Promise<void> {
  assert(/^\w+$/.test(scope), 'a tenant scope is an id')
  await sql.unsafe(`set local cowrie.reach = '${scope}'`)
}

export async function readIsolation(sql: Sql, org: OrgId): Promise<Isolation> {
  const row = await sql.maybe<{ place: Isolation }>`select place from content_places where org_id = ${org}`
  return row?.place ?? 'shared'
}

/** Organisations that are not in the shared tables, ordered by id. */
export function listIsolatedOrgs(sql: Sql, after: string, limit: number): Promise<IsolatedOrg[]> {
  return sql.rows<IsolatedOrg>`
    select org_id as org, place as isolation from content_places where place <> 'shared' and org_id > ${after}
    order by org_id limit ${limit}`
}

/** Those of the organisations that are not in the shared tables. */
export async function filterIsolatedOrgs(sql: Sql, orgs: readonly OrgId[]): Promise<OrgId[]> {
  if (orgs.length === 0) return []
  const rows = await sql.rows<{ org: OrgId }>`
    select org_id as org from content_places where place <> 'shared' and org_id = any (${orgs})`
  return rows.map(({ org }) => org)
}
