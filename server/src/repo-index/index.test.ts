import { EMBEDDING_MODEL, embedQuery } from '@cowrie/models/embedding/embedding.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBalances } from '../wallet/wallet.ts'
import type { FusedHit } from './ranking/fusion.ts'
import { fullScan } from './search/full-scan.ts'
import { createIndexCache, replaceIndexCache } from './search/index-cache.ts'
import type { IndexedChunk } from './search/memory-index.ts'

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

type Person = Awaited<ReturnType<TestServer['person']>>
type File = { path: string; content: string }

async function owner(balanceMinor = 1_000_000n): Promise<Person> {
  const person = await server.person()
  if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
  return person
}
type Reply = {
  indexed: number
  tokens: number
  model: string
  skipped: { path: string; reason: string }[]
  costMinor: bigint
  balanceMinor: bigint
}
async function post(as: Person, files: File[], headers?: Record<string, string>) {
  const { status, body } = await server.call('POST', '/repo/index', {
    as,
    body: { files },
    ...(headers && { headers }),
  })
  return { status, body: body as Reply & { code?: string; fields?: object[] } }
}
type Hit = File & { symbol: string }
async function search(as: Person, query: string, rest: object = {}, at = server) {
  const { body } = await at.call('POST', '/repo/search', { as, body: { query, ...rest } })
  return body as { hits: Hit[]; mode: string }
}

const WALLET: File = {
  path: 'src/wallet.ts',
  content: `// Money of customers.
import { db } from './db.ts'

/** Moves kobo from one account to another, and refuses when there is too little. */
export async function transferFunds(from: string, to: string, amountKobo: bigint) {
  const balance = await db.balanceOf(from)
  if (balance < amountKobo) throw new Error('not enough')
  await db.move(from, to, amountKobo)
}

/** Closes an account for ever and tells its owner by mail. */
export async function closeAccount(account: string) {
  await db.close(account)
  await db.tell(account, 'closed')
  await db.log('the account was closed by its owner, and nothing can be booked on it')
}
`,
}
const PARSER: File = {
  path: 'lib/parser.py',
  content: `"""Reads what people write."""
import re


def parse_duration(text):
    """Turn a text such as 5m or 2h into a number of seconds."""
    match = re.match(r"(\\d+)([smh])", text)
    if not match:
        raise ValueError("no duration in " + text)
    return int(match.group(1)) * {"s": 1, "m": 60, "h": 3600}[match.group(2)]
`,
}

test('files are indexed for the price of their tokens and found by their content', async () => {
  const person = await owner()
  const { status, body } = await post(person, [WALLET, PARSER])
  expect(status).toBe(200)
  expect(body).toMatchObject({ indexed: 2, unchanged: 0, skipped: [] })
  // 90,000 kobo per million tokens, rounded up once.
  expect(body.costMinor).toBe(BigInt(Math.ceil((body.tokens * 90_000) / 1_000_000)))
  expect(body.balanceMinor).toBe(1_000_000n - body.costMinor)
  const found = await search(person, 'move money between accounts: transfer funds')
  expect(found.mode).toBe('vector')
  expect(found.hits[0]).toMatchObject({
    path: 'src/wallet.ts',
    symbol: 'transferFunds',
    startLine: 4,
    endLine: 9,
  })
  expect(found.hits[0]?.content).toContain('amountKobo')
  expect((await search(person, 'convert 5m to seconds')).hits[0]?.path).toBe('lib/parser.py')
  const [usage] = await server.sql
    .rows`select source, model, tokens, cost_minor from usage_points where org_id = ${person.orgId}`
  expect(usage).toMatchObject({ source: 'index', model: body.model, tokens: BigInt(body.tokens) })
})

test('a file with NUL characters is skipped, and the others are indexed', async () => {
  const { status, body } = await post(await owner(), [WALLET, { path: 'logo.ts', content: 'GIF89a\u0000' }])
  expect(status).toBe(200)
  expect(body).toMatchObject({ indexed: 1, skipped: [{ path: 'logo.ts', reason: 'binary' }] })
})

