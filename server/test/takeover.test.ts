// A replica dies or freezes during a keyed call. After the lease, a retry on another replica completes it, charged once.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWith, CONTEXT, create, wholeAnswer } from '@cowrie/testkit/agent/run.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { type ProbeServer, startProbeServer } from '@cowrie/testkit/harness/processes.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { GENEROUS_TIMEOUTS, scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../src/kernel/clock.ts'
import { newId, type OrgId } from '../src/kernel/ids.ts'
import { LEASE } from '../src/kernel/lease.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import type { Db } from '../src/platform/db/tx.ts'
import { applyOps } from '../src/wallet/ledger/apply-ops.ts'

/** The lease, plus extra time for a busy machine. */
const OUTCOME_WITHIN_SECONDS = LEASE.seconds + scaledTimeout(10_000) / 1_000
/** Less than the cost of two turns: the retry needs the money that the lost turn held. */
const BALANCE = 400n

type Person = { userId: string; orgId: OrgId }
type Call = { readonly path: string; readonly body: object }
type Reply = { status: number; retryAfter: number; text: string }

let url: string
let db: Db
let upstream: FakeUpstream
let provider: Server
let replicas: ProbeServer[]
/** Blocks the turn of the lost replica, by the kind of loss. */
const held = { killed: gate(), stopped: gate() }
/** The number of model or provider calls, by the name of the work. */
const asked = new Map<string, number>()

/** The first call with a name blocks; later ones are answered. */
function isFirst(name: string): boolean {
  asked.set(name, (asked.get(name) ?? 0) + 1)
  return asked.get(name) === 1
}

