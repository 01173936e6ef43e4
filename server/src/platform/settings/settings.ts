// Effective settings: read from memory, stored in the database, and followed by every replica within seconds.
import type { Clock } from '../../kernel/clock.ts'
import { createCacheRefresher } from '../db/cache-refresh.ts'
import type { Db, Tx } from '../db/tx.ts'
import type { Variables } from '../environment/environment.ts'
import type { Log } from '../log/log.ts'
import type { Secrets } from '../secrets.ts'
import { createCatalogue } from './catalogue.ts'
import { resetValue, type SettingUpdate, setValue } from './change.ts'
import { type Listing, listSettings } from './listing.ts'
import { readSeeds, storeSeeds } from './seed.ts'
import type { Setting, SettingGroup, SettingValue } from './setting.ts'
import * as sql from './sql.ts'
import { resolveValue } from './stored-value.ts'

export type { SettingUpdate } from './change.ts'
export type { PlatformSetting } from './listing.ts'
export type { Setting } from './setting.ts'

export type Settings = {
  /** The effective value, at most a few seconds old. While the database is unavailable, the last value that was read. */
  get<T extends SettingValue>(setting: Setting<T>): T
  find(key: string): Setting | undefined
  list(): Promise<Listing>
  /** Stores an operator's value. Throws `invalid_setting` for an invalid value. */
  set(tx: Tx, setting: Setting, value: unknown, by: { email: string }): Promise<SettingUpdate[]>
  /** Resets a key to its default, also an undeclared one. Throws `not_found` when nothing is stored. */
  reset(tx: Tx, key: string, by: { email: string }): Promise<SettingUpdate[]>
  /** Resolves when this replica has read everything that was committed before the call. Never rejects. */
  refresh(): Promise<void>
  /** The time of the last successful read. */
  readAt(): Date
  close(): void
}

const REFRESH_MS = 5_000

/**
 * Stores the seeds of the environment, reads all settings and follows changes. Throws a ConfigError for an invalid
 * variable, before anything is stored.
 */
export async function openSettings(
  db: Db,
  secrets: Secrets,
  clock: Clock,
  groups: readonly SettingGroup[],
  variables: Variables,
  log: Log,
  refreshMs = REFRESH_MS,
): Promise<Settings> {
  const catalogue = createCatalogue(groups)
  const context = { secrets, catalogue }
  await storeSeeds(db, secrets, readSeeds(catalogue, variables), log)

  let values = new Map<string, SettingValue>()
  let readAt = clock.now()
  let lastIgnored = ''
  const enforceFirst = await read()
  enforceFirst()

  const fresh = createCacheRefresher(db, { log, topic: 'settings', everyMs: refreshMs, read })

  async function read(): Promise<() => void> {
    const next = new Map<string, SettingValue>()
    const ignored: string[] = []
    for (const row of await sql.readAll(db.direct)) {
      const setting = catalogue.find(row.key)
      if (!setting) continue
      const { value, isValid } = resolveValue(secrets, setting, row)
      if (isValid) next.set(row.key, value)
      else ignored.push(row.key)
    }
    return () => enforce(next, ignored)
  }

  function enforce(next: Map<string, SettingValue>, ignored: readonly string[]): void {
    values = next
    readAt = clock.now()
    if (ignored.join() !== lastIgnored && ignored.length > 0)
      log.error({ settings: ignored }, 'settings.stored.ignored')
    lastIgnored = ignored.join()
  }

  return {
    // Every value in the map was validated by the type of its setting.
    get: <T extends SettingValue>(setting: Setting<T>) => (values.get(setting.key) ?? setting.default) as T,
    find: catalogue.find,
    list: async () => listSettings(secrets, catalogue, await sql.readAll(db.direct)),
    set: (tx, setting, value, { email }) => setValue(tx, context, setting, value, email),
    reset: (tx, key, { email }) => resetValue(tx, context, key, email),
    refresh: fresh.refresh,
    readAt: () => readAt,
    close: fresh.close,
  }
}
