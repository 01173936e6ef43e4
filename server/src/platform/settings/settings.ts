// Settings in force: read from memory, changed in the database, followed by every replica within seconds.
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
  /** The effective value. At most a few seconds behind the database; while that is away, the last that was read. */
  get<T extends SettingValue>(setting: Setting<T>): T
  find(key: string): Setting | undefined
  list(): Promise<Listing>
  /** Stores an operator's value. Refuses with `invalid_setting` what the catalogue does not allow. */
  set(tx: Tx, setting: Setting, value: unknown, by: { email: string }): Promise<SettingUpdate[]>
  /** Returns a key to its default, also one that is no longer declared. Refuses with `not_found` when nothing is stored. */
  reset(tx: Tx, key: string, by: { email: string }): Promise<SettingUpdate[]>
  /** Resolves when this replica has read what was committed before the call. Never rejects. */
  refresh(): Promise<void>
  /** When the database was last read with success. */
  readAt(): Date
  close(): void
}

const REFRESH_MS = 5_000

/**
 * Seeds what the environment says, reads everything once and follows from then on. Throws ConfigError when a variable
 * does not fit its setting, before anything is stored.
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
  const deciding = { secrets, catalogue }
  await storeSeeds(db, secrets, catalogue, readSeeds(catalogue, variables), log)

  let values = new Map<string, SettingValue>()
  let readAt = clock.now()
  let passedOver = ''
  const enforceFirst = await read()
  enforceFirst()

  const fresh = createCacheRefresher(db, { log, topic: 'settings', everyMs: refreshMs, read })

  async function read(): Promise<() => void> {
    const next = new Map<string, SettingValue>()
    const ignored: string[] = []
    for (const row of await sql.readAll(db.direct)) {
      const setting = catalogue.find(row.key)
      if (!setting) continue
      const { value, isValid: understood } = resolveValue(secrets, setting, row)
      if (understood) next.set(row.key, value)
      else ignored.push(row.key)
    }
    return () => enforce(next, ignored)
  }

  function enforce(next: Map<string, SettingValue>, ignored: readonly string[]): void {
    values = next
    readAt = clock.now()
    if (ignored.join() !== passedOver && ignored.length > 0)
      log.error({ settings: ignored }, 'settings.stored.ignored')
    passedOver = ignored.join()
  }

  return {
    // Only values that the type of this very setting has read are kept under its key.
    get: <T extends SettingValue>(setting: Setting<T>) => (values.get(setting.key) ?? setting.default) as T,
    find: catalogue.find,
    list: async () => listSettings(secrets, catalogue, await sql.readAll(db.direct)),
    set: (tx, setting, value, { email }) => setValue(tx, deciding, setting, value, email),
    reset: (tx, key, { email }) => resetValue(tx, deciding, key, email),
    refresh: fresh.refresh,
    readAt: () => readAt,
    close: fresh.close,
  }
}
