// A quote holds even if the service picks another lane for the run than for the quote.

import {
  type AgentTestServer,
  createFundedPerson,
  createRunCaller,
  fixingAnswer,
  startAgentServer,
  TASK,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { learnShare } from '../../metering/share.ts'

type Quoted = { lane: string; minMinor: bigint; maxMinor: bigint }

let stage: AgentTestServer
let who: Person
beforeAll(async () => {
  stage = await startAgentServer({
    SERVICE_DIRECT_LANE_MODE: 'frontier',
    SERVICE_INFERENCE_ESCALATE_THRESHOLD_PCT: '30',
  })
})
afterAll(() => stage.close())
beforeEach(async () => {
  stage.upstream.reset()
  who = await createFundedPerson(stage.server, 10_000_000n)
})

const HARD = { prompt: 'Refactor the payments module. Write no other text.' }
const quote = async (body: object, path = '/agent/quote') =>
  (await stage.server.call<Quoted>('POST', path, { as: who, body })).body
/** Only the open lane was used, so more tasks get the frontier lane from now on. */
async function turnToFrontier() {
  stage.upstream.script(fixingAnswer())
  await createRunCaller(stage)(who, { ...TASK, frontier: false })
  await learnShare(stage.server.app)
}
const dear = { usage: { prompt_tokens: 500, completion_tokens: 15_000, total_tokens: 15_500 } }

test('a run costs no more than its quote when another lane serves it', async () => {
  const quoted = await quote(HARD)
  expect(quoted.lane).toBe('open')
  await turnToFrontier()
  stage.upstream.script(fixingAnswer(dear))
  const { body: ran } = await createRunCaller(stage)(who, { ...TASK, ...HARD })
  expect(ran.lane).toBe('frontier')
  expect(ran.costMinor).toBeGreaterThan((await quote({ ...HARD, frontier: false })).maxMinor)
  expect(ran.costMinor).toBeLessThanOrEqual(quoted.maxMinor)
})

test('a quote covers the range of both lanes, or one lane if that was chosen', async () => {
  const thread = await stage.server.call<{ id: string }>('POST', '/chat/threads', { as: who, body: {} })
  for (const path of ['/agent/quote', `/chat/threads/${thread.body.id}/quote`]) {
    const ours = await quote(HARD, path)
    const open = await quote({ ...HARD, frontier: false }, path)
    const frontier = await quote({ ...HARD, frontier: true }, path)
    expect(open.maxMinor).toBeLessThan(frontier.maxMinor)
    expect(ours).toMatchObject({ minMinor: open.minMinor, maxMinor: frontier.maxMinor })
    expect((await quote({ ...HARD, maxMinor: open.maxMinor }, path)).maxMinor).toBe(open.maxMinor)
  }
})

test('a quote includes only the lanes that the policy allows', async () => {
  await stage.server.sql.rows`update orgs set allowed_lanes = '{open}' where id = ${who.orgId}`
  expect(await quote(HARD)).toEqual(await quote({ ...HARD, frontier: false }))
})
