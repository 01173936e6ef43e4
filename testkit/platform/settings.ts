// A group with settings of every kind, and a database for each test file that uses it.

import type { Db } from '@cowrie/server/src/platform/db/tx.ts'
import { createLog } from '@cowrie/server/src/platform/log/log.ts'
import { createSecrets, type Secrets } from '@cowrie/server/src/platform/secrets.ts'
import {
  count,
  flag,
  oneOf,
  type Setting,
  secret,
  settings,
  text,
  url,
} from '@cowrie/server/src/platform/settings/setting.ts'
import { openSettings, type Settings } from '@cowrie/server/src/platform/settings/settings.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openTestDb, type TestDb } from '../harness/harness.ts'

export const group = settings(
  'demo',
  { label: 'Demo', blurb: 'For these tests.' },
  {
    steps: { label: 'Steps', description: 'How many.', type: count({ min: 1, max: 9 }), default: 3 },
    ready: { label: 'Ready', description: 'Whether.', type: flag(), default: false },
    demo_lane_mode: {
      label: 'Lanes',
      description: 'Which.',
      type: oneOf({ open: { label: 'Open', note: '' }, frontier: { label: 'Frontier', note: '' } }),
      default: 'open',
    },
    model: { label: 'Model', description: 'Name.', type: text(), default: '' },
    address: { label: 'Address', description: 'Where.', type: url(), default: '', restricted: true },
    api_key: {
      label: 'Key',
      description: 'Hidden.',
      type: secret({ sentTo: 'address' }),
      default: '',
      restricted: true,
    },
    second_key: { label: 'Key', description: 'Hidden.', type: secret({ sentTo: 'model' }), default: '' },
  },
)
export const SECRET = 'a secret of thirty-two bytes or more'
export const ops = { email: 'ops@example.com' }
export const CANARY = 'sk-canary-9f8e7d6c5b4a'

type Opening = { db?: Db; sealing?: Secrets; refreshMs?: number }

export type Bench = {
  readonly db: TestDb
  /** Lines that were logged during the test. */
  readonly lines: string[]
  open(variables?: Record<string, string>, opening?: Opening): Promise<Settings>
  set(on: Settings, setting: Setting, value: unknown): ReturnType<Settings['set']>
  reset(on: Settings, key: string): ReturnType<Settings['reset']>
  shown(on: Settings, key: string): Promise<object | undefined>
}

/** A database for this test file. Settings are deleted after each test. */
export function settingsBench(): Bench {
  let db: TestDb
  const lines: string[] = []
  const opened: Settings[] = []
  const secrets = createSecrets(SECRET)
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })

  beforeAll(async () => {
    db = await openTestDb()
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) each.close()
    await db.sql.rows`delete from platform_settings`
    lines.length = 0
  })
  afterAll(() => db.close())

  return {
    get db() {
      return db
    },
    lines,
    async open(variables = {}, opening = {}) {
      const settings = await openSettings(
        opening.db ?? db.db,
        opening.sealing ?? secrets,
        db.clock,
        [group],
        variables,
        log,
        opening.refreshMs,
      )
      opened.push(settings)
      return settings
    },
    set: (on, setting, value) => db.db.tx('platform', (tx) => on.set(tx, setting, value, ops)),
    reset: (on, key) => db.db.tx('platform', (tx) => on.reset(tx, key, ops)),
    shown: async (on, key) => (await on.list()).settings.find((setting) => setting.key === key),
  }
}
