import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestDb, type TestDb } from '../../../test/harness.ts'
import { createLog } from '../log/log.ts'
import { createSecrets } from '../secrets.ts'
import { count, flag, oneOf, secret, settings, text, url } from './setting.ts'
import { openSettings, type Settings } from './settings.ts'

const group = settings(
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
const {
  steps,
  ready,
  demo_lane_mode: laneMode,
  model,
  address,
  api_key: apiKey,
  second_key: secondKey,
} = group.settings
const secrets = createSecrets('a secret of thirty-two bytes or more')
const ops = { email: 'ops@example.com' }
const CANARY = 'sk-canary-9f8e7d6c5b4a'

let fixture: TestDb
let lines: string[] = []
const opened: Settings[] = []
const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })

beforeAll(async () => {
  fixture = await openTestDb()
})
afterEach(async () => {
  for (const each of opened.splice(0)) each.close()
  await fixture.sql.rows`delete from platform_settings`
  lines = []
})
afterAll(() => fixture.close())

async function open(
  variables: Record<string, string> = {},
  { db = fixture.db, sealing = secrets } = {},
): Promise<Settings> {
  const settings = await openSettings(db, sealing, fixture.clock, [group], variables, log)
  opened.push(settings)
  return settings
}
const set = (on: Settings, setting: typeof steps | typeof model | typeof ready, value: unknown) =>
  fixture.db.tx('platform', (tx) => on.set(tx, setting, value, ops))
const reset = (on: Settings, key: string) => fixture.db.tx('platform', (tx) => on.reset(tx, key, ops))
const shown = async (on: Settings, key: string) =>
  (await on.list()).settings.find((setting) => setting.key === key)

async function until(condition: () => boolean, withinMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < withinMs && !condition(); waitedMs += 10) await pause(10)
  expect(condition()).toBe(true)
}

describe('a setting', () => {
  test('is at its default until something is stored', async () => {
    const settings = await open()
    expect(settings.get(steps)).toBe(3)
    expect(await shown(settings, 'steps')).toEqual({
      key: 'steps',
      group: 'demo',
      label: 'Steps',
      description: 'How many.',
      type: 'number',
      min: 1,
      max: 9,
      unit: 'count',
      default: 3,
      value: 3,
      isDefault: true,
      source: 'default',
      env: 'SERVICE_STEPS',
      superAdminOnly: false,
      updatedAt: null,
      updatedByEmail: null,
    })
  })

  test('has bounds, options and unit only where they apply', async () => {
    const settings = await open()
    expect(Object.keys((await shown(settings, 'ready')) ?? {})).not.toEqual(expect.arrayContaining(['min']))
    expect(await shown(settings, 'ready')).not.toHaveProperty('options')
    expect(await shown(settings, 'ready')).not.toHaveProperty('unit')
    expect(await shown(settings, 'demo_lane_mode')).toMatchObject({
      type: 'enum',
      options: [
        { value: 'open', label: 'Open', note: '' },
        { value: 'frontier', label: 'Frontier', note: '' },
      ],
    })
    expect(await shown(settings, 'address')).toMatchObject({ type: 'string', superAdminOnly: true })
  })

  test('takes an operator’s value and says who and when', async () => {
    const settings = await open()
    const [change] = await set(settings, steps, 5)
    await settings.refresh()
    expect(settings.get(steps)).toBe(5)
    expect(change).toMatchObject({ key: 'steps', from: 3, to: 5, previousSource: 'default' })
    const expected = {
      value: 5,
      isDefault: false,
      source: 'operator',
      updatedAt: fixture.clock.now(),
      updatedByEmail: ops.email,
    }
    expect(change?.setting).toMatchObject(expected)
    expect(await shown(settings, 'steps')).toMatchObject(expected)
  })

  test('that is false, empty or equal to its default is still stored', async () => {
    const settings = await open({ SERVICE_READY: 'on', SERVICE_MODEL: 'x' })
    await set(settings, ready, false)
    await set(settings, model, '')
    await set(settings, steps, 3)
    await settings.refresh()
    expect([settings.get(ready), settings.get(model)]).toEqual([false, ''])
    expect(await shown(settings, 'steps')).toMatchObject({ value: 3, isDefault: false, source: 'operator' })
  })

  test('refuses other values, names what it takes, and keeps what it had', async () => {
    const settings = await open()
    await set(settings, steps, 5)
    for (const value of [0, 10, 1.5, '5', null, true, { $gt: 0 }])
      await expect(set(settings, steps, value)).rejects.toMatchObject({
        code: 'invalid_setting',
        status: 422,
        message: 'steps must be a whole number from 1 to 9.',
      })
    await settings.refresh()
    expect(settings.get(steps)).toBe(5)
  })

  test('changes only with the transaction it is set in', async () => {
    const settings = await open()
    const failing = fixture.db.tx('platform', async (tx) => {
      await settings.set(tx, steps, 5, ops)
      throw new Error('later')
    })
    await expect(failing).rejects.toThrow('later')
    await settings.refresh()
    expect(settings.get(steps)).toBe(3)
  })

  test('cannot be changed by work for an organisation', async () => {
    const settings = await open()
    const change = fixture.db.tx('org_00000000000000000000000000', (tx) => settings.set(tx, steps, 5, ops))
    await expect(change).rejects.toThrow('row-level security')
  })
})

