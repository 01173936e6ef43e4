// Tables of the benchmarks, and statements on tables of the service.
import type { Id } from '../src/kernel/ids.ts'
import type { Sql, Tx } from '../src/platform/db/tx.ts'

export async function createTables(owner: Sql): Promise<void> {
  await owner.rows`
    create table if not exists bench_effects (
      id text primary key, org_id text not null, minor bigint not null, created_at timestamptz not null)`
  await owner.rows`
    create table if not exists bench_outcomes (id text primary key, body text not null, created_at timestamptz not null)`
  await owner.rows`call enable_tenant_rls('bench_effects')`
}

export async function insertEffect(tx: Tx, id: string, org: string, minor: bigint): Promise<void> {
  await tx.rows`
    insert into bench_effects (id, org_id, minor, created_at) values (${id}, ${org}, ${minor}, ${tx.now})`
}

export type NewKey = { id: Id<'key'>; orgId: string; userId: string; prefix: string; hash: Uint8Array }

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx.rows`
    insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, created_at)
    values (${key.id}, ${key.orgId}, ${key.userId}, 'bench', ${key.prefix}, ${key.hash}, ${['*']}::text[], ${tx.now})`
}

export async function orgIds(db: Sql): Promise<string[]> {
  return (await db.rows<{ id: string }>`select id from orgs where id not like 'org_bench%' order by id`).map(
    ({ id }) => id,
  )
}

/** Moves a user into an organisation. The development bearer token uses the user's oldest membership. */
export async function addMember(owner: Sql, orgId: string, userId: string, at: Date): Promise<void> {
  await owner.rows`delete from memberships where user_id = ${userId}`
  await owner.rows`
    insert into memberships (org_id, user_id, role, created_at) values (${orgId}, ${userId}, 'member', ${at})`
}
