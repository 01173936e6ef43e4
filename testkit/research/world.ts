// A service, a small web and customers with a balance.

import type { RunEvent } from '@cowrie/server/src/research/run-events.ts'
import type { ResearchRunId } from '@cowrie/server/src/research/types.ts'
import { QUESTION } from '@cowrie/server/src/research/world/pages.ts'
import { type FakeWeb, startWeb } from '../fakes/web-pages.ts'
import { type Person, startTestServer, type TestServer, type TestServerOptions } from '../harness/harness.ts'
import { giveCredit } from '../wallet/money.ts'

export type RunDetail = {
  id: ResearchRunId
  status: string
  stopReason: string | null
  spentMinor: bigint
  refundedMinor: bigint
  budgetMinor: bigint
  errorCode: string | null
  turns: number
  plan: { subquestions: unknown[] } | null
  sources: { n: number; url: string; title: string; status: string; reason: string | null }[]
  findings: { id: string; claim: string; quote: string; sources: number[] }[]
  report: { files: { id: string; name: string; contentType: string; bytes: bigint; url: string }[] } | null
}

export type RunInput = { question?: string; depth?: string; budgetMinor?: bigint; [field: string]: unknown }

export type ResearchWorld = {
  readonly server: TestServer
  readonly web: FakeWeb
  customer(balanceMinor?: bigint): Promise<Person>
  start(as: Person, input?: RunInput): Promise<ResearchRunId>
  /** Starts a run and performs it until it is finished. */
  research(as: Person, input?: RunInput): Promise<RunDetail>
  detail(as: Person, id: string): Promise<RunDetail>
  /** All events of the run, in order. */
  events(as: Person, id: ResearchRunId): Promise<RunEvent[]>
  /** The text of one file of the report. */
  file(as: Person, run: RunDetail, name: string): Promise<string>
  close(): Promise<void>
}

const PLENTY = 10_000_000n
const ATTEMPTS_MAX = 5

export async function startResearchWorld(
  options: TestServerOptions = {},
  fakeWeb?: FakeWeb,
): Promise<ResearchWorld> {
  const web = fakeWeb ?? (await startWeb())
  const server = await startTestServer({
    schedules: ['research.', 'wallet.', 'metering.'],
    ...options,
    variables: { ...web.variables, ...options.variables },
  })
  const detail = async (as: Person, id: string) => {
    const { status, text, body } = await server.call<RunDetail>('GET', `/research/${id}`, { as })
    if (status !== 200) throw new Error(`no run: ${text}`)
    return body
  }
  const start = async (as: Person, input: RunInput = {}) => {
    const body = { question: QUESTION, depth: 'quick', ...input }
    const reply = await server.call<{ id: ResearchRunId }>('POST', '/research', { as, body })
    if (reply.status !== 202) throw new Error(`not started: ${reply.text}`)
    return reply.body.id
  }
  return {
    server,
    web,
    start,
    detail,
    async customer(balanceMinor = PLENTY) {
      const person = await server.person()
      await giveCredit(server, person.orgId, balanceMinor)
      return person
    },
    async research(as, input) {
      const id = await start(as, input)
      // A moved clock may expire the lease of a job. Then it is taken again, as by another process.
      for (let attempt = 1; ; attempt++) {
        await server.app.jobs.drain()
        const run = await detail(as, id)
        if (run.status !== 'running' || attempt === ATTEMPTS_MAX) return run
      }
    },
    async events({ orgId }, id) {
      const rows = await server.sql.rows<{ event: RunEvent }>`
        select event from stream_events where stream_id = ${id} and org_id = ${orgId} order by seq`
      return rows.map(({ event }) => event)
    },
    async file(as, run, name) {
      const found = run.report?.files.find((file) => file.name === name)
      if (!found) throw new Error(`there is no ${name}`)
      return (await server.call('GET', found.url, { as })).text
    },
    async close() {
      await server.close()
      if (!fakeWeb) await web.close()
    },
  }
}
