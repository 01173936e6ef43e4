import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeFunctions, onShard, SHARDED_TABLES, shardFunctions } from './shard-functions.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../../../sql/functions/${name}`, import.meta.url), 'utf8')
const group = Object.fromEntries(SHARDED_TABLES.map((table, n) => [table, String(100 + n)]))
const files = ['wallet', 'wallet_low_balance', 'automatic_topup', 'wallet_trial']
const all = files.map((name) => read(`${name}.sql`)).join('\n')
const made = shardFunctions(all, group)

describe('the functions of a shard', () => {
  test('name no table that is distributed, and no table of the coordinator', () => {
    const code = made.replaceAll(/--.*$/gm, '')
    const named = [...code.matchAll(/\b(?:from|join|into|update) (?:only )?([a-z_]+[0-9]*)\b/g)].map(
      ([, name]) => name,
    )
    const tables = [
      'wallets',
      'movements',
      'holds',
      'memberships',
      'api_keys',
      'trial_credits',
      ...SHARDED_TABLES,
    ]
    expect(named.filter((name) => tables.includes(name ?? ''))).toEqual([])
    for (const id of Object.values(group)) expect(made).toContain(`_${id}`)
  })

  test('call each other, and hold the shard before anything else', () => {
    const suffix = group.wallets
    for (const name of ['key_room', 'wallet_trial_free', 'wallet_apply_ops']) {
      expect(made).toContain(`create or replace function ${name}_${suffix}(`)
      expect(made).not.toMatch(new RegExp(`\\b${name}\\(`))
    }
    const body = made.slice(made.indexOf(`wallet_apply_ops_${suffix}`))
    expect(/\nbegin\n\s*(.*)\n/.exec(body)?.[1]).toBe(`perform citus_hold_shard(${suffix});`)
  })

  test('keep the columns and constraints of the tables: an alias has the name of the table', () => {
    expect(made).toMatch(/update wallets_\d+ as wallets |update wallets_\d+ \w+ set/)
    expect(made).not.toMatch(/from \w+_\d+ as (?:where|set|order|for)\b/)
  })

  test('are refused for a group without a shard of each table', () => {
    const { holds: _, ...rest } = group
    expect(() => shardFunctions(all, rest)).toThrow('holds has a shard')
  })
})

test('the functions of one wallet hold its shard, and read trial credit beside it', () => {
  const found = nodeFunctions(all)
  expect(found).toContain('from trial_ends t')
  expect(found).not.toContain('trial_credits')
  expect(found.match(/begin\n {2}perform citus_hold_org\(org\);/g)).toHaveLength(6)
})

test('a statement on a shard names its tables and functions, wherever they stand', () => {
  const { wallets, movements } = group
  expect(onShard('select 1 from (select org_id from movements) m', group)).toContain(
    `from movements_${movements} as movements) m`,
  )
  expect(onShard('select 1 from wallets\n  union all select 2', group)).toContain(
    `from wallets_${wallets} as wallets\n  union all`,
  )
  expect(onShard('select 1 from wallets w full join holds h on true, wallet_trial(w.org_id)', group)).toBe(
    `select 1 from wallets_${wallets} w full join holds_${group.holds} h on true, wallet_trial_${wallets}(w.org_id)`,
  )
})
