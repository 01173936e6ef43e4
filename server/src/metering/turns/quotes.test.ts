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
const told = (asked: QuotedWork) => server.app.db.tx(asked.orgId, (tx) => quotedMax(tx, asked))
const tell = (asked: QuotedWork, maxMinor: bigint) =>
  server.app.db.tx(asked.orgId, (tx) => storeQuote(tx, asked, maxMinor))

test('what was told is remembered for the same words, of the same person, and the last word counts', async () => {
  await tell(quoted({ prompt: 'Add it.', frontier: false }), 500n)
  expect(await told(quoted({ frontier: false, prompt: 'Add it.' }))).toBe(500n)
  expect(await told(quoted({ prompt: 'Add it!', frontier: false }))).toBeUndefined()
  expect(await told({ ...quoted({ prompt: 'Add it.', frontier: false }), kind: 'loop' })).toBeUndefined()
  expect(await told(quoted({ prompt: 'Add it.', frontier: false }, await server.person()))).toBeUndefined()
  await tell(quoted({ prompt: 'Add it.', frontier: false }), 300n)
  expect(await told(quoted({ prompt: 'Add it.', frontier: false }))).toBe(300n)
})

test('after an hour it is no promise any more, and is forgotten', async () => {
  const asked = quoted({ prompt: 'Later.' })
  await tell(asked, 100n)
  server.clock.advance({ minutes: 59 })
  expect(await told(asked)).toBe(100n)
  server.clock.advance({ minutes: 1 })
  expect(await told(asked)).toBeUndefined()
  await deleteOldQuotes.run(server.app, {} as never)
  expect(await server.sql.rows`select 1 from quotes`).toEqual([])
})
