// Repositories of one organisation are separate, even with the same paths.

import {
  type AgentTestServer,
  answerWith,
  createFundedPerson,
  startAgentServer,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { REPOS_PER_ORG_MAX } from './limits.ts'

let stage: AgentTestServer
let ada: Person
beforeAll(async () => {
  stage = await startAgentServer()
})
beforeEach(async () => {
  stage.upstream.reset()
  ada = await createFundedPerson(stage.server, 10_000_000n)
})
afterAll(() => stage.close())

const rounding = (name: string) => ({
  path: 'src/tax.ts',
  content: `/** Works out value added tax of an invoice of the ${name}. */
export function ${name}Tax(totalKobo: bigint): bigint {
  return (totalKobo * 75n + 500n) / 1000n
}
`,
})
const [SHOP, BANK] = ['acme/shop', 'acme/bank']
const call = <Body>(route: string, path: string, body: object, as = ada) =>
  stage.server.call<Body>(route, path, { as, body })
const push = (repo: string | undefined, files: object[], rest: object = {}) =>
  call<{ indexed: number; unchanged: number; code?: string; error?: string }>('POST', '/repo/index', {
    ...(repo && { repo }),
    files,
    ...rest,
  })
type Hit = { path: string; content: string; symbol: string }
async function symbolsIn(repo: string | undefined): Promise<string[]> {
  const { body } = await call<{ hits: Hit[] }>('POST', '/repo/search', {
    ...(repo && { repo }),
    query: 'value added tax of an invoice',
  })
  return body.hits.map(({ symbol }) => symbol)
}
type State = {
  repo: string
  files: number
  paths: string[]
  repositories: { repo: string; files: number; chunks: number; bytes: number }[]
}
const read = async (query = '') =>
  (await stage.server.call<State>('GET', `/repo/index${query}`, { as: ada })).body
const clear = async (query: string) =>
  (await stage.server.call<{ cleared: number }>('DELETE', `/repo/index${query}`, { as: ada })).body.cleared

test('two repositories with the same paths have separate code', async () => {
  await push(SHOP, [rounding('shop')])
  await push(BANK, [rounding('bank')])
  expect(await symbolsIn(SHOP)).toEqual(['shopTax'])
  expect(await symbolsIn(BANK)).toEqual(['bankTax'])
  expect((await push(SHOP, [rounding('shop')])).body).toMatchObject({ indexed: 0, unchanged: 1 })
  // A change of one repository does not affect the other, even in the memory cache.
  await push(SHOP, [rounding('market')])
  expect(await symbolsIn(SHOP)).toEqual(['marketTax'])
  expect(await symbolsIn(BANK)).toEqual(['bankTax'])
})

test('a request without a repository uses the repository default', async () => {
  await push(undefined, [rounding('shop')])
  await push(BANK, [rounding('bank')])
  expect(await symbolsIn(undefined)).toEqual(['shopTax'])
  expect(await symbolsIn('default')).toEqual(['shopTax'])
  expect((await push('default', [rounding('shop')])).body).toMatchObject({ unchanged: 1 })
})

test('the index lists the files of a repository and all repositories', async () => {
  await push(SHOP, [rounding('shop'), { path: 'src/fee.ts', content: 'export const fee = 100n\n' }])
  await push(BANK, [rounding('bank')])
  expect(await read(`?repo=${encodeURIComponent(SHOP)}`)).toMatchObject({
    repo: SHOP,
    files: 2,
    paths: ['src/fee.ts', 'src/tax.ts'],
    repositories: [
      { repo: BANK, files: 1 },
      { repo: SHOP, files: 2 },
    ],
  })
  expect(await read()).toMatchObject({ repo: 'default', files: 0, paths: [] })
})

test('removing a path or a repository does not affect others', async () => {
  for (const repo of [undefined, SHOP, BANK]) await push(repo, [rounding('shop')])
  expect(await clear(`?repo=${encodeURIComponent(SHOP)}&path=src/tax.ts`)).toBe(1)
  expect(await symbolsIn(SHOP)).toEqual([])
  expect(await clear('')).toBe(1)
  expect(await symbolsIn(undefined)).toEqual([])
  expect(await symbolsIn(BANK)).toEqual(['shopTax'])
  expect(await clear(`?repo=${encodeURIComponent(BANK)}`)).toBe(1)
  expect((await read()).repositories).toEqual([])
  await push(BANK, [rounding('bank')])
  expect(await symbolsIn(BANK)).toEqual(['bankTax'])
})

test('an empty or too long name, or one with control characters, is rejected', async () => {
  for (const repo of ['   ', 'a'.repeat(201), 'acme\n/shop']) {
    const { status, body } = await push(repo, [rounding('shop')])
    expect([status, body.code]).toEqual([400, 'invalid_fields'])
  }
  expect((await push('a'.repeat(200), [rounding('shop')])).status).toBe(200)
})

test('a repository beyond the limit is rejected and costs nothing', async () => {
  await push(SHOP, [rounding('shop')])
  await stage.server.sql.rows`
    insert into index_files (id, org_id, repo, path, sha256, model, language, bytes, chunks, version, indexed_at)
    select id || n, org_id, 'other ' || n, path, sha256, model, language, bytes, 0, version, indexed_at
    from index_files, generate_series(2, ${REPOS_PER_ORG_MAX}::int) n where org_id = ${ada.orgId}`
  const balance = async () =>
    (await stage.server.call<{ balanceMinor: bigint }>('GET', '/wallet', { as: ada })).body.balanceMinor
  const before = await balance()
  const { status, body } = await push(BANK, [rounding('bank')])
  expect([status, body.code]).toEqual([409, 'limit_reached'])
  expect(body.error).toContain(`at most ${REPOS_PER_ORG_MAX} repositories`)
  expect(await balance()).toBe(before)
  expect((await push(SHOP, [rounding('market')])).status).toBe(200)
})

const nothing = answerWith((m) => `${m('plan')}\nNothing to do.\n${m('summary')}\nDone.\n${m('end')}\n`)
const shown = () => {
  const text = JSON.stringify(stage.upstream.requests.at(-1)?.body)
  return ['shopTax', 'bankTax'].filter((name) => text.includes(name))
}
async function agentIsShown(repo?: string): Promise<string[]> {
  stage.upstream.script(nothing)
  await call('POST', '/agent/run', {
    prompt: 'Round value added tax of invoices half up',
    ...(repo && { repo }),
  })
  return shown()
}
async function chatIsShown(repo?: string): Promise<string[]> {
  const { body: thread } = await call<{ id: string }>('POST', '/chat/threads', { mode: 'code' })
  const prompt = 'How is value added tax of an invoice rounded?'
  await call('POST', `/chat/threads/${thread.id}/messages`, { prompt, ...(repo && { repo }) })
  return shown()
}

test('the agent and chat see only the requested repository', async () => {
  await push(SHOP, [rounding('shop')])
  expect(await agentIsShown(BANK)).toEqual([])
  // Without a name, the only repository is used.
  expect(await agentIsShown()).toEqual(['shopTax'])
  await push(BANK, [rounding('bank')])
  expect(await agentIsShown(SHOP)).toEqual(['shopTax'])
  expect(await agentIsShown(BANK)).toEqual(['bankTax'])
  expect(await chatIsShown(BANK)).toEqual(['bankTax'])
  // With several repositories, none is guessed.
  expect([await agentIsShown(), await chatIsShown()]).toEqual([[], []])
  await push(undefined, [rounding('shop')])
  expect([await agentIsShown(), await chatIsShown()]).toEqual([['shopTax'], ['shopTax']])
})

test('repositories move with the content of their organisation', async () => {
  await push(SHOP, [rounding('shop')])
  await push(BANK, [rounding('bank')])
  const operator = await stage.server.person({ staff: 'operator' })
  await stage.server.call('PUT', `/orgs/${ada.orgId}/policy`, {
    as: operator,
    body: { dataIsolation: 'schema' },
  })
  expect(await symbolsIn(SHOP)).toEqual(['shopTax'])
  expect(await symbolsIn(BANK)).toEqual(['bankTax'])
  expect((await push(SHOP, [rounding('shop')])).body).toMatchObject({ unchanged: 1 })
})
