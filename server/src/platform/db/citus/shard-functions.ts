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
  trial_credits: 'trial_ends',
}
export const SHARDED_TABLES: readonly string[] = [...new Set(Object.values(TABLES))]

/** Those that read and write. They keep the shard in its place. */
const CHANGING = ['wallet_apply_ops']
/** Those that read outside a transaction. A shard that has moved away is refused. */
const READING = ['wallet_balances']
const FUNCTIONS = [
  'key_room',
  'wallet_trial_free',
  'wallet_trial',
  'wallet_trial_of_postings',
  'wallet_topups_due',
  ...CHANGING,
  ...READING,
]
const NAMES = Object.keys(TABLES).join('|')
/** A table after the word that makes it one, and the next word: an alias, or a word of the statement. */
const REFERENCE = new RegExp(`\\b(from|join|into|update) (${NAMES})\\b(?=\\s*(\\w+)?)`, 'g')
const STATEMENT_WORDS = new Set([
  ...['where', 'set', 'values', 'select', 'on', 'order', 'group', 'for', 'limit', 'union'],
  ...['join', 'full', 'left', 'cross', 'inner', 'using'],
])
const CALL = new RegExp(`\\b(${FUNCTIONS.join('|')})\\(`, 'g')

/** A shard of the wallets and the shards that are stored with it: the id of the shard by table. */
export type ShardGroup = Readonly<Record<string, string>>

/** The functions of one shard, from the files that define them for a database without shards. */
export function shardFunctions(sql: string, group: ShardGroup): string {
  const shard = idOf(group, 'wallets')
  return FUNCTIONS.map((name) => {
    const made = onShard(definitionOf(sql, name), group)
      .replaceAll(/\bk api_keys;/g, 'k key_limits;')
      .replace(/\nas (?=\$\$\n)/, '\n  set citus.enable_manual_changes_to_shards = on\nas ')
    if (CHANGING.includes(name)) return startingWith(`citus_hold_shard(${shard})`, made)
    return READING.includes(name) ? startingWith(`citus_require_shard(${shard})`, made) : made
  }).join('\n')
}

const startingWith = (call: string, definition: string): string =>
  definition.replace('\nbegin\n', `\nbegin\n  perform ${call};\n`)

/** A text that names the tables and functions of a shard. */
export function onShard(text: string, group: ShardGroup): string {
  return text
    .replaceAll(REFERENCE, (_, word: string, table: string, next: string | undefined) => {
      const name = TABLES[table] as string
      const shard = `${word} ${name}_${idOf(group, name)}`
      const isAliased = next !== undefined && !STATEMENT_WORDS.has(next)
      return isAliased ? shard : `${shard} as ${table}`
    })
    .replaceAll(CALL, `$1_${idOf(group, 'wallets')}(`)
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
  const held = HOLDING.map((name) => startingWith('citus_hold_org(org)', definitionOf(sql, name)))
  // The copy beside the wallet stands in for the table of the coordinator.
  return [...held, definitionOf(sql, 'wallet_trial').replaceAll('trial_credits', 'trial_ends')].join('\n')
}

function definitionOf(text: string, name: string): string {
  const [found] = new RegExp(`create or replace function ${name}\\(.*?\\nend \\$\\$;`, 's').exec(text) ?? []
  assert(found !== undefined, `the file defines ${name}`)
  return found
}

function idOf(group: ShardGroup, table: string): string {
  const id = group[table]
  assert(id !== undefined && /^\d+$/.test(id), `${table} has a shard`)
  return id
}