beforeAll(async () => {
  url = await createDatabase()
  db = openDb(url, { ...GENEROUS_TIMEOUTS, clock: new ManualClock(), max: 2, role: null })
  upstream = await startFakeUpstream()
  upstream.fallback((request) => {
    const text = answerWith((m) => wholeAnswer(m, create(m, 'new.txt', 'new')))(request).text ?? ''
    const [name = '', how] = /work-\w+-(killed|stopped)/.exec(JSON.stringify(request.body.messages)) ?? []
    return isFirst(name) ? { pieces: [held[how as keyof typeof held].opened, text] } : { text }
  })
  provider = createServer((request, response) => {
    request.resume().on('end', () => {
      if (isFirst('work-topup')) return
      response.setHeader('content-type', 'application/json')
      const data = { authorization_url: 'https://checkout.example/x', access_code: 'x', reference: 'x' }
      response.end(JSON.stringify({ status: true, message: 'ok', data }))
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const variables = {
    DATABASE_URL: url,
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    PAYSTACK_SECRET_KEY: 'sk_test_0123456789abcdef',
    PAYSTACK_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  }
  replicas = await Promise.all([1, 2].map(() => startProbeServer(variables)))
}, 240_000)
afterAll(async () => {
  for (const { open } of Object.values(held)) open()
  await Promise.all((replicas ?? []).map((each) => each.kill()))
  provider?.closeAllConnections()
  provider?.close()
  await upstream?.close()
  await db?.close()
  await dropDatabase(url)
})

const server = (n: number): ProbeServer => replicas[n] as ProbeServer
/** The lost replica, and the one that takes over. */
const [LOST, OTHER] = [0, 1]

async function post(at: ProbeServer, path: string, body: object, headers = {}): Promise<Response> {
  return fetch(`${at.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(scaledTimeout(60_000)),
  })
}

const keyed = ({ userId }: Person, key: string) => ({
  authorization: `Bearer ${userId}`,
  'idempotency-key': key,
})

async function newcomer(name: string): Promise<Person> {
  const reply = await post(server(OTHER), '/auth/dev-login', { email: `${name}@example.com` })
  const person = (await reply.json()) as Person
  const cause = `given to ${name}`
  await applyOps(
    db,
    [
      {
        ...{ kind: 'credit', org: person.orgId, mid: newId('led'), cause, ref: cause, source: 'topup' },
        ...{ amount: BALANCE, account: 'clearing:mock' },
      },
    ],
    new Date(),
    {},
  )
  return person
}

/** Calls by kind of work. The fake model reads the name from the prompt. */
const WORK: Record<string, (who: Person, name: string) => Promise<Call>> = {
  run: async (_, prompt) => ({ path: '/agent/run', body: { prompt, context: CONTEXT } }),
  loop: async (_, prompt) => ({
    path: '/agent/run-loop',
    body: { prompt, context: CONTEXT, sandbox: 'none' },
  }),
  chat: async (who, prompt) => {
    const thread = await post(server(OTHER), '/chat/threads', {}, { authorization: `Bearer ${who.userId}` })
    const { id } = (await thread.json()) as { id: string }
    return { path: `/chat/threads/${id}/messages`, body: { prompt } }
  },
  topup: async () => ({ path: '/wallet/topup', body: { amountMinor: 500_000, channel: 'card' } }),
}

async function retry(at: ProbeServer, who: Person, { path, body }: Call, key: string): Promise<Reply> {
  const reply = await post(at, path, body, keyed(who, key))
  const retryAfter = Number(reply.headers.get('retry-after'))
  return { status: reply.status, retryAfter, text: await reply.text() }
}

/** Simulates the end of the leases. The soak waits for them instead. */
async function passLeases(people: readonly Person[]): Promise<void> {
  const users = people.map(({ userId }) => userId)
  const orgs = people.map(({ orgId }) => orgId)
  const seconds = LEASE.seconds + 1
  await db.direct.rows`
    update idempotency_keys set lease_until = lease_until - make_interval(secs => ${seconds})
    where user_id = any(${users}::text[]) and state = 'running'`
  await db.direct.rows`
    update agent_runs set beat_at = beat_at - make_interval(secs => ${seconds})
    where org_id = any(${orgs}::text[]) and status = 'running'`
  await db.direct.rows`
    update chat_messages set beat_at = beat_at - make_interval(secs => ${seconds})
    where org_id = any(${orgs}::text[]) and status = 'running'`
}

/** Retries like a client, after the time in Retry-After. */
async function patiently(at: ProbeServer, who: Person, call: Call, key: string): Promise<Reply> {
  const startedMs = performance.now()
  for (;;) {
    const reply = await retry(at, who, call, key)
    if (reply.status !== 409) return reply
    expect((performance.now() - startedMs) / 1_000, call.path).toBeLessThan(OUTCOME_WITHIN_SECONDS)
    requireRetryAfter(reply)
    await new Promise((resolve) => setTimeout(resolve, reply.retryAfter * 1_000))
  }
}

function requireRetryAfter({ status, retryAfter, text }: Reply): void {
  expect(status, text).toBe(409)
  expect(retryAfter).toBeGreaterThanOrEqual(1)
  expect(retryAfter).toBeLessThanOrEqual(LEASE.seconds)
}

const books = ({ orgId }: Person) => db.direct.one<{ held: bigint; debits: number; spent: bigint }>`
  select w.held_minor as held, ${BALANCE} - w.balance_minor as spent,
         (select count(*)::int from movements m where m.org_id = w.org_id and m.kind = 'settle') as debits
  from wallets w where w.org_id = ${orgId}`

const paymentsOf = async ({ orgId }: Person) =>
  (await db.direct.rows`select reference from payments where org_id = ${orgId}`).length

/** A stopped replica continues afterwards and can then be killed. Only the soak does both. */
const LOSSES: readonly ('stopped' | 'killed')[] = isSoak ? ['stopped', 'killed'] : ['killed']

describe.each(LOSSES)('a call on a replica that was %s', (how) => {
  test('is completed by another replica after its lease, and charged once', {
    timeout: scaledTimeout(180_000),
  }, async () => {
    const kinds = how === 'killed' ? ['run', 'loop', 'chat', 'topup'] : ['run', 'loop', 'chat']
    const calls = await Promise.all(
      kinds.map(async (kind) => {
        const name = `work-${kind}-${how}`
        const who = await newcomer(name)
        const call = await (WORK[kind] as (typeof WORK)[string])(who, name)
        const lost = post(server(LOST), call.path, call.body, keyed(who, name))
          .then((reply) => reply.text())
          .catch(() => null)
        await expect
          .poll(() => asked.get(kind === 'topup' ? 'work-topup' : name), { timeout: scaledTimeout(30_000) })
          .toBe(1)
        return { kind, name, who, call, lost }
      }),
    )
    if (how === 'killed') await server(LOST).kill()
    else server(LOST).process.kill('SIGSTOP')
    const goneAt = performance.now()
    for (const { who, call, name } of calls) requireRetryAfter(await retry(server(OTHER), who, call, name))
    if (!isSoak) await passLeases(calls.map(({ who }) => who))
    await Promise.all(
      calls.map(async ({ kind, name, who, call }) => {
        const outcome = await patiently(server(OTHER), who, call, name)
        expect(outcome.status, `${kind}: ${outcome.text}`).toBe(200)
        expect(outcome.text).not.toContain('"code"')
        expect((performance.now() - goneAt) / 1_000, kind).toBeLessThan(OUTCOME_WITHIN_SECONDS)
        expect((await retry(server(OTHER), who, call, name)).text).toContain(
          outcome.text.trim().split('\n').at(-1),
        )
      }),
    )
    if (how === 'stopped') {
      held.stopped.open()
      server(LOST).process.kill('SIGCONT')
      await Promise.all(calls.map(({ lost }) => lost))
    }
    for (const { kind, who } of calls) {
      if (kind === 'topup') expect(await paymentsOf(who)).toBe(1)
      else {
        const { held: stillHeld, debits, spent } = await books(who)
        expect({ kind, stillHeld, debits }).toEqual({ kind, stillHeld: 0n, debits: 1 })
        expect(spent > 0n && spent <= BALANCE).toBe(true)
      }
    }
  })
})