test('a preview returns the cost, even with an empty wallet, and maxCostMinor is never exceeded', async () => {
  const person = await owner(0n)
  const ask = (rest: object) =>
    server.call<Reply & { code?: string }>('POST', '/repo/index', {
      as: person,
      body: { files: [WALLET, PARSER], ...rest },
    })
  const { status, body } = await ask({ preview: true })
  expect([status, body.indexed, body.costMinor > 0n]).toEqual([200, 2, true])
  expect((await search(person, 'transfer funds')).hits).toEqual([])
  await giveCredit(server, person.orgId, 1_000_000n)
  expect(await ask({ maxCostMinor: body.costMinor - 1n })).toMatchObject({
    status: 409,
    body: { code: 'price_changed' },
  })
  expect(await ask({ maxCostMinor: body.costMinor })).toMatchObject({
    status: 200,
    body: { costMinor: body.costMinor, balanceMinor: 1_000_000n - body.costMinor },
  })
  expect((await ask({ preview: true })).body).toMatchObject({ indexed: 0, unchanged: 2, costMinor: 0n })
  const state = await server.call('GET', '/repo/index', { as: person })
  expect(state.body).toMatchObject({ paths: ['lib/parser.py', 'src/wallet.ts'], chunksByPath: [1, 3] })
})

test('unchanged files cost nothing, and changed files are replaced completely', async () => {
  const person = await owner()
  await post(person, [WALLET, PARSER])
  const before = await server.sql
    .rows`select id, version from index_files where org_id = ${person.orgId} order by path`
  const { body: again } = await post(person, [WALLET, PARSER])
  expect(again).toMatchObject({ indexed: 0, unchanged: 2, chunks: 0, costMinor: 0n })
  expect(
    await server.sql.rows`select id, version from index_files where org_id = ${person.orgId} order by path`,
  ).toEqual(before)
  const changed = {
    ...PARSER,
    content:
      'def parse_colour(text):\n    """Turn a name of a colour into its number."""\n    return COLOURS[text]\n',
  }
  expect((await post(person, [WALLET, changed])).body).toMatchObject({ indexed: 1, unchanged: 1 })
  const found = await search(person, 'parse duration or colour', { paths: ['lib/'] })
  expect(found.hits.map(({ symbol }) => symbol)).toEqual(['parse_colour'])
})

test('an empty wallet or an exhausted member cap is rejected before the work', async () => {
  const poor = await owner(0n)
  expect(await post(poor, [WALLET])).toMatchObject({
    status: 402,
    body: { code: 'insufficient_funds', requiredMinor: 1n },
  })
  const capped = await owner()
  await server.sql.rows`update memberships set seat_cap_minor = 0 where org_id = ${capped.orgId}`
  expect(await post(capped, [WALLET])).toMatchObject({ status: 402, body: { code: 'member_cap_reached' } })
  for (const { orgId } of [poor, capped])
    expect(await server.sql.rows`select id from index_files where org_id = ${orgId}`).toEqual([])
})

test('files that cannot be stored are not charged', async () => {
  const person = await owner()
  await server.sql
    .rows`insert into index_states (org_id, version, updated_at) values (${person.orgId}, ${2n ** 63n - 1n}, ${server.clock.now()})`
  expect((await post(person, [WALLET])).status).toBe(500)
  const { availableMinor, balanceMinor } = await readBalances(server.app.db.direct, person.orgId)
  expect({ availableMinor, balanceMinor }).toEqual({ availableMinor: 1_000_000n, balanceMinor: 1_000_000n })
})

test('a retry with the same idempotency key gets the same reply and pays once', async () => {
  const person = await owner()
  const key = { 'idempotency-key': 'index-1' }
  const first = await post(person, [WALLET], key)
  expect((await post(person, [WALLET], key)).body).toEqual(first.body)
  expect((await readBalances(server.app.db.direct, person.orgId)).balanceMinor).toBe(first.body.balanceMinor)
})

test('concurrent calls for one path store one version completely, and equal content is charged once', async () => {
  const person = await owner()
  const both = (await Promise.all([post(person, [WALLET]), post(person, [WALLET])])).map(({ body }) => body)
  expect(both.map(({ indexed }) => indexed).sort()).toEqual([0, 1])
  expect(both.map(({ costMinor }) => costMinor).filter((costMinor) => costMinor > 0n)).toHaveLength(1)
  const versions = await Promise.all(
    ['one', 'two'].map((word) =>
      post(person, [{ path: 'a.md', content: `# ${word}\n\n${word} `.repeat(30) }]),
    ),
  )
  expect(versions.map(({ status }) => status)).toEqual([200, 200])
  const rows = await server.sql.rows<{ content: string }>`
    select content from index_chunks join index_files on id = file_id where path = 'a.md' and index_files.org_id = ${person.orgId}`
  expect(new Set(rows.flatMap(({ content }) => content.match(/one|two/g))).size).toBe(1)
})

