// Environment variables as initial values of settings. They never replace an operator's value.
import type { Db } from '../db/tx.ts'
import { ConfigError, type Variables } from '../environment/environment.ts'
import type { Log } from '../log/log.ts'
import type { Secrets } from '../secrets.ts'
import type { Catalogue } from './catalogue.ts'
import { type Setting, type SettingValue, variableOf } from './setting.ts'
import * as sql from './sql.ts'
import { resolveValue, toStoredSetting } from './stored-value.ts'

type Seed = { readonly setting: Setting; readonly value: SettingValue }

/** Reads the variables of all settings. Throws a ConfigError that names every invalid variable, never its value. */
export function readSeeds(catalogue: Catalogue, variables: Variables): Seed[] {
  const seeds: Seed[] = []
  const problems: string[] = []
  for (const setting of catalogue.settings) {
    // An empty variable counts as unset, as everywhere in the configuration.
    const text = variables[variableOf(setting)]?.trim()
    if (!text) continue
    const parsed = readSeed(setting, text)
    if (parsed.ok) seeds.push({ setting, value: parsed.value })
    else problems.push(`${variableOf(setting)} must be ${parsed.mustBe}.`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return seeds
}

/** An unknown lane mode counts as `open`, as it does for stored values. */
function readSeed({ key, type }: Setting, text: string) {
  const parsed = type.read(type.fromText(text))
  return parsed.ok || !key.endsWith('_lane_mode') ? parsed : type.read('open')
}

/**
 * Stores seeds where no operator has set a value. A seeded row follows its
 * variable. It stays when the variable is missing, because a process without the variable may be a tool.
 */
export async function storeSeeds(db: Db, secrets: Secrets, seeds: readonly Seed[], log: Log): Promise<void> {
  const seeded = await db.tx('platform', async (tx) => {
    await sql.lockForChange(tx)
    const stored = new Map((await sql.readAll(tx)).map((row) => [row.key, row]))
    const keys: string[] = []
    for (const { setting, value } of seeds) {
      const row = stored.get(setting.key)
      const known = resolveValue(secrets, setting, row)
      if (row?.source === 'operator' || (row && known.isValid && known.value === value)) continue
      await sql.save(tx, toStoredSetting(tx, secrets, setting, value, { source: 'env' }))
      keys.push(setting.key)
    }
    for (const key of keys) tx.notify('settings', key)
    return keys
  })
  if (seeded.length > 0) log.info({ settings: seeded }, 'settings.environment.seeded')
}
