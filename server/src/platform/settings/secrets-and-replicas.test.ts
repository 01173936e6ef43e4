import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { CANARY, group, ops, SECRET, settingsBench } from '@cowrie/testkit/platform/settings.ts'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../secrets.ts'

const { steps, address, api_key: apiKey, second_key: secondKey } = group.settings
const bench = settingsBench()
const { open, set, reset, shown } = bench

describe('a secret', () => {
  test('is effective in full, listed by its last four characters, and stored only encrypted', async () => {
    const settings = await open()
    const changes = await set(settings, apiKey, CANARY)
    await settings.refresh()
    expect(settings.get(apiKey)).toBe(CANARY)
    expect(await shown(settings, 'api_key')).toMatchObject({ value: '••••5b4a', default: '' })
    expect(changes).toMatchObject([{ secret: true, from: null, to: null }])
    const stored = await bench.db.sql.rows`select * from platform_settings`
    expect(JSON.stringify([changes, stored, await settings.list(), bench.lines])).not.toContain('canary')
  })

  test.for([
    ['', ''],
    ['short', '••••'],
    ['12345678', '••••5678'],
  ] as const)('%j is listed as %j', async ([value, mask]) => {
    const settings = await open()
    await set(settings, apiKey, value)
    expect(await shown(settings, 'api_key')).toMatchObject({ value: mask })
  })

  test('cannot be replaced by its mask', async () => {
    const settings = await open()
    await set(settings, apiKey, CANARY)
    const refused = set(settings, apiKey, '••••5b4a')
    await expect(refused).rejects.toMatchObject({ code: 'invalid_setting' })
    await expect(refused).rejects.toThrow('not the masked one')
  })

  test('that was moved to another row cannot be decrypted, and the default is effective', async () => {
    const settings = await open()
    await set(settings, apiKey, CANARY)
    await set(settings, secondKey, 'sk-another-secret')
    await bench.db.sql.rows`
      update platform_settings set sealed = (select sealed from platform_settings where key = 'api_key') where key = 'second_key'`
    await settings.refresh()
    expect(settings.get(secondKey)).toBe('')
    expect(await shown(settings, 'second_key')).toMatchObject({ value: '', source: 'default' })
    expect(settings.get(apiKey)).toBe(CANARY)
    expect(bench.lines.join()).toContain('second_key')
  })

  test('survives a key rotation', async () => {
    await set(await open(), apiKey, CANARY)
    const rotated = await open({}, { sealing: createSecrets('another secret of thirty-two bytes', [SECRET]) })
    expect(rotated.get(apiKey)).toBe(CANARY)
    expect(await shown(rotated, 'api_key')).toMatchObject({ source: 'operator', updatedByEmail: ops.email })
  })

  test.for([
    { it: 'another host', to: 'https://evil.example.com/v1', left: '' },
    { it: 'no host', to: '', left: '' },
    { it: 'another path of the same host', to: 'https://models.example.com/v2', left: CANARY },
  ])('is cleared unless its address stays on the same host: $it', async ({ to, left }) => {
    const settings = await open({ SERVICE_ADDRESS: 'https://models.example.com/v1', SERVICE_API_KEY: CANARY })
    const changes = await set(settings, address, to)
    await settings.refresh()
    expect(settings.get(apiKey)).toBe(left)
    expect(changes.map(({ key }) => key)).toEqual(left === '' ? ['address', 'api_key'] : ['address'])
    expect((await open({ SERVICE_API_KEY: CANARY })).get(apiKey)).toBe(left)
  })

  test('is cleared when its address is reset, and kept when its first address is set', async () => {
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
  test('follow each other by notification, long before the next poll', async () => {
    const refreshMs = 3_600_000
    const here = await open({}, { refreshMs })
    const there = await open({}, { refreshMs, db: bench.db.openReplica() })
    await set(here, steps, 8)
    await expect.poll(() => there.get(steps)).toBe(8)
    await reset(there, 'steps')
    await expect.poll(() => here.get(steps)).toBe(3)
  })

  test('follow without a notification as well', async () => {
    const settings = await open({}, isSoak ? {} : { refreshMs: 250 })
    await bench.db.sql.rows`
      insert into platform_settings (key, value, source, updated_at, updated_by_email) values ('steps', '6', 'operator', now(), 'a@b.c')`
    await expect.poll(() => settings.get(steps), { timeout: 20_000 }).toBe(6)
  })

  test('keep the last known values while the database is unavailable, and log it once', async () => {
    const db = bench.db.openReplica()
    const settings = await open({ SERVICE_STEPS: '7' }, { db })
    await db.close()
    await settings.refresh()
    await settings.refresh()
    expect(settings.get(steps)).toBe(7)
    expect(bench.lines.filter((line) => line.includes('database.cache.refresh_failed'))).toHaveLength(1)
  })

  test('have read everything that was committed before a refresh', async () => {
    const settings = await open()
    for (let value = 1; value <= 9; value++) {
      void settings.refresh()
      await set(settings, steps, value)
      await settings.refresh()
      expect(settings.get(steps)).toBe(value)
    }
  })
})
