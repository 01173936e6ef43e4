// Replies are replayed under their idempotency key and stored only in the content database of their organisation.

import {
  type AgentTestServer,
  createFundedPerson,
  createRunCaller,
  fixingAnswer,
  startAgentServer,
  TASK,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer()
})
afterAll(() => stage.close())

const templateOf = (text: string) => Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray

/** Tables with a row that contains these words. */
async function tablesWith(words: string): Promise<string[]> {
  const { sql } = stage.server
  const tables = await sql.rows<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' or schemaname like 'org\\_%' order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql.rows(templateOf(`select 1 from ${name} t where t::text like '%${words}%' limit 1`))
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('a reply under a key moves with the content and is replayed byte for byte', async () => {
  const { server, upstream } = stage
  const who = await createFundedPerson(server, 1_000_000n)
  const { orgId } = who
  upstream.script(fixingAnswer({ usage: USAGE }))
  const ask = () => createRunCaller(stage)(who, TASK, 'kept-1')
  const first = await ask()
  expect(first.status).toBe(200)
  expect(await tablesWith('return a + b')).toEqual(['public.agent_runs', 'public.kept_replies'])

  const { content, db, clock } = server.app
  await content.prepare(orgId, 'schema')
  await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'schema'))
  expect(await content.resumeMove(orgId, after(clock.now(), { minutes: 1 }))).toBe(true)
  expect(await tablesWith('return a + b')).toEqual([`${orgId}.agent_runs`, `${orgId}.kept_replies`])
  const again = await ask()
  expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([200, 'true', first.text])

  // The first run registers the schedules; the next one finds them due.
  await server.app.jobs.drain()
  server.clock.advance({ days: 8 })
  await server.app.jobs.drain()
  expect(await tablesWith('return a + b')).toEqual([`${orgId}.agent_runs`])
})
