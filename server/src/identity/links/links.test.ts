import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { openAccount } from '../accounts/accounts.ts'
import { lockUser } from '../sql.ts'
import { createLink, dropLinks, peekLink, useLink } from './links.ts'

let database: TestDb
let userId: UserId
let people = 0
beforeAll(async () => {
  database = await openTestDb()
})
afterAll(() => database.close())

async function person(): Promise<UserId> {
  const email = `person${people++}@example.com`
  const account = await database.db.tx('platform', (tx) => openAccount(tx, { email, verified: true }))
  if (!account) throw new Error('the address is new')
  userId = account.userId
  return account.userId
}
const make = (kind: 'reset' | 'magic', user: UserId) =>
  database.db.tx('platform', (tx) => createLink(tx, { kind, userId: user }))
const use = (token: string, kinds: ('reset' | 'magic')[] = ['reset'], db = database.db) =>
  db.tx('platform', (tx) => useLink(tx, kinds, token))

describe('a link', () => {
  test('opens its own kind once', async () => {
    const { token } = await make('reset', await person())
    expect(await use(token, ['magic'])).toBeNull()
    expect(await peekLink(database.db.direct, ['reset'], token, database.clock.now())).toMatchObject({
      userId,
    })
    expect(await use(token)).toMatchObject({ kind: 'reset', userId, browser: null })
    expect(await use(token)).toBeNull()
    expect(await peekLink(database.db.direct, ['reset'], token, database.clock.now())).toBeNull()
  })

  test('is consumed once by concurrent calls on two replicas', async () => {
    const { token } = await make('reset', await person())
    const replica = database.openReplica()
    const found = await Promise.all(
      Array.from({ length: 16 }, (_, i) => use(token, ['reset'], i % 2 ? replica : database.db)),
    )
    expect(found.filter((link) => link !== null)).toHaveLength(1)
  })

  test('expires on time', async () => {
    const { token, expiresAt } = await make('magic', await person())
    const life = expiresAt.getTime() - database.clock.now().getTime()
    expect(life).toBe(15 * 60_000)
    database.clock.advance({ ms: life - 1 })
    expect(await peekLink(database.db.direct, ['magic'], token, database.clock.now())).not.toBeNull()
    database.clock.advance({ ms: 1 })
    expect(await use(token, ['magic'])).toBeNull()
  })

  test('is replaced only by a newer one of the same kind and user', async () => {
    const user = await person()
    const [old, other] = [await make('magic', user), await make('reset', user)]
    const stranger = await make('magic', await person())
    const newer = await make('magic', user)
    expect(await use(old.token, ['magic'])).toBeNull()
    for (const { token } of [other, stranger, newer])
      expect(await use(token, ['magic', 'reset'])).not.toBeNull()
  })

  test('can be used and replaced concurrently without a deadlock', async () => {
    let [transactions, begun] = [0, 0]
    const replica = database.openReplica()
    const inTransaction = <T>(db: typeof replica, work: (tx: Tx) => Promise<T>): Promise<T> => {
      begun++
      return db.tx('platform', (tx) => {
        transactions++
        return work(tx)
      })
    }
    for (let round = 0; round < 20; round++) {
      const user = await person()
      const { token } = await make('magic', user)
      const [, link] = await Promise.all([
        inTransaction(database.db, (tx) => createLink(tx, { kind: 'magic', userId: user })),
        inTransaction(replica, async (tx) => {
          const used = await useLink(tx, ['magic'], token)
          // As every user of a link does.
          await lockUser(tx, user)
          return used
        }),
      ])
      expect(link === null || link.userId === user).toBe(true)
    }
    // One that is ended because of a deadlock begins again.
    expect(transactions).toBe(begun)
  }, 120_000)

  test('stays the only one when many are created at once', async () => {
    const user = await person()
    const links = await Promise.all(Array.from({ length: 8 }, () => make('magic', user)))
    const used = []
    for (const { token } of links) used.push(await use(token, ['magic']))
    expect(used.filter((link) => link !== null)).toHaveLength(1)
  })

  test('can be dropped, and its token is not stored', async () => {
    const user = await person()
    const { token } = await make('reset', user)
    const rows = await database.sql.rows<{
      hash: string
    }>`select encode(token_hash, 'base64') as hash from links`
    expect(JSON.stringify(rows)).not.toContain(token)
    await database.db.tx('platform', (tx) => dropLinks(tx, user, ['reset']))
    expect(await use(token)).toBeNull()
  })
})
