import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserId } from '../../kernel/ids.ts'
import { openAccount } from '../accounts/accounts.ts'
import { lockUser } from '../sql.ts'
import { createLink, dropLinks, type LinkKind, peekLink } from './links.ts'

let database: TestDb
beforeAll(async () => {
  database = await openTestDb()
})
afterAll(() => database.close())

async function person(email: string): Promise<UserId> {
  const account = await database.db.tx('platform', (tx) => openAccount(tx, { email, verified: true }))
  if (!account) throw new Error('the address is new')
  return account.userId
}

test('of links created at the same time on two replicas, one is valid', async () => {
  const userId = await person('ada@example.com')
  const replicas = [database.db, database.openReplica()]
  const made: Promise<{ token: string }>[] = []
  await database.db.tx('platform', async (tx) => {
    await lockUser(tx, userId)
    for (const db of replicas)
      made.push(db.tx('platform', (other) => createLink(other, { kind: 'reset', userId })))
    await expect
      .poll(
        () =>
          database.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(2)
  })
  const found = []
  for (const { token } of await Promise.all(made))
    found.push(await peekLink(database.db.direct, ['reset'], token, database.clock.now()))
  expect(found.filter((link) => link !== null)).toHaveLength(1)
})

test('dropping links affects only the given user and kinds', async () => {
  const [ada, grace] = [await person('ada@other.example'), await person('grace@other.example')]
  const make = (kind: LinkKind, userId: UserId) =>
    database.db.tx('platform', (tx) => createLink(tx, { kind, userId }))
  const dropped = await make('reset', ada)
  const kept = [await make('magic', ada), await make('reset', grace)]
  await database.db.tx('platform', (tx) => dropLinks(tx, ada, ['reset']))
  const peek = ({ token }: { token: string }) =>
    peekLink(database.db.direct, ['reset', 'magic'], token, database.clock.now())
  expect(await peek(dropped)).toBeNull()
  for (const link of kept) expect(await peek(link)).not.toBeNull()
})