describe('resetting', () => {
  test('removes what was stored', async () => {
    const settings = await open()
    await set(settings, steps, 5)
    const [change] = await reset(settings, 'steps')
    await settings.refresh()
    expect(settings.get(steps)).toBe(3)
    expect(change).toMatchObject({ from: 5, to: 3, previousSource: 'operator' })
    expect(change?.setting).toMatchObject({
      value: 3,
      isDefault: true,
      source: 'default',
      updatedAt: null,
      updatedByEmail: null,
    })
  })

  test.for(['steps', 'no_such_key', '__proto__'])('%s with nothing stored is not found', async (key) => {
    await expect(reset(await open(), key)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a variable', () => {
  test('seeds its setting', async () => {
    const settings = await open({
      SERVICE_STEPS: ' 7 ',
      SERVICE_READY: 'on',
      SERVICE_DEMO_LANE_MODE: 'frontier',
      SERVICE_MODEL: '',
    })
    expect([settings.get(steps), settings.get(ready), settings.get(laneMode)]).toEqual([7, true, 'frontier'])
    expect(await shown(settings, 'steps')).toMatchObject({
      source: 'env',
      isDefault: false,
      updatedByEmail: null,
    })
    expect(await shown(settings, 'model')).toMatchObject({ source: 'default', isDefault: true })
  })

  test('is followed when it changes, and what it seeded stays when it is gone', async () => {
    await open({ SERVICE_STEPS: '7' })
    expect((await open({ SERVICE_STEPS: '8' })).get(steps)).toBe(8)
    expect((await open()).get(steps)).toBe(8)
  })

  test('never overrules an operator, until they reset the setting', async () => {
    const settings = await open({ SERVICE_STEPS: '7' })
    await set(settings, steps, 5)
    expect((await open({ SERVICE_STEPS: '8' })).get(steps)).toBe(5)
    await reset(settings, 'steps')
    expect((await open({ SERVICE_STEPS: '8' })).get(steps)).toBe(8)
  })

  test('that fits no setting stops the start, named with all others and without its value', async () => {
    const start = open({
      SERVICE_STEPS: '70000',
      SERVICE_API_KEY: `${CANARY} with spaces`,
      SERVICE_READY: 'perhaps',
      SERVICE_MODEL: 'm',
    })
    const error = await start.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'ConfigProblems' })
    expect(String(error)).toContain('SERVICE_STEPS must be a whole number from 1 to 9.')
    expect(String(error)).toContain('SERVICE_READY must be true or false.')
    expect(String(error)).toContain('SERVICE_API_KEY must be')
    expect(String(error)).not.toMatch(/canary|70000|perhaps/)
    expect(await fixture.sql.rows`select key from platform_settings`).toEqual([])
  })

  test('may be planted by several replicas at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => open({ SERVICE_STEPS: '7', SERVICE_API_KEY: CANARY })))
    expect(await fixture.sql.rows`select key, source from platform_settings order by key`).toEqual([
      { key: 'api_key', source: 'env' },
      { key: 'steps', source: 'env' },
    ])
  })
})

describe('what this build does not understand', () => {
  const store = (key: string, value: string) => fixture.sql.rows`
    insert into platform_settings (key, value, source, updated_at, updated_by_email)
    values (${key}, ${value}::text::jsonb, 'operator', now(), 'ops@example.com')`

  test.for([
    ['demo_lane_mode', '"galactic"', 'open'],
    ['steps', '99', 3],
    ['model', '7', ''],
  ] as const)('stored for %s counts as the default and stays stored', async ([key, value, effective]) => {
    await store(key, value)
    const settings = await open()
    const setting = settings.find(key)
    expect(setting && settings.get(setting)).toBe(effective)
    expect(await shown(settings, key)).toMatchObject({
      value: effective,
      isDefault: false,
      source: 'default',
    })
    expect(lines.filter((line) => line.includes('not understood'))).toHaveLength(1)
    await settings.refresh()
    expect(lines.filter((line) => line.includes('not understood'))).toHaveLength(1)
    await reset(settings, key)
    expect(await shown(settings, key)).toMatchObject({ isDefault: true })
  })

  test('is listed as an orphan, without effect, and can be cleared', async () => {
    await store('old_limit', '12')
    await fixture.sql.rows`
      insert into platform_settings (key, sealed, source, updated_at) values ('old_key', ${secrets.seal(CANARY, 'setting|old_key')}, 'env', now())`
    const settings = await open()
    const { orphans } = await settings.list()
    expect(orphans).toMatchObject([
      { key: 'old_key', value: '••••', source: 'env' },
      { key: 'old_limit', value: 12, source: 'operator', updatedByEmail: 'ops@example.com' },
    ])
    expect(await reset(settings, 'old_limit')).toMatchObject([{ key: 'old_limit', setting: null }])
    expect((await settings.list()).orphans.map(({ key }) => key)).toEqual(['old_key'])
  })
})

