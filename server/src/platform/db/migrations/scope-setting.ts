// Whether functions may set the tenant scope themselves.
import type { Statements } from '../pool.ts'

/** Only a superuser, or a role that a superuser has allowed it, can create functions that set this parameter. */
export async function maySetScope(sql: Statements): Promise<boolean> {
  const [row] = await sql.rows<{ allowed: boolean }>`
    select has_parameter_privilege('cowrie.reach', 'SET') as allowed`
  return row?.allowed === true
}

/** Elsewhere functions are created without it. `tenant_scope` gives security definer functions the same scope. */
export const withoutScopeSetting = (text: string): string =>
  text.replaceAll(" set cowrie.reach = 'platform'", '')
