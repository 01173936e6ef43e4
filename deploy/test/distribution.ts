// Finds the parts of the schema that prevent distribution of the tables by organisation.
import type { Sql } from '../../server/src/platform/db/tx.ts'

export type Obstacles = {
  /** Tables without `org_id`. */
  readonly withoutOrg: string[]
  /** Tables with `org_id` and a unique key that does not contain it. */
  readonly globalKeys: string[]
  /** Tables with `org_id` that reference users, who belong to several organisations. */
  readonly userReferences: string[]
}

export async function findObstacles(sql: Sql): Promise<Obstacles> {
  const tables = await sql.rows<{ name: string; hasOrg: boolean; hasUnique: boolean; hasUser: boolean }>`
    with tables as (
      select c.oid, c.relname as name, (select attnum from pg_attribute a where a.attrelid = c.oid and attname = 'org_id' and not attisdropped) as org
      from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace)
    select name, org is not null as "hasOrg",
      exists (select from pg_index i where i.indrelid = tables.oid and i.indisunique and not (org = any (i.indkey::int2[]))) as "hasUnique",
      exists (select from pg_constraint k where k.conrelid = tables.oid and k.confrelid = 'users'::regclass) as "hasUser"
    from tables order by name`
  const namesOf = (some: typeof tables) => some.map(({ name }) => name)
  return {
    withoutOrg: namesOf(tables.filter(({ hasOrg }) => !hasOrg)),
    globalKeys: namesOf(tables.filter(({ hasOrg, hasUnique }) => hasOrg && hasUnique)),
    userReferences: namesOf(tables.filter(({ hasOrg, hasUser }) => hasOrg && hasUser)),
  }
}
