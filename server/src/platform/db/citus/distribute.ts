// Distributes the money of organisations over the nodes of a database with Citus, and keeps the functions of its shards up to date.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { once } from '../../../kernel/once.ts'
import { maySetScope, withoutScopeSetting } from '../migrations/scope-setting.ts'
import type { Pool, Statements } from '../pool.ts'
import { nodeFunctions, SHARDED_TABLES, type ShardGroup, shardFunctions } from './shard-functions.ts'

const read = (name: string) => readFileSync(new URL(`../../../../sql/${name}`, import.meta.url), 'utf8')
const readSql = once(() => ({
  distribute: read('citus/distribute.sql'),
  policies: read('citus/policies.sql'),
  functions: read('citus/functions.sql'),
  wallet: read('functions/wallet.sql'),
  others: ['wallet_low_balance', 'automatic_topup', 'wallet_trial']
    .map((name) => read(`functions/${name}.sql`))
    .join('\n'),
}))

/**
 * For each worker: a second one, so that nodes can be added. More of them would divide the batches of operations, and a statement on a
 * shard costs as much as ten operations.
 */
const SHARDS_PER_WORKER = 2
const FUNCTIONS_NAME = 'citus'

type UnderLock = <T>(work: (tx: Statements) => Promise<T>) => Promise<T>

/** Whether wallets are distributed. They are when the database has Citus with at least one worker. */
export async function distribute(sql: Pool, underLock: UnderLock): Promise<boolean> {
  const workers = await countWorkers(sql)
  if (workers === 0) return false
  if (!(await isDistributed(sql))) {
    await underLock(async (tx) => {
      if (await isDistributed(tx)) return
      await tx.unsafe(readSql().policies)
      await tx.rows`select set_config('cowrie.shards', ${String(workers * SHARDS_PER_WORKER)}, true)`
      await tx.unsafe(readSql().distribute)
    })
  }
  if (await hasRowsOfBefore(sql)) await underLock(removeRowsOfBefore)
  if (await hasPoliciesToChange(sql)) await underLock((tx) => tx.unsafe('call citus_simplify_policies()'))
  if (!(await hasFunctions(sql))) await underLock(createFunctions)
  return true
}

/** Nodes of Citus beside the coordinator; 0 without Citus. */
export async function countWorkers(sql: Statements): Promise<number> {
  const [citus] = await sql.rows<{ found: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as found`
  if (!citus?.found) return 0
  const [workers] = await sql.rows<{ count: number }>`
    select count(*)::int as count from pg_dist_node where noderole = 'primary' and groupid <> 0`
  return workers?.count ?? 0
}

async function isDistributed(sql: Statements): Promise<boolean> {
  const [row] = await sql.rows<{ found: boolean }>`
    select exists (select from pg_dist_partition where logicalrelid = 'public.wallets'::regclass) as found`
  return row?.found === true
}

/** Whether tables of the coordinator still have the rows that were copied to the nodes. */
async function hasRowsOfBefore(sql: Statements): Promise<boolean> {
  const [row] = await sql.rows<{ found: boolean }>`
    select coalesce(sum(pg_relation_size(logicalrelid)), 0) > 0 as found from pg_dist_partition
    where partmethod = 'h' and logicalrelid::text = any (${[...SHARDED_TABLES]}::text[])`
  return row?.found === true
}

/** The division has counted the copied rows and committed. Citus removes only those that are not on a node. */
async function removeRowsOfBefore(tx: Statements): Promise<void> {
  await tx.unsafe(`set local citus.enable_unsafe_triggers = on`)
  // Postings refuse to be removed.
  await tx.unsafe('alter table movements disable trigger no_truncate')
  for (const table of SHARDED_TABLES)
    await tx.rows`select truncate_local_data_after_distributing_table(${table}::regclass)`
  await tx.unsafe('alter table movements enable trigger no_truncate')
}

/** Tables that a migration has created since. */
async function hasPoliciesToChange(sql: Statements): Promise<boolean> {
  const [row] = await sql.rows<{ found: boolean }>`
    select exists (select from pg_policies where schemaname = 'public' and concat(qual, with_check) like '%( SELECT %') as found`
  return row?.found === true
}

/** Functions that the others call on the nodes. Citus copies only functions that are newer than it. */
const SHARED_FUNCTIONS = [
  'movement_hash(bytea, movements)',
  'wallet_trial_free(wallets)',
  'key_period_start(text, date)',
]

const checksum = once(() => {
  const { functions, wallet, others } = readSql()
  const anyGroup = Object.fromEntries(SHARDED_TABLES.map((table, n) => [table, String(n)]))
  const made = [
    SHARED_FUNCTIONS.join(),
    shardFunctions(wallet + others, anyGroup),
    nodeFunctions(wallet + others),
    functions,
  ]
  return createHash('sha256').update(made.join('\n')).digest('hex')
})

/** False also after an operator has split a shard. */
async function hasFunctions(sql: Statements): Promise<boolean> {
  const [row] = await sql.rows<{ found: boolean }>`
    select exists (select from sql_functions where name = ${FUNCTIONS_NAME} and checksum = ${checksum()})
       and not exists (select from pg_dist_shard where logicalrelid = 'public.wallets'::regclass
                       and to_regproc('public.wallet_apply_ops_' || shardid) is null) as found`
  return row?.found === true
}

/** Call it in the transaction that has replaced functions of wallets: their forms on the nodes were replaced too. */
export async function updateFunctions(tx: Statements): Promise<void> {
  if ((await countWorkers(tx)) > 0 && (await isDistributed(tx))) await createFunctions(tx, true)
}

/** Citus creates the functions on all nodes. */
async function createFunctions(tx: Statements, again = false): Promise<void> {
  if (!again && (await hasFunctions(tx))) return
  const { functions, wallet, others } = readSql()
  await tx.unsafe(`set local citus.multi_shard_modify_mode = 'sequential'`)
  await tx.rows`select create_distributed_function(each::regprocedure) from unnest(${SHARED_FUNCTIONS}::text[]) each`
  const texts = [
    ...(await shardGroups(tx)).map((group) => shardFunctions(wallet + others, group)),
    nodeFunctions(wallet + others),
    functions,
  ]
  const allowed = await maySetScope(tx)
  for (const text of texts) await tx.unsafe(allowed ? text : withoutScopeSetting(text))
  await tx.rows`insert into sql_functions (name, checksum) values (${FUNCTIONS_NAME}, ${checksum()}) on conflict do nothing`
}

/** The shards of all tables that hold the same organisations. */
async function shardGroups(tx: Statements): Promise<ShardGroup[]> {
  const rows = await tx.rows<{ table: string; id: string; place: number }>`
    select logicalrelid::text as "table", shardid::text as id,
           row_number() over (partition by logicalrelid order by shardminvalue::int)::int as place
    from pg_dist_shard where logicalrelid::text = any (${[...SHARDED_TABLES]}::text[])`
  const groups = Map.groupBy(rows, ({ place }) => place)
  return [...groups.values()].map((group) => Object.fromEntries(group.map(({ table, id }) => [table, id])))
}
