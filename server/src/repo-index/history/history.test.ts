// Commit histories: a search for a change finds the files that similar commits changed.
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { indexTenantData } from '../data-export.ts'
import { replaceIndexCache } from '../search/index-cache.ts'

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  ada = await server.person()
  await giveCredit(server, ada.orgId, 1_000_000n)
})
afterAll(() => server.close())

const FILES = ['ledger', 'mailer', 'webhook', 'session', 'invoice'].map((name) => ({
  path: `src/${name}.ts`,
  content: `export function ${name}Start(input: string): string {\n  return input.trim().toLowerCase()\n}\n`,
}))
const COMMITS = [
  { subject: 'checkout: retry a declined card', paths: ['src/webhook.ts', 'src/session.ts'] },
  { subject: 'mail: greet new members', paths: ['src/mailer.ts'] },
]
const QUERY = 'checkout: explain declined cards'

type Reply = {
  indexed: number
  costMinor: bigint
  balanceMinor: bigint
  history?: { outcome: string; commits: number }
  code?: string
}
const push = async (body: object, as = ada) =>
  (await server.call<Reply>('POST', '/repo/index', { as, body: { files: [], ...body } })).body
const state = async (as = ada) =>
  (await server.call<{ history: object | null }>('GET', '/repo/index', { as })).body.history
type Hit = { path: string; why: { history: number } }
async function search(query: string, rest: object = {}, as = ada): Promise<Hit[]> {
  const { body } = await server.call<{ hits: Hit[] }>('POST', '/repo/search', {
    as,
    body: { query, ...rest },
  })
  return body.hits
}

test('a search for a change finds the files of similar commits, which no word of the query names', async () => {
  await push({ files: FILES })
  expect((await search(QUERY)).filter(({ why }) => why.history > 0)).toEqual([])
  await push({ history: { latest: 'c2', commits: COMMITS } })
  const hits = await search(QUERY, { limit: 2 })
  expect(hits.map(({ path }) => path).sort()).toEqual(['src/session.ts', 'src/webhook.ts'])
  expect(hits.map(({ why }) => why.history)).toEqual([1, 1])
  expect((await search(QUERY, { paths: ['src/m'] })).map(({ path }) => path)).toEqual(['src/mailer.ts'])
  expect((await search('where are declined cards explained')).map(({ why }) => why.history)).not.toContain(1)
})

test('a history costs nothing, and continues from its newest commit', async () => {
  await push({ files: FILES })
  const newer = { subject: 'ledger: round half up', paths: ['src/ledger.ts'] }
  const first = { history: { latest: 'c2', commits: COMMITS } }
  const preview = await push({ ...first, preview: true })
  expect([preview.history, await state()]).toEqual([{ outcome: 'stored', commits: 2 }, null])
  const stored = await push(first)
  expect(stored).toMatchObject({ costMinor: 0n, history: { outcome: 'stored', commits: 2 } })
  expect((await push(first)).history).toEqual({ outcome: 'unchanged', commits: 2 })
  const next = { history: { latest: 'c3', after: 'c2', commits: [newer] } }
  expect((await push(next)).history).toEqual({ outcome: 'stored', commits: 3 })
  expect((await push(next)).history).toEqual({ outcome: 'unchanged', commits: 3 })
  const other = { history: { latest: 'c9', after: 'c8', commits: [newer] } }
  expect((await push(other)).history).toEqual({ outcome: 'base_differs', commits: 3 })
  expect(await state()).toEqual({ latest: 'c3', commits: 3 })
  expect((await search('ledger: round down'))[0]).toMatchObject({
    path: 'src/ledger.ts',
    why: { history: 1 },
  })
  await push({ history: { latest: 'd1', commits: [newer] } })
  expect([await state(), (await search(QUERY)).filter(({ why }) => why.history > 0)]).toEqual([
    { latest: 'd1', commits: 1 },
    [],
  ])
})

test('a history belongs to one repository of one organisation, and is exported and removed with it', async () => {
  const { secret } = planted('flutterwave-live')
  await push({ files: FILES })
  const subject = `checkout: rotate ${secret}`
  await push({ history: { latest: 'c1', commits: [{ subject, paths: ['src/webhook.ts'] }] } })
  expect((await push({ repo: 'acme/empty', history: { latest: 'c1', commits: COMMITS } })).history).toEqual({
    outcome: 'no_files',
    commits: 0,
  })
  const eve = await server.person()
  await giveCredit(server, eve.orgId, 1_000_000n)
  await push({ files: FILES }, eve)
  expect([await state(eve), (await search(QUERY, {}, eve)).some(({ why }) => why.history > 0)]).toEqual([
    null,
    false,
  ])

  const exported = (person: Person) =>
    server.app.db.tx(person.orgId, async (tx) =>
      JSON.stringify(await indexTenantData.exports?.indexHistories?.(tx, person.orgId, null, 10)),
    )
  expect(await exported(ada)).toContain('src/webhook.ts')
  expect(await exported(ada)).not.toContain(secret)
  expect(await exported(eve)).not.toContain('src/webhook.ts')

  await server.call('DELETE', '/repo/index', { as: ada })
  await push({ files: FILES })
  expect([await state(), (await search(QUERY)).some(({ why }) => why.history > 0)]).toEqual([null, false])
})

test('an index that is too large for memory is searched without its history', async () => {
  await push({ files: FILES })
  await push({ history: { latest: 'c2', commits: COMMITS } })
  replaceIndexCache(server.app, 1)
  expect((await search('session: start'))[0]).toMatchObject({ path: 'src/session.ts', why: { history: 0 } })
  replaceIndexCache(server.app, 256 * 1024 * 1024)
})
