// The reference prefills a body for every operation. The service must accept it unchanged.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modules } from '../../../../modules.ts'
import { documentOf } from '../../../../service.ts'
import { system } from '../../../../system.ts'
import { parseBody } from '../../request/input.ts'
import type { Route } from '../../route.ts'

type Operation = { requestBody?: { content: Record<string, { example?: unknown }> } }

const tables = [system(() => ''), ...modules]
const { paths } = documentOf(modules, '0.0.0') as unknown as {
  paths: Record<string, Record<string, Operation>>
}
const exampleFor = ({ method, path }: Route): unknown =>
  paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.example
const prefilled = tables
  .flatMap((module) => module.routes ?? [])
  .filter((route) => !route.hidden && exampleFor(route) !== undefined)

test.for(prefilled)('the example of $method $path matches its schema', (route) => {
  const given = parseBody(Buffer.from(JSON.stringify(exampleFor(route))))
  expect(route.body?.safeParse(given)).toMatchObject({ success: true })
})

/** Paths whose example needs real data: a mailed token, a fresh code, a password, the name of an organisation or setting. */
const NEEDS_KNOWLEDGE =
  /^\/auth\/(?!keys|device$)|^\/webhooks|token|otp|passkeys|^\/orgs\/\{orgId\}$|^\/admin\/settings\/\{key\}$|^\/teams\/leave$|^\/me\/email\/confirm$|^\/admin\/rails\/routes$/

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_SEARCH_URL: 'http://127.0.0.1:9/search' } })
})
afterAll(() => server.close())

async function caller(): Promise<Person> {
  const person = await server.person({ type: 'team', staff: 'super_admin' })
  await giveCredit(server, person.orgId, 1_000_000n)
  return person
}

test.for(prefilled.filter(({ path }) => !NEEDS_KNOWLEDGE.test(path)))(
  'the service accepts the example of $method $path',
  async (route) => {
    const as = await caller()
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'orgId' ? as.orgId : as.userId))
    const reply = await server.call<{ code?: string; error?: string }>(route.method, path, {
      as,
      body: exampleFor(route) as object,
      headers: { 'idempotency-key': route.name },
    })
    expect([400, 415, 422, 500], JSON.stringify(reply.body)).not.toContain(reply.status)
  },
)
