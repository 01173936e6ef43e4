// Prepares the target before a move starts: a schema with its role or a dedicated database, and the tables in it.
import type { OrgId } from '../../kernel/ids.ts'
import { applyContentMigrations } from '../db/migrations/content-migrations.ts'
import { MIGRATION_LOCK } from '../db/migrations/migrate.ts'
import { readContentMigrations } from '../db/migrations/sql-files.ts'
import type { Isolation } from './content.ts'
import type { ContentContext } from './context.ts'
import { createSchema } from './move/move-sql.ts'
import { readPlacement } from './sql.ts'

export type PreparedTarget = {
  /** The only role with access to the schema. */
  readonly roleName: string | null
  /** The URL of a dedicated database; null for a schema of the shared database. */
  readonly url: string | null
}

/** Idempotent: completes an interrupted preparation. */
export async function prepareTarget(
  context: ContentContext,
  org: OrgId,
  to: Exclude<Isolation, 'shared'>,
): Promise<PreparedTarget> {
  if (to === 'dedicated') {
    // A database that already has the content is never created again: it would be empty.
    const isPlacedThere = (await readPlacement(context.direct, org))?.place === 'dedicated'
    const { url } = await (isPlacedThere ? context.dedicated(org) : context.dedicated.create(org))
    return { roleName: null, url }
  }
  const roleName = await createSchema(context.owner, MIGRATION_LOCK, org)
  await applyContentMigrations(context.owner, MIGRATION_LOCK, readContentMigrations(), org)
  return { roleName, url: null }
}
