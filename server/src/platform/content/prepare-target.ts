// A place is made ready before anybody decides to go there: a schema with its role, or a database, and the tables in it.
import type { OrgId } from '../../kernel/ids.ts'
import { applyContentMigrations } from '../db/migrations/content-migrations.ts'
import { MIGRATION_LOCK } from '../db/migrations/migrate.ts'
import { readContentMigrations } from '../db/migrations/sql-files.ts'
import type { Isolation } from './content.ts'
import type { ContentContext } from './context.ts'
import { createSchema } from './move/move-sql.ts'
import { readPlacement } from './sql.ts'

export type PreparedTarget = {
  /** The role that alone may look into the schema. */
  readonly roleName: string | null
  /** Where the database is; null for a schema of the shared one. */
  readonly url: string | null
}

/** What an earlier try left unfinished is finished; what is ready stays as it is. */
export async function prepareTarget(
  context: ContentContext,
  org: OrgId,
  to: Exclude<Isolation, 'shared'>,
): Promise<PreparedTarget> {
  if (to === 'dedicated') {
    // Where content is already, nothing may be made: it would be empty.
    const isHome = (await readPlacement(context.direct, org))?.place === 'dedicated'
    const { url } = await (isHome ? context.dedicated(org) : context.dedicated.make(org))
    return { roleName: null, url }
  }
  const roleName = await createSchema(context.owner, MIGRATION_LOCK, org)
  await applyContentMigrations(context.owner, MIGRATION_LOCK, await readContentMigrations(), org)
  return { roleName, url: null }
}