test('skipped files are listed with a reason, and their earlier versions are removed', async () => {
  const person = await owner()
  await post(person, [{ path: 'gen/api.ts', content: 'export const a = 1\n' }])
  const { body } = await post(person, [
    { path: '../up.ts', content: 'x' },
    { path: '.gitignore', content: 'build/\n*.log\n!keep.log\n' },
    { path: 'pkg/.gitignore', content: 'local.ts\n' },
    { path: 'build/out.ts', content: 'x' },
    { path: 'a.log', content: 'x' },
    { path: 'keep.log', content: 'kept' },
    { path: 'pkg/local.ts', content: 'x' },
    { path: 'node_modules/x/a.js', content: 'x' },
    { path: 'gen/api.ts', content: '// Code generated by tool. DO NOT EDIT.\n' },
    { path: 'a.min.js', content: 'x' },
    { path: 'yarn.lock', content: 'x' },
    { path: 'a.bin', content: '\ufffd\ufffdPNG' },
    { path: 'big.txt', content: 'words '.repeat(80_000) },
    { path: 'empty.ts', content: ' \n' },
    { path: '.env.production', content: 'A=1' },
    { path: 'keys.txt', content: `AKIA${'Q7ZJ4XK2M5T9WB3N'}\n`.repeat(201) },
    { path: '.env.example', content: 'A=\n' },
  ])
  expect(body.code).toBe(undefined)
  const reasons = Object.fromEntries(body.skipped.map(({ path, reason }) => [path, reason]))
  expect(reasons).toEqual({
    '../up.ts': 'invalid_path',
    'build/out.ts': 'ignored',
    'a.log': 'ignored',
    'pkg/local.ts': 'ignored',
    'node_modules/x/a.js': 'vendored',
    'gen/api.ts': 'generated',
    'a.min.js': 'minified',
    'yarn.lock': 'lockfile',
    'a.bin': 'binary',
    'big.txt': 'too_large',
    'empty.ts': 'empty',
    '.env.production': 'secret',
    'keys.txt': 'secret',
  })
  const { body: state } = await server.call('GET', '/repo/index', { as: person })
  expect(state).toMatchObject({
    enabled: true,
    files: 4,
    paths: ['.env.example', '.gitignore', 'keep.log', 'pkg/.gitignore'],
  })
})

test('a duplicate path is rejected with its position', async () => {
  const { status, body } = await post(await owner(), [WALLET, WALLET])
  expect({ status, fields: body.fields }).toMatchObject({ status: 400, fields: [{ path: 'files.1.path' }] })
})

test('secrets are masked before anything is stored', async () => {
  const person = await owner()
  const secret = `AKIA${'Q7ZJ4XK2M5T9WB3N'}`
  await post(person, [
    {
      path: 'deploy.py',
      content: `AWS_ACCESS_KEY_ID = "${secret}"\ndef deploy():\n    return connect(AWS_ACCESS_KEY_ID)\n`,
    },
  ])
  const { hits } = await search(person, 'deploy connect')
  expect(hits[0]?.content).toContain('def deploy')
  expect(hits[0]?.content).not.toContain(secret)
  expect(
    await server.sql
      .rows`select ord from index_chunks where org_id = ${person.orgId} and content || terms ilike ${`%${secret}%`}`,
  ).toEqual([])
})

test('a search on another replica sees all earlier changes', async () => {
  const person = await owner()
  const paths = async () =>
    (await search(person, 'transfer funds duration', {}, replica)).hits.map((hit) => hit.path)
  expect(await paths()).toEqual([])
  await post(person, [WALLET])
  expect(new Set(await paths())).toEqual(new Set(['src/wallet.ts']))
  await post(person, [PARSER])
  expect(new Set(await paths())).toEqual(new Set(['src/wallet.ts', 'lib/parser.py']))
  expect((await server.call('DELETE', '/repo/index?path=src/wallet.ts', { as: person })).body).toEqual({
    cleared: 1,
  })
  expect(new Set(await paths())).toEqual(new Set(['lib/parser.py']))
  expect((await server.call('DELETE', '/repo/index?path=src/wallet.ts', { as: person })).body).toEqual({
    cleared: 0,
  })
  expect((await server.call('DELETE', '/repo/index', { as: person })).body).toEqual({ cleared: 1 })
  expect(await paths()).toEqual([])
  const entries = await server.sql
    .rows`select metadata from audit_entries where org_id = ${person.orgId} and action = 'index.clear'`
  expect(entries).toHaveLength(3)
})

