// What stands between the schema and a distribution of its tables by organisation.
import type { Sql } from '../../server/src/platform/db/tx.ts'

export type Obstacles = {
  /** Tables without the column of the organisation. */
  readonly without: string[]
  /** Tables with it, but with a unique key that does not contain it. */
  readonly uniques: string[]
  /** Tables with it that refer to people, who belong to several organisations. */
  readonly people: string[]
}

export async function obstaclesOf(sql: Sql): Promise<Obstacles> {
  const tables = await sql.rows<{ name: string; hasOrg: boolean; hasUnique: boolean; hasPeople: boolean }>`
    with tables as (
      select c.oid, c.relname as name, (select attnum from pg_attribute a where a.attrelid = c.oid and attname = 'org_id' and not attisdropped) as org
      from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace)
    select name, org is not null as "hasOrg",
      exists (select from pg_index i where i.indrelid = tables.oid and i.indisunique and not (org = any (i.indkey::int2[]))) as "hasUnique",
      exists (select from pg_constraint k where k.conrelid = tables.oid and k.confrelid = 'users'::regclass) as "hasPeople"
    from tables order by name`
  const namesOf = (some: typeof tables) => some.map(({ name }) => name)
  return {
    without: namesOf(tables.filter(({ hasOrg }) => !hasOrg)),
    uniques: namesOf(tables.filter(({ hasOrg, hasUnique }) => hasOrg && hasUnique)),
    people: namesOf(tables.filter(({ hasOrg, hasPeople }) => hasOrg && hasPeople)),
  }
}
