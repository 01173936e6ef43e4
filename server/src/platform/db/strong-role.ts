// The second wall stands only if the role we work as cannot step around it.
import type { Sql } from './tx.ts'

/** In production a role that is above row-level security is refused; elsewhere it is warned about. */
export async function refuseStrongRole(
  sql: Sql,
  refuse: boolean,
  warn: (message: string) => void,
): Promise<void> {
  const { strong } = await sql.one<{ strong: boolean }>`
    select rolsuper or rolbypassrls as strong from pg_roles where rolname = current_user`
  if (!strong) return
  const problem =
    'The role of DATABASE_URL is a superuser or bypasses row-level security; use a plain role that may create roles.'
  if (refuse) throw new Error(problem)
  warn(problem)
}