test('two organisations with the same files see and remove only their files', async () => {
  const [ada, bisi] = [await owner(), await owner()]
  await post(ada, [WALLET, { path: 'ada.md', content: '# Transfer funds of Ada\n' }])
  await post(bisi, [WALLET])
  const { hits } = await search(bisi, 'transfer funds of Ada')
  expect(new Set(hits.map((hit) => hit.path))).toEqual(new Set(['src/wallet.ts']))
  await server.call('DELETE', '/repo/index', { as: bisi })
  expect((await search(ada, 'transfer funds')).hits.length).toBeGreaterThan(0)
})

test('in lexical mode nothing is indexed and searches use terms; switched off, searches fail', async () => {
  const person = await owner()
  await post(person, [WALLET])
  for (const [retrieval, mode] of [
    ['lexical', 'lexical'],
    ['off', undefined],
  ]) {
    const variables = { SERVICE_RETRIEVAL: retrieval ?? '' }
    const other = await startTestServer({ url: server.url, clock: server.clock, variables })
    const rejected = await other.call('POST', '/repo/index', { as: person, body: { files: [PARSER] } })
    expect(rejected).toMatchObject({ status: 400, body: { code: 'retrieval_not_vector' } })
    expect((await search(person, 'transfer funds', {}, other)).mode).toBe(mode)
    expect((await other.call('GET', '/repo/index', { as: person })).body).toMatchObject({
      enabled: false,
      files: 1,
    })
    await other.close()
  }
})

test('a full scan returns the same results as the memory index', async () => {
  const person = await owner()
  await post(person, [WALLET, PARSER])
  const question = {
    text: 'transfer funds between accounts',
    vector: embedQuery('transfer funds'),
    vectorWeight: 0.5,
  }
  const { app } = server
  const model = EMBEDDING_MODEL
  const cached = await createIndexCache(app, 2 ** 28).refresh({ org: person.orgId, repo: 'default' }, model)
  expect(await createIndexCache(app, 1).refresh({ org: person.orgId, repo: 'default' }, model)).toBe(null)
  const { ranking, at } = await app.db.tx(person.orgId, (tx) =>
    fullScan(tx, { org: person.orgId, repo: 'default' }, model, question),
  )
  const rounded = (ranked: readonly FusedHit[], chunkAt: (place: number) => IndexedChunk | undefined) =>
    ranked.map((each) => [chunkAt(each.at)?.symbol, each.lexical.toFixed(3), each.vector.toFixed(3)])
  expect(rounded(ranking, at)).toEqual(rounded(cached?.search(question) ?? [], (place) => cached?.at(place)))
  expect(ranking.length).toBeGreaterThan(2)
})

test('a replica with too little memory finds the same, and logs the missing vector extension once', async () => {
  const person = await owner()
  await post(person, [WALLET, PARSER])
  const small = await startTestServer({ url: server.url, clock: server.clock })
  replaceIndexCache(small.app, 1)
  for (const query of ['transfer funds between accounts', 'turn a text into seconds'])
    expect(await search(person, query, {}, small)).toEqual(await search(person, query))
  expect(small.logged.filter((line) => line.includes('repo_index.vector_index.unavailable'))).toHaveLength(1)
  expect(await server.sql.rows`select id from jobs where name = 'index.fillVectors'`).toEqual([])
  await small.close()
})

test('an index that is too large for memory is not loaded again for each search', async () => {
  const person = await owner()
  await post(person, [WALLET])
  const { db, clock } = server.app
  let reads = 0
  const tx: typeof db.tx = (scope, work) => {
    reads += 1
    return db.tx(scope, work)
  }
  const small = createIndexCache({ clock, db: { ...db, tx } }, 1)
  for (let i = 0; i < 3; i++)
    expect(await small.refresh({ org: person.orgId, repo: 'default' }, EMBEDDING_MODEL)).toBe(null)
  expect(reads).toBe(1)
  server.clock.advance({ minutes: 11 })
  expect(await small.refresh({ org: person.orgId, repo: 'default' }, EMBEDDING_MODEL)).toBe(null)
  expect(reads).toBe(2)
})
