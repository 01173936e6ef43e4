// Environment variables as the first value of settings. What an operator has decided stays decided.
import type { Db } from '../db/tx.ts'
import { ConfigError, type Variables } from '../environment/environment.ts'
import type { Log } from '../log/log.ts'
import type { Secrets } from '../secrets.ts'
import type { Catalogue } from './catalogue.ts'
import { type Setting, type SettingValue, variableOf } from './setting.ts'
import * as sql from './sql.ts'
import { reseal, resolveValue, toStoredSetting } from './stored-value.ts'

type Seed = { readonly setting: Setting; readonly value: SettingValue }

/** What the variables say about settings. Throws ConfigError that name every wrong one, never its value. */
export function readSeeds(catalogue: Catalogue, variables: Variables): Seed[] {
  const seeds: Seed[] = []
  const problems: string[] = []
  for (const setting of catalogue.settings) {
    // An empty variable counts as unset, as everywhere in the configuration.
    const text = variables[variableOf(setting)]?.trim()
    if (!text) continue
    const reading = readSeed(setting, text)
    if (reading.ok) seeds.push({ setting, value: reading.value })
    else problems.push(`${variableOf(setting)} must be ${reading.mustBe}.`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return seeds
}

/** An unknown lane counts as the open one, as it does where it is stored. */
function readSeed({ key, type }: Setting, text: string) {
  const reading = type.read(type.fromText(text))
  return reading.ok || !key.endsWith('_lane_mode') ? reading : type.read('open')
}

/**
 * Stores the seeds where no operator has decided, and seals old secrets anew after a rotation. A row that came from a
 * variable follows the variable; when that is gone the row stays, because a process without it may just be a tool.
 */
export async function storeSeeds(
  db: Db,
  secrets: Secrets,
  catalogue: Catalogue,
  seeds: readonly Seed[],
  log: Log,
): Promise<void> {
  const planted = await db.tx('platform', async (tx) => {
    await sql.lockForChange(tx)
    const stored = new Map((await sql.readAll(tx)).map((row) => [row.key, row]))
    const keys: string[] = []
    for (const { setting, value } of seeds) {
      const row = stored.get(setting.key)
      const known = resolveValue(secrets, setting, row)
      if (row?.source === 'operator' || (row && known.isValid && known.value === value)) continue
      await sql.save(tx, toStoredSetting(tx, secrets, setting, value, { source: 'env' }))
      stored.delete(setting.key)
      keys.push(setting.key)
    }
    for (const row of stored.values()) {
      const setting = catalogue.find(row.key)
      const fresh = setting && reseal(secrets, setting, row)
      if (fresh) await sql.save(tx, fresh)
    }
    for (const key of keys) tx.notify('settings', key)
    return keys
  })
  if (planted.length > 0) log.info({ settings: planted }, 'settings.environment.seeded')
}