describe('a secret', () => {
  test('is in force in full, shown by its last four, and nowhere else to be found', async () => {
    const settings = await open()
    const changes = await set(settings, apiKey, CANARY)
    await settings.refresh()
    expect(settings.get(apiKey)).toBe(CANARY)
    expect(await shown(settings, 'api_key')).toMatchObject({ value: '••••5b4a', default: '' })
    expect(changes).toMatchObject([{ secret: true, from: null, to: null }])
    const stored = await fixture.sql.rows`select * from platform_settings`
    expect(JSON.stringify([changes, stored, await settings.list(), lines])).not.toContain('canary')
  })

  test.for([
    ['', ''],
    ['short', '••••'],
    ['12345678', '••••5678'],
  ] as const)('%j is shown as %j', async ([value, mask]) => {
    const settings = await open()
    await set(settings, apiKey, value)
    expect(await shown(settings, 'api_key')).toMatchObject({ value: mask })
  })

  test('cannot be replaced by its mask', async () => {
    const settings = await open()
    await set(settings, apiKey, CANARY)
    const refused = set(settings, apiKey, '••••5b4a')
    await expect(refused).rejects.toMatchObject({ code: 'invalid_setting' })
    await expect(refused).rejects.toThrow('a masked value cannot be put back')
  })

  test('that was moved to another row opens nowhere, and the default is in force', async () => {
    const settings = await open()
    await set(settings, apiKey, CANARY)
    await set(settings, secondKey, 'sk-another-secret')
    await fixture.sql.rows`
      update platform_settings set sealed = (select sealed from platform_settings where key = 'api_key') where key = 'second_key'`
    await settings.refresh()
    expect(settings.get(secondKey)).toBe('')
    expect(await shown(settings, 'second_key')).toMatchObject({ value: '', source: 'default' })
    expect(settings.get(apiKey)).toBe(CANARY)
    expect(lines.join()).toContain('second_key')
  })

  test('survives a rotation, also after the old secret is gone', async () => {
    await set(await open(), apiKey, CANARY)
    const rotated = createSecrets('another secret of thirty-two bytes', [
      'a secret of thirty-two bytes or more',
    ])
    expect((await open({}, { sealing: rotated })).get(apiKey)).toBe(CANARY)
    const later = await open({}, { sealing: createSecrets('another secret of thirty-two bytes') })
    expect(later.get(apiKey)).toBe(CANARY)
    expect(await shown(later, 'api_key')).toMatchObject({ source: 'operator', updatedByEmail: ops.email })
  })

  test.for([
    { it: 'another host', to: 'https://evil.example.com/v1', left: '' },
    { it: 'no host', to: '', left: '' },
    { it: 'another path of the same host', to: 'https://models.example.com/v2', left: CANARY },
  ])('is emptied unless its address stays on the host: $it', async ({ to, left }) => {
    const settings = await open({ SERVICE_ADDRESS: 'https://models.example.com/v1', SERVICE_API_KEY: CANARY })
    const changes = await set(settings, address, to)
    await settings.refresh()
    expect(settings.get(apiKey)).toBe(left)
    expect(changes.map(({ key }) => key)).toEqual(left === '' ? ['address', 'api_key'] : ['address'])
    expect((await open({ SERVICE_API_KEY: CANARY })).get(apiKey)).toBe(left)
  })

  test('is emptied when its address is reset, and kept when it is given its first', async () => {
    const settings = await open()
    await set(settings, apiKey, CANARY)
    await set(settings, address, 'https://models.example.com/v1')
    await settings.refresh()
    expect(settings.get(apiKey)).toBe(CANARY)
    await reset(settings, 'address')
    await settings.refresh()
    expect(settings.get(apiKey)).toBe('')
  })
})

describe('replicas', () => {
  test('follow each other at once, long before the next regular reading', async () => {
    const here = await open()
    const there = await open({}, { db: fixture.another() })
    await set(here, steps, 8)
    await until(() => there.get(steps) === 8, 1_500)
    await reset(there, 'steps')
    await until(() => here.get(steps) === 3, 1_500)
  })

  test('follow also without a notification', async () => {
    const settings = await open()
    await fixture.sql.rows`
      insert into platform_settings (key, value, source, updated_at, updated_by_email) values ('steps', '6', 'operator', now(), 'a@b.c')`
    await until(() => settings.get(steps) === 6, 7_000)
  })

  test('keep the last known values while the database is away, and say so once', async () => {
    const db = fixture.another()
    const settings = await open({ SERVICE_STEPS: '7' }, { db })
    await db.close()
    await settings.refresh()
    await settings.refresh()
    expect(settings.get(steps)).toBe(7)
    expect(lines.filter((line) => line.includes('last known values'))).toHaveLength(1)
  })

  test('have read what was committed before a refresh was asked for', async () => {
    const settings = await open()
    for (let value = 1; value <= 9; value++) {
      void settings.refresh()
      await set(settings, steps, value)
      await settings.refresh()
      expect(settings.get(steps)).toBe(value)
    }
  })
})
