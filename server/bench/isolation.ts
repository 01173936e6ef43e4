// `npm run bench:isolation`: measures how long it takes to move an organisation's content while its members work on two
// replicas, and how long their slowest call takes.
//   --rows n     rows of content, default 100000
//   --people n   concurrent members, default 4
//   --to place   schema (default) or dedicated
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seedContent } from '@cowrie/testkit/platform/content-fixtures.ts'
import { openAccount } from '../src/identity/identity.ts'
import { assert, present } from '../src/kernel/assert.ts'
import { after, DisciplinedClock } from '../src/kernel/clock.ts'
import { toJson } from '../src/kernel/json.ts'
import { readConfig } from '../src/platform/config.ts'
import { createDedicatedDatabases } from '../src/platform/content/dedicated/dedicated-databases.ts'
import type { MoveStep } from '../src/platform/content/move/move-job.ts'
import { openContent } from '../src/platform/content/open-content.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import { createLog } from '../src/platform/log/log.ts'
import { type Service, startService } from '../src/service.ts'
import { credit } from '../src/wallet/wallet.ts'
import { type Caller, startTraffic } from '../test/isolation-traffic.ts'
import { addMember } from './sql.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    people: { type: 'string', default: '4' },
    to: { type: 'string', default: 'schema' },
  },
})
const to = options.to === 'dedicated' ? 'dedicated' : 'schema'
const say = (line: string) => process.stderr.write(`${line}\n`)

const dir = mkdtempSync(join(tmpdir(), 'cowrie-isolation-'))
const database = await startEmbedded({ dir: join(dir, 'postgres'), log: () => undefined })
try {
  await run()
} finally {
  await database.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

async function run(): Promise<void> {
  const replicas = [await start(), await start()]
  const owner = openDb(database.url, { clock: new DisciplinedClock(), max: 2, statementTimeoutMs: 600_000 })
  try {
    const app = present(replicas[0], 'there are two').app
    const account = await app.db.tx('platform', (tx) =>
      openAccount(tx, { email: 'owner@example.com', verified: true }),
    )
    assert(account, 'the database is new')
    const { orgId } = account
    await app.db.tx(orgId, (tx) =>
      credit(app, tx, {
        orgId,
        amountMinor: 1_000_000_00n,
        source: 'topup',
        ref: 'bench',
        cause: 'bench',
        account: 'clearing:mock',
      }),
    )
    await seedContent(owner.direct, orgId, 'usr_of_old', Number(options.rows))
    const callers: Caller[] = []
    for (let n = 0; n < Number(options.people); n++) {
      const email = `person${n}@example.com`
      const person = await app.db.tx('platform', (tx) => openAccount(tx, { email, verified: true }))
      assert(person, 'the database is new')
      await addMember(owner.direct, orgId, person.userId, app.clock.now())
      callers.push(callerOf(present(replicas[n % 2], 'there are two'), person.userId))
    }
    await measure(app, orgId, callers)
  } finally {
    await owner.close()
    for (const replica of replicas) await replica.close()
  }
}

async function measure(app: Service['app'], orgId: Parameters<typeof seedContent>[1], callers: Caller[]) {
  const reached: [MoveStep, number][] = []
  const content = openContent({
    url: database.url,
    db: app.db,
    clock: app.clock,
    log: app.log,
    dedicated: createDedicatedDatabases({
      url: database.url,
      dedicatedUrl: null,
      clock: app.clock,
      log: app.log,
    }),
    onStep: (step) => void (reached.at(-1)?.[0] === step || reached.push([step, performance.now()])),
  })
  const traffic = startTraffic(callers)
  const from = performance.now()
  await content.prepare(orgId, to)
  await app.db.tx(orgId, (tx) => content.startMove(tx, orgId, to))
  const done = await content.resumeMove(orgId, after(app.clock.now(), { minutes: 30 }))
  const tookMs = performance.now() - from
  const { calls, failures, slowest } = await traffic.stop()
  await content.close()
  for (const [step, at] of reached) say(`${Math.round(at - from)} ms  ${step}`)
  say(`${options.rows} rows moved to a ${to} placement in ${Math.round(tookMs)} ms`)
  say(`${calls} calls, ${failures.length} failed, the slowest took ${slowest.ms} ms: ${slowest.call}`)
  for (const failure of failures.slice(0, 10)) say(failure)
  if (!done || failures.length > 0) process.exitCode = 1
}

function start(): Promise<Service> {
  const variables = {
    SERVICE_ENV: 'test',
    SERVICE_DEV_AUTH: 'on',
    SERVICE_SECRET: 'a secret that only benchmarks know, long enough',
    DATABASE_URL: database.url,
    SERVICE_DATA_DIR: join(dir, 'data'),
    SERVICE_RATE_LIMIT_MONEY: '1000000/60',
    SERVICE_RATE_LIMIT_GLOBAL: '1000000/60',
  }
  return startService({
    config: readConfig(variables, '0.0.0'),
    variables,
    log: createLog({ level: 'error' }),
    background: false,
  })
}

function callerOf({ engine }: Service, bearer: string): Caller {
  return async (method, path, body) => {
    const { statusCode, body: text } = await engine.http.inject({
      method: method as 'GET',
      url: path,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: toJson(body) }),
    })
    return { status: statusCode, text, body: text.startsWith('{') ? JSON.parse(text) : {} }
  }
}
