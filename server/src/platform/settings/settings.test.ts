import { CANARY, group, ops, SECRET, settingsBench } from '@cowrie/testkit/platform/settings.ts'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../secrets.ts'

const { steps, ready, demo_lane_mode: laneMode, model } = group.settings
const bench = settingsBench()
const { open, set, reset, shown } = bench

describe('a setting', () => {
  test('has its default until a value is stored', async () => {
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
      secret: false,
      updatedAt: null,
      updatedByEmail: null,
    })
  })

  test('has limits, options and unit only where they apply', async () => {
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

  test("stores an operator's value with author and time", async () => {
    const settings = await open()
    const [change] = await set(settings, steps, 5)
    await settings.refresh()
    expect(settings.get(steps)).toBe(5)
    expect(change).toMatchObject({ key: 'steps', from: 3, to: 5, previousSource: 'default' })
    const expected = {
      value: 5,
      isDefault: false,
      source: 'operator',
      updatedAt: bench.db.clock.now(),
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

  test('rejects invalid values with the allowed ones, and keeps its value', async () => {
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

  test('changes only when its transaction commits', async () => {
    const settings = await open()
    const failing = bench.db.db.tx('platform', async (tx) => {
      await settings.set(tx, steps, 5, ops)
      throw new Error('later')
    })
    await expect(failing).rejects.toThrow('later')
    await settings.refresh()
    expect(settings.get(steps)).toBe(3)
  })

  test('cannot be changed in the scope of an organisation', async () => {
    const settings = await open()
    const change = bench.db.db.tx('org_00000000000000000000000000', (tx) => settings.set(tx, steps, 5, ops))
    await expect(change).rejects.toThrow('row-level security')
  })
})

describe('resetting', () => {
  test('deletes the stored value', async () => {
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

  test.for(['steps', 'no_such_key', '__proto__'])('%s without a stored value is not found', async (key) => {
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

  test('is followed when it changes, and its value stays when it is removed', async () => {
    await open({ SERVICE_STEPS: '7' })
    expect((await open({ SERVICE_STEPS: '8' })).get(steps)).toBe(8)
    expect((await open()).get(steps)).toBe(8)
  })

  test("never replaces an operator's value, until that is reset", async () => {
    const settings = await open({ SERVICE_STEPS: '7' })
    await set(settings, steps, 5)
    expect((await open({ SERVICE_STEPS: '8' })).get(steps)).toBe(5)
    await reset(settings, 'steps')
    expect((await open({ SERVICE_STEPS: '8' })).get(steps)).toBe(8)
  })

  test('that is invalid stops the start with all problems and without its value', async () => {
    const start = open({
      SERVICE_STEPS: '70000',
      SERVICE_API_KEY: `${CANARY} with spaces`,
      SERVICE_READY: 'perhaps',
      SERVICE_MODEL: 'm',
    })
    const error = await start.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'ConfigError' })
    expect(String(error)).toContain('SERVICE_STEPS must be a whole number from 1 to 9.')
    expect(String(error)).toContain('SERVICE_READY must be true or false.')
    expect(String(error)).toContain('SERVICE_API_KEY must be')
    expect(String(error)).not.toMatch(/canary|70000|perhaps/)
    expect(await bench.db.sql.rows`select key from platform_settings`).toEqual([])
  })

  test('may be seeded by several replicas at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => open({ SERVICE_STEPS: '7', SERVICE_API_KEY: CANARY })))
    expect(await bench.db.sql.rows`select key, source from platform_settings order by key`).toEqual([
      { key: 'api_key', source: 'env' },
      { key: 'steps', source: 'env' },
    ])
  })
})

describe('an unknown or invalid stored value', () => {
  const store = (key: string, value: string) => bench.db.sql.rows`
    insert into platform_settings (key, value, source, updated_at, updated_by_email)
    values (${key}, ${value}::text::jsonb, 'operator', now(), 'ops@example.com')`

  test.for([
    ['demo_lane_mode', '"galactic"', 'open'],
    ['steps', '99', 3],
    ['model', '7', ''],
  ] as const)('of %s counts as the default and stays stored', async ([key, value, effective]) => {
    await store(key, value)
    const settings = await open()
    const setting = settings.find(key)
    expect(setting && settings.get(setting)).toBe(effective)
    expect(await shown(settings, key)).toMatchObject({
      value: effective,
      isDefault: false,
      source: 'default',
    })
    expect(bench.lines.filter((line) => line.includes('settings.stored.ignored'))).toHaveLength(1)
    await settings.refresh()
    expect(bench.lines.filter((line) => line.includes('settings.stored.ignored'))).toHaveLength(1)
    await reset(settings, key)
    expect(await shown(settings, key)).toMatchObject({ isDefault: true })
  })

  test('of an unknown key is listed as an orphan, without effect, and can be deleted', async () => {
    await store('old_limit', '12')
    await bench.db.sql.rows`
      insert into platform_settings (key, sealed, source, updated_at) values ('old_key', ${createSecrets(SECRET).seal(CANARY, 'setting|old_key')}, 'env', now())`
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
