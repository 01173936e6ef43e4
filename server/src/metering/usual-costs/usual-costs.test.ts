import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { costOf, priceOf, reserveTurn, settleTurn, usualCostOf } from '../metering.ts'
import { refreshUsualCosts } from './usual-costs.ts'

type Usual = { low: number; high: number } | null
type Quoted = {
  model: string
  promptTokens: number
  minMinor: bigint
  maxMinor: bigint
  usuallyMinor: Usual
}

let server: TestServer
let people: Person[]
beforeAll(async () => {
  server = await startTestServer()
  people = await Promise.all(Array.from({ length: 6 }, () => server.person()))
  for (const { orgId } of people) await giveCredit(server, orgId, 1_000_000n)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.sql.rows`delete from holds`
  await refresh()
})

const refresh = () => refreshUsualCosts.run(server.app, {} as never)

type Sample = {
  kind?: string
  model?: string
  promptTokens?: number
  /** A charge of null: the hold was released. */
  turns: [amount: number, charged: number | null][]
  refs?: (n: number) => string
}

/** Stores settled work of an organisation, `minutes` ago. */
async function storeWork({ orgId }: Person, sample: Sample, minutes = 90): Promise<void> {
  const work = newId('agr')
  const startMs = server.clock.now().getTime() - minutes * 60_000
  const { kind, model = 'm', promptTokens = 1000, refs = (n: number) => `${work}.${n + 1}` } = sample
  const terms = JSON.stringify({ workKind: kind, model, promptTokens })
  for (const [n, [amount, charged]] of sample.turns.entries()) {
    const at = new Date(startMs + n * 1000)
    await server.sql.rows`
      insert into holds (id, org_id, ref, source, amount_minor, included_minor, included_grant, terms, state, charged_minor,
        charged_included_minor, month, deadline, created_at, ended_at)
      values (${newId('hld')}, ${orgId}, ${refs(n)}, 'agent', ${amount}, 0, 0, ${terms}::text::jsonb,
        ${charged === null ? 'released' : 'settled'}, ${charged ?? 0}, 0, date_trunc('month', ${at}::timestamptz)::date, ${at}, ${at}, ${at})`
  }
}

/** Twenty samples of five organisations: 1 % to 20 % of a reservation of 1,000. */
async function storeTwenty(rest: Omit<Sample, 'turns'>, owners = people.slice(0, 5)): Promise<void> {
  for (let n = 0; n < 20; n++)
    await storeWork(owners[n % owners.length] as Person, { ...rest, turns: [[1000, 10 * (n + 1)]] })
}

const usual = (rest: Partial<Parameters<typeof usualCostOf>[1]> = {}) =>
  usualCostOf(server.app, {
    // Without work in its name, unless named.
    orgId: newId('org'),
    kind: 'run',
    model: 'm',
    promptTokens: 1500,
    firstTurnMinor: 2000n,
    minMinor: 1n,
    maxMinor: 10_000n,
    ...rest,
  })

test('the usual cost is the 50th and 90th percentile of comparable work', async () => {
  await storeTwenty({ kind: 'run' })
  expect(await usual()).toBeNull()
  await refresh()
  // 10.5 % and 18.1 % of the first reservation.
  expect(await usual()).toEqual({ low: 210n, high: 362n })
  expect(await usual({ minMinor: 250n, maxMinor: 300n })).toEqual({ low: 250n, high: 300n })
  expect(await usual({ kind: 'loop' })).toBeNull()
  expect(await usual({ model: 'other' })).toBeNull()
  expect(await usual({ promptTokens: 2000 })).toBeNull()
})

test('all turns of a run count, as a share of its first reservation', async () => {
  for (let n = 0; n < 20; n++)
    await storeWork(people[n % 5] as Person, {
      kind: 'loop',
      turns: [
        [1000, 400],
        [900, 300],
        [5, 5],
      ],
    })
  await refresh()
  expect(await usual({ kind: 'loop' })).toEqual({ low: 1410n, high: 1410n })
})

test('a turn of a task counts as a whole: all steps, and of each step only the call that was charged', async () => {
  for (let n = 0; n < 20; n++) {
    const turn = newId('trn')
    const steps = ['1.1', '1.2', '2.1', '4.1', '4.2', '11.1']
    await storeWork(people[n % 5] as Person, {
      kind: 'turn',
      turns: [
        [5000, null],
        [1000, 100],
        [1200, 200],
        [1500, null],
        [1500, 300],
        [400, 10 * (n + 1)],
      ],
      refs: (call) => `${turn}.${steps[call]}`,
    })
  }
  await refresh()
  // 600 for each turn, and 10 to 200 for its last step, of a first reservation of 1,000.
  expect(await usual({ kind: 'turn' })).toEqual({ low: 1410n, high: 1562n })
  expect(await server.sql.rows`select samples, orgs from usual_costs`).toEqual([{ samples: 20, orgs: 5 }])
  expect(await usual({ kind: 'loop' })).toBeNull()
})

