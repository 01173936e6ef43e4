// Copies of the functions that move money, one for each shard of the wallets, naming the tables of the shard.
import { assert } from '../../../kernel/assert.ts'

/** The tables that the functions use, and what they are called where the organisations are distributed. */
const TABLES: Readonly<Record<string, string>> = {
  wallets: 'wallets',
  movements: 'movements',
  holds: 'holds',
  member_months: 'member_months',
  key_spend: 'key_spend',
  wallet_accruals: 'wallet_accruals',
  usage_points: 'usage_points',
  memberships: 'member_caps',
  api_keys: 'key_limits',
}
export const SHARDED_TABLES: readonly string[] = [...new Set(Object.values(TABLES))]

const FUNCTIONS = ['key_room', 'wallet_trial_free', 'wallet_apply_ops']
const NAMES = Object.keys(TABLES).join('|')
/** A table after the word that makes it one, and the next word: an alias, or a word of the statement. */
const REFERENCE = new RegExp(`\\b(from|join|into|update) (${NAMES})\\b(?=(\\s+)(\\w+)?)`, 'g')
const STATEMENT_WORDS = new Set(['where', 'set', 'values', 'select', 'on', 'order', 'group', 'for', 'limit'])

/** Up to the first statement of the function that operations call. */
const APPLY_START = /create or replace function wallet_apply_ops_.*?\nbegin\n/s

/** A shard of the wallets and the shards that are stored with it: the id of the shard by table. */
export type ShardGroup = Readonly<Record<string, string>>

/** The functions of one shard, from the file that defines them for a database without shards. */
export function shardFunctions(walletSql: string, group: ShardGroup): string {
  const suffix = idOf(group, 'wallets')
  return FUNCTIONS.map((name) => forShard(definitionOf(walletSql, name), group, suffix))
    .join('\n')
    .replace(APPLY_START, `$&  perform citus_hold_shard(${suffix});\n`)
}

/** Functions that lock or change one wallet. On its node they hold the shard in its place first. */
const HOLDING = [
  'wallet_lock',
  'wallet_low',
  'wallet_keep_low',
  'wallet_set_threshold',
  'wallet_set_topup_below',
  'wallet_take_topup_due',
]

/** The functions of one wallet that differ on its node, from the text of their files. */
export function nodeFunctions(sql: string): string {
  const held = HOLDING.map((name) =>
    definitionOf(sql, name).replace('\nbegin\n', '\nbegin\n  perform citus_hold_org(org);\n'),
  )
  // The copy beside the wallet stands in for the table of the coordinator.
  return [...held, definitionOf(sql, 'wallet_trial').replaceAll('trial_credits', 'trial_ends')].join('\n')
}

function definitionOf(text: string, name: string): string {
  const [found] = new RegExp(`create or replace function ${name}\\(.*?\\nend \\$\\$;`, 's').exec(text) ?? []
  assert(found !== undefined, `the file defines ${name}`)
  return found
}

function forShard(definition: string, group: ShardGroup, suffix: string): string {
  return definition
    .replaceAll(REFERENCE, (_, word: string, table: string, _space: string, next: string | undefined) => {
      const name = TABLES[table] as string
      const shard = `${word} ${name}_${idOf(group, name)}`
      const isAliased = next !== undefined && !STATEMENT_WORDS.has(next)
      return isAliased ? shard : `${shard} as ${table}`
    })
    .replaceAll(/\bk api_keys;/g, 'k key_limits;')
    .replaceAll(new RegExp(`\\b(${FUNCTIONS.join('|')})\\(`, 'g'), `$1_${suffix}(`)
    .replace(/\nas (?=\$\$\n)/, '\n  set citus.enable_manual_changes_to_shards = on\nas ')
}

function idOf(group: ShardGroup, table: string): string {
  const id = group[table]
  assert(id !== undefined && /^\d+$/.test(id), `${table} has a shard`)
  return id
}
