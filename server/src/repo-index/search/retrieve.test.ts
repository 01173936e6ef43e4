// Retrieval for the agent and chat, in every placement of the content.

import {
  type AgentTestServer,
  answerWith,
  createFundedPerson,
  startAgentServer,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

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

const TAX = {
  path: 'src/tax.ts',
  content: `/** Works out value added tax of an invoice in kobo. */
export function valueAddedTax(totalKobo: bigint, percent: bigint): bigint {
  return (totalKobo * percent + 50n) / 100n
}
`,
}
const index = (files: object[], as = ada) => stage.server.call('POST', '/repo/index', { as, body: { files } })
const lastPrompt = () => JSON.stringify(stage.upstream.requests.at(-1)?.body)
const nothing = answerWith((m) => `${m('plan')}\nNothing to do.\n${m('summary')}\nDone.\n${m('end')}\n`)

async function agentIsShown(body: object, as = ada): Promise<boolean> {
  stage.upstream.script(nothing)
  await stage.server.call('POST', '/agent/run', { as, body })
  return lastPrompt().includes('percent + 50n')
}

test('a run sees excerpts from the index, except of files that the caller sends', async () => {
  const task = { prompt: 'Round value added tax of invoices half up' }
  expect(await agentIsShown(task)).toBe(false)
  await index([TAX])
  expect(await agentIsShown(task)).toBe(true)
  const sent = { ...task, context: [{ path: 'src/tax.ts', content: 'export {}\n' }] }
  expect(await agentIsShown(sent)).toBe(false)
  expect(await agentIsShown(task, await createFundedPerson(stage.server, 10_000_000n))).toBe(false)
})

test('a quote includes the excerpts, and the run stays within it', async () => {
  await index([TAX])
  const body = { prompt: 'Round value added tax of invoices half up' }
  type Quote = { promptTokens: number; maxMinor: bigint }
  const other = await createFundedPerson(stage.server, 10_000_000n)
  const [mine, theirs] = await Promise.all(
    [ada, other].map((as) => stage.server.call<Quote>('POST', '/agent/quote', { as, body })),
  )
  expect(mine?.body.promptTokens).toBeGreaterThan(theirs?.body.promptTokens ?? 0)
  stage.upstream.script(nothing)
  const run = await stage.server.call<{ costMinor: bigint }>('POST', '/agent/run', { as: ada, body })
  expect(run.body.costMinor).toBeLessThanOrEqual(mine?.body.maxMinor ?? 0n)
})

test('chat sees excerpts in code mode, with a bar before each line, and not in general mode', async () => {
  await index([TAX])
  for (const [mode, isShown] of [
    ['code', true],
    ['general', false],
  ] as const) {
    const { body: thread } = await stage.server.call<{ id: string }>('POST', '/chat/threads', {
      as: ada,
      body: { mode },
    })
    const body = { prompt: 'How is value added tax of an invoice rounded?' }
    await stage.server.call('POST', `/chat/threads/${thread.id}/messages`, { as: ada, body })
    expect(lastPrompt().includes('|   return (totalKobo * percent')).toBe(isShown)
  }
})

test('content in a separate placement is indexed and found there', async () => {
  await index([TAX])
  const operator = await stage.server.person({ staff: 'operator' })
  const policy = { dataIsolation: 'schema' }
  await stage.server.call('PUT', `/orgs/${ada.orgId}/policy`, { as: operator, body: policy })
  expect(await stage.server.sql.rows`select id from public.index_files where org_id = ${ada.orgId}`).toEqual(
    [],
  )
  await index([
    { path: 'src/fee.ts', content: '// Fees are added to an invoice here.\nexport const fee = 100n\n' },
  ])
  const { body } = await stage.server.call<{ hits: { path: string }[] }>('POST', '/repo/search', {
    as: ada,
    body: { query: 'value added tax and fees of an invoice' },
  })
  expect(body.hits.map(({ path }) => path).sort()).toEqual(['src/fee.ts', 'src/tax.ts'])
})