test('too few samples or organisations show nothing, and one organisation does not decide alone', async () => {
  await storeTwenty({ kind: 'message' }, people.slice(0, 4))
  await storeTwenty({ kind: 'loop' })
  await server.sql.rows`
    delete from holds where id = (select id from holds where terms ->> 'workKind' = 'loop' limit 1)`
  await storeTwenty({ kind: 'run' })
  for (let n = 0; n < 60; n++) await storeWork(people[5] as Person, { kind: 'run', turns: [[1000, 1000]] })
  await refresh()
  expect(await server.sql.rows`select kind, samples, orgs from usual_costs`).toEqual([
    { kind: 'run', samples: 70, orgs: 6 },
  ])
  expect(await usual({ kind: 'message' })).toBeNull()
  expect(await usual({ kind: 'loop' })).toBeNull()
})

test('work that may continue, old work, tiny reservations and work without a quote do not count', async () => {
  await storeTwenty({ kind: 'run' })
  for (const person of people) {
    await storeWork(person, { kind: 'run', turns: [[1000, 1000]] }, 30)
    await storeWork(person, { kind: 'run', turns: [[1000, 1000]] }, 31 * 24 * 60)
    await storeWork(person, { kind: 'run', turns: [[49, 49]] })
    await storeWork(person, { turns: [[1000, 1000]] })
  }
  await refresh()
  expect(await server.sql.rows`select samples from usual_costs`).toEqual([{ samples: 20 }])
})

test('quotes of runs, loops and messages show it beside the maximum', async () => {
  const ada = people[0] as Person
  const quote = async (path: string, body: object) =>
    (await server.call<Quoted>('POST', path, { as: ada, body })).body
  const { body: thread } = await server.call<{ id: string }>('POST', '/chat/threads', { as: ada, body: {} })
  const quotes = {
    run: () => quote('/agent/quote', { prompt: 'Add a test.' }),
    loop: () => quote('/agent/quote', { prompt: 'Add a test.', maxIters: 2 }),
    message: () => quote(`/chat/threads/${thread.id}/quote`, { prompt: 'Hello' }),
  }
  for (const [kind, ask] of Object.entries(quotes)) {
    const { model, promptTokens, usuallyMinor } = await ask()
    expect(usuallyMinor).toBeNull()
    await storeTwenty({ kind, model, promptTokens })
  }
  await refresh()
  for (const ask of Object.values(quotes)) {
    const { usuallyMinor, minMinor, maxMinor } = await ask()
    expect(BigInt(usuallyMinor?.low ?? 0)).toBeGreaterThan(minMinor)
    expect(usuallyMinor?.high ?? 0).toBeGreaterThan(usuallyMinor?.low ?? 0)
    expect(BigInt(usuallyMinor?.high ?? 0)).toBeLessThan(maxMinor)
  }
})

test('settled turns are such work, and another replica shows the result within five minutes', async () => {
  const other = await startTestServer({ url: server.url, clock: server.clock })
  const quoted = {
    orgId: newId('org'),
    kind: 'message' as const,
    model: 'm-2',
    promptTokens: 1000,
    firstTurnMinor: costOf(priceOf(server.app, 'open', 'NGN'), 1000, 4000),
    minMinor: 1n,
    maxMinor: 450n,
  }
  try {
    expect(await usualCostOf(other.app, quoted)).toBeNull()
    for (let n = 0; n < 20; n++) {
      const { orgId, userId } = people[n % 5] as Person
      const turn = await reserveTurn(server.app, {
        ...{
          orgId,
          userId,
          keyId: null,
          ref: newId('msg'),
          source: 'chat',
          workKind: 'message',
          lane: 'open',
        },
        ...{ model: 'm-2', currency: 'NGN', promptTokens: 1000, outputCeiling: 4000, leastOutput: 4000 },
        ...{ spentMicroKobo: 0n, deadline: new Date(server.clock.now().getTime() + 60_000) },
      })
      await settleTurn(server.app, turn, { promptTokens: 900, outputTokens: 300 })
    }
    server.clock.advance({ hours: 1, seconds: 1 })
    await refresh()
    // 108 of 450, rounded up to a thousandth.
    expect(await usualCostOf(server.app, quoted)).toEqual({ low: 108n, high: 108n })
    expect(await usualCostOf(other.app, quoted)).toEqual({ low: 108n, high: 108n })
  } finally {
    await other.close()
  }
})

test('five works of the organisation itself are enough, and none of others shows', async () => {
  const [owner, stranger] = [await server.person(), await server.person()]
  const own = { kind: 'run' as const, model: 'own' }
  for (let n = 0; n < 4; n++) await storeWork(owner, { ...own, turns: [[1000, 100]] })
  expect(await usual({ orgId: owner.orgId, model: 'own' })).toBeNull()
  await storeWork(owner, { ...own, turns: [[1000, 300]] })
  expect(await usual({ orgId: owner.orgId, model: 'own' })).toEqual({ low: 200n, high: 440n })
  expect(await usual({ orgId: stranger.orgId, model: 'own' })).toBeNull()
})
