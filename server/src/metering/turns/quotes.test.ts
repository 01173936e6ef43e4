import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldQuotes, type QuotedWork, quotedMax, storeQuote } from './quotes.ts'

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person()
})
afterAll(() => server.close())

const quoted = (work: object, who = ada): QuotedWork => ({
  orgId: who.orgId,
  userId: who.userId,
  kind: 'run',
  work,
})
const findQuoted = (asked: QuotedWork) => quotedMax(server.app, asked)
const quote = (asked: QuotedWork, maxMinor: bigint) =>
  server.app.db.tx(asked.orgId, (tx) => storeQuote(tx, asked, maxMinor))

test('a quote applies to the same input of the same user, and the last one counts', async () => {
  await quote(quoted({ prompt: 'Add it.', frontier: false }), 500n)
  expect(await findQuoted(quoted({ frontier: false, prompt: 'Add it.' }))).toBe(500n)
  expect(await findQuoted(quoted({ prompt: 'Add it!', frontier: false }))).toBeUndefined()
  expect(
    await findQuoted({ ...quoted({ prompt: 'Add it.', frontier: false }), kind: 'loop' }),
  ).toBeUndefined()
  expect(
    await findQuoted(quoted({ prompt: 'Add it.', frontier: false }, await server.person())),
  ).toBeUndefined()
  await quote(quoted({ prompt: 'Add it.', frontier: false }), 300n)
  expect(await findQuoted(quoted({ prompt: 'Add it.', frontier: false }))).toBe(300n)
})

test('works that ask at the same time get their own quotes', async () => {
  const bob = await server.person()
  const works = [
    ...[1, 2, 3, 4].map((n) => quoted({ prompt: `Add ${n}.` }, n % 2 === 0 ? ada : bob)),
    quoted({ prompt: 'Add 1.' }, ada),
  ]
  for (const [n, work] of works.slice(0, 3).entries()) await quote(work, BigInt(n + 1))
  expect(await Promise.all(works.map(findQuoted))).toEqual([1n, 2n, 3n, undefined, undefined])
})

test('a quote expires after an hour and is deleted', async () => {
  const asked = quoted({ prompt: 'Later.' })
  await quote(asked, 100n)
  server.clock.advance({ minutes: 59 })
  expect(await findQuoted(asked)).toBe(100n)
  server.clock.advance({ minutes: 1 })
  expect(await findQuoted(asked)).toBeUndefined()
  await deleteOldQuotes.run(server.app, {} as never)
  expect(await server.sql.rows`select 1 from quotes`).toEqual([])
})
