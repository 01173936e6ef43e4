// A database owner who is no superuser: row-level security applies to it too, and roles are created only if it may do so.

import { randomBytes } from 'node:crypto'
import { withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { countRows, digestContent, seedContent } from '@cowrie/testkit/platform/content-fixtures.ts'
import { afterAll, expect, inject, test } from 'vitest'
import { after, ManualClock } from '../../kernel/clock.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { withDatabase } from '../db/connection-url.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { openDb } from '../db/open-db.ts'
import type { Db } from '../db/tx.ts'
import { createLog } from '../log/log.ts'
import { createDedicatedDatabases } from './dedicated/dedicated-databases.ts'
import { openContent } from './open-content.ts'

const clock = new ManualClock()
const log = createLog({ level: 'silent' })
const made: { databases: string[]; roles: string[] } = { databases: [], roles: [] }

afterAll(() =>
  withAdmin(async (admin) => {
    for (const name of made.databases) await admin.unsafe(`drop database if exists "${name}" with (force)`)
    for (const name of made.roles) {
      await admin.unsafe(`revoke set on parameter cowrie.reach from ${name}`)
      await admin.unsafe(`drop role ${name}`)
    }
  }),
)

/** A database that belongs to a separate role, and everything that a service opens on it. */
async function openAs(mayCreateRoles: boolean) {
  const name = `test_${randomBytes(6).toString('hex')}`
  made.databases.push(name)
  made.roles.unshift(name)
  await withAdmin(async (admin) => {
    await admin.unsafe(`create role ${name} login createdb ${mayCreateRoles ? 'createrole' : ''}`)
    if (!mayCreateRoles) await admin.unsafe(`grant set on parameter cowrie.reach to ${name}`)
    if (mayCreateRoles) await admin.unsafe(`grant cowrie_app to ${name} with admin option`)
    await admin.unsafe(`create database ${name} owner ${name}`)
  })
  const aboveUrl = withDatabase(inject('databaseUrl'), name)
  const url = aboveUrl.replace(/^(\w+:\/\/)[^@]*@/, `$1${name}@`)
  const { role } = await migrate(url)
  const above = openDb(aboveUrl, { ...GENEROUS_TIMEOUTS, clock, max: 1 })
  const dedicated = createDedicatedDatabases({ url, dedicatedUrl: null, clock, log })
  const db = openDb(url, { ...GENEROUS_TIMEOUTS, clock, max: 2, role, dedicated })
  const content = openContent({ url, db, dedicated, clock, log })
  const close = async () => {
    await content.close()
    await db.close()
    await above.close()
  }
  return { role, above: above.direct, db, content, close }
}

/** Wallet functions run with the rights of their owner, who is no superuser and has no tenant scope here. */
async function walletOf(db: Db, orgId: OrgId) {
  await db.tx(orgId, (tx) => tx.rows`select wallet_lock(${orgId})`)
  return db.direct.one<{ currency: string }>`select currency from wallet_balances(${orgId})`
}

const MAY_NOT = { mayCreateRoles: false, expected: null }
const MAY = { mayCreateRoles: true, expected: 'cowrie_app' }

test.for(isSoak ? [MAY, MAY_NOT] : [MAY_NOT])(
  'content of an unprivileged owner moves into a schema and then into a database (%j)',
  async ({ mayCreateRoles, expected }) => {
    const { role, above, db, content, close } = await openAs(mayCreateRoles)
    try {
      expect(role).toBe(expected)
      const orgId: OrgId = newId('org')
      made.databases.push(`cowrie_${orgId}`)
      await above.rows`
      insert into orgs (id, type, tier, name, currency, created_at)
      values (${orgId}, 'team', 'team', 'Plain', 'NGN', ${clock.now()})`
      expect(await walletOf(db, orgId)).toEqual({ currency: 'NGN' })
      await seedContent(above, orgId, 'usr_plain', 50)
      const before = await digestContent(above, 'public', orgId)
      for (const to of ['schema', 'dedicated'] as const) {
        await content.prepare(orgId, to)
        await db.tx(orgId, (tx) => content.startMove(tx, orgId, to))
        expect(await content.resumeMove(orgId, after(clock.now(), { minutes: 1 }))).toBe(true)
        if (to === 'schema') expect(await digestContent(above, orgId, orgId)).toEqual(before)
        const threads = await db.tx(orgId, (tx) => tx.content.rows`select id from chat_threads`)
        expect(threads).toHaveLength(before.chat_threads?.rows ?? -1)
      }
      expect(countRows(await digestContent(above, 'public', orgId))).toBe(0)
      await content.deleteContent(orgId)
      expect(await db.tx(orgId, (tx) => tx.content.rows`select id from chat_threads`)).toEqual([])
    } finally {
      await close()
    }
  },
)

test('an owner who may neither create roles nor set cowrie.reach gets an error with the required grants, and starts with one', async () => {
  const name = `test_${randomBytes(6).toString('hex')}`
  made.databases.push(name)
  made.roles.unshift(name)
  await withAdmin(async (admin) => {
    await admin.unsafe(`create role ${name} login`)
    await admin.unsafe(`create database ${name} owner ${name}`)
  })
  const url = withDatabase(inject('databaseUrl'), name).replace(/^(\w+:\/\/)[^@]*@/, `$1${name}@`)
  await expect(migrate(url)).rejects.toThrow(/alter role … createrole.*grant set on parameter cowrie\.reach/)
  await withAdmin((admin) => admin.unsafe(`grant set on parameter cowrie.reach to ${name}`))
  expect(await migrate(url)).toMatchObject({ role: null })
  const db = openDb(url, { ...GENEROUS_TIMEOUTS, clock, max: 1 })
  const orgId: OrgId = newId('org')
  await db.tx(
    'platform',
    (tx) => tx.rows`
      insert into orgs (id, type, tier, name, currency, created_at)
      values (${orgId}, 'team', 'team', 'Plain', 'NGN', ${clock.now()})`,
  )
  expect(await walletOf(db, orgId)).toEqual({ currency: 'NGN' })
  await db.close()
})
