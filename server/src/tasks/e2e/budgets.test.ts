// Money of tasks: a budget holds over all turns, whatever else spends from the wallet meanwhile, and no balance becomes negative.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const FILES = { 'a.txt': 'one\n' }
const USAGE = { prompt_tokens: 3_000, completion_tokens: 400, total_tokens: 3_400 }

let world: TaskWorld
let ada: Person
let written: number
beforeAll(async () => {
  world = await startTaskWorld({ variables: { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' } })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.upstream.reset()
  written = 0
  ada = await world.customer()
})

const write = () => {
  written++
  return calls(['create', { path: `${written}.txt`, content: `${written}\n` }])
}
const call = <T = Record<string, unknown>>(
  as: { bearer: string },
  method: string,
  path: string,
  body?: object,
) => world.server.call<T & { code?: string }>(method, path, { as, ...(body && { body }) })
const leastOf = async (as: Person, task: string) =>
  (await call<{ leastMinor: bigint }>(as, 'POST', `/tasks/${task}/quote`, {})).body.leastMinor
const walletOf = ({ orgId }: Person) => world.server.sql.one<{ balance: bigint; held: bigint }>`
  select balance_minor as balance, held_minor as held from wallets where org_id = ${orgId}`
/** The sum of the charges of a task, as the ledger has it. */
const chargedTo = async (task: string): Promise<bigint> => {
  const { sum } = await world.server.sql.one<{ sum: bigint }>`
    select coalesce(sum(charged_minor), 0)::bigint as sum from holds
    where state = 'settled' and split_part(ref, '.', 1) in (select id from task_turns where task_id = ${task})`
  return sum
}

test('the budget of a task holds over turns of many steps; the last one keeps its work', async () => {
  let step = 0
  world.upstream.fallback(() =>
    ++step % 3 === 0 ? { text: 'Done.', usage: USAGE } : { ...write(), usage: USAGE },
  )
  const task = await world.create(ada, FILES)
  const budgetMinor = (await leastOf(ada, task)) * 5n
  await call(ada, 'PATCH', `/tasks/${task}`, { budgetMinor })
  const stops: (string | null)[] = []
  for (let turn = 0; turn < 30 && stops.at(-1) !== 'refused'; turn++) {
    const ended = await world.turn(ada, task).catch((error: Error) => {
      expect(error.message).toContain('budget_too_low')
    })
    stops.push(ended ? ended.stopReason : 'refused')
    const { spentMinor, turns } = await world.read(ada, task)
    expect(spentMinor).toBeLessThanOrEqual(budgetMinor)
    expect(spentMinor).toBe(await chargedTo(task))
    for (const each of turns) expect(each.spentMinor).toBeLessThanOrEqual(each.maxMinor)
  }
  expect(stops.length).toBeGreaterThan(2)
  expect(stops.at(-1)).toBe('refused')
  for (let n = 1; n <= written; n++) expect(await world.file(ada, task, `${n}.txt`)).toBe(`${n}\n`)
  // A higher budget allows further turns.
  await call(ada, 'PATCH', `/tasks/${task}`, { budgetMinor: budgetMinor * 2n })
  expect(await world.turn(ada, task)).toMatchObject({ status: 'finished', errorCode: null })
})

test('other calls that spend the wallet during a turn end it with its work, and no balance is negative', async () => {
  const task = await world.create(ada, FILES)
  const poor = await world.customer((await leastOf(ada, task)) * 6n)
  const own = await world.create(poor, FILES)
  const spend = async () => {
    const body = {
      model: 'open',
      messages: [{ role: 'user', content: `Spend it. ${'x '.repeat(4_000)}` }],
      max_tokens: 500,
    }
    const statuses = new Set<number>()
    while (!statuses.has(402)) statuses.add((await call(poor, 'POST', '/v1/chat/completions', body)).status)
    expect((await walletOf(poor)).balance).toBeGreaterThanOrEqual(0n)
  }
  world.upstream.fallback(({ body }) => {
    if (JSON.stringify(body.messages).includes('Spend it.')) return { text: 'Spent.', usage: USAGE }
    return written === 1
      ? { ...write(), usage: USAGE, pieces: [spend, 'I write.'] }
      : { ...write(), usage: USAGE }
  })
  const turn = await world.turn(poor, own)
  expect(turn).toMatchObject({ stopReason: 'budget_reached', errorCode: 'insufficient_funds' })
  expect(turn.spentMinor).toBe(await chargedTo(own))
  for (let n = 1; n < written; n++) expect(await world.file(poor, own, `${n}.txt`)).toBe(`${n}\n`)
  const { balance, held } = await walletOf(poor)
  expect(balance).toBeGreaterThanOrEqual(0n)
  expect(held).toBe(0n)
  await expect(world.start(poor, own)).rejects.toThrow('insufficient_funds')
})

test('tasks that run at once share the wallet, and together spend at most what is there', async () => {
  const quoted = await leastOf(ada, await world.create(ada, FILES))
  const start = quoted * 7n
  const poor = await world.customer(start)
  world.upstream.fallback(() => ({ ...write(), usage: USAGE }))
  const tasks = await Promise.all([1, 2, 3, 4].map(() => world.create(poor, FILES)))
  for (const task of tasks) await world.start(poor, task)
  await world.perform()
  const views = await Promise.all(tasks.map((task) => world.read(poor, task)))
  for (const { turns } of views) expect(turns).toMatchObject([{ stopReason: 'budget_reached' }])
  const { balance, held } = await walletOf(poor)
  expect([balance >= 0n, held]).toEqual([true, 0n])
  expect(views.reduce((sum, { spentMinor }) => sum + spentMinor, 0n)).toBe(start - balance)
})

test('a member spends at most the monthly cap', async () => {
  await world.server.sql.rows`update orgs set type = 'team', tier = 'team' where id = ${ada.orgId}`
  const member = await world.server.member(ada.orgId, 'member')
  const task = await world.create(member, FILES)
  const capMinor = (await leastOf(member, task)) * 2n
  const limited = await call(ada, 'PATCH', `/teams/${ada.orgId}/members/${member.userId}`, {
    capNaira: Number(capMinor) / 100,
  })
  expect(limited.status).toBe(200)
  world.upstream.fallback(() => ({ ...write(), usage: USAGE }))
  const turn = await world.turn(member, task)
  expect(turn).toMatchObject({ stopReason: 'budget_reached', errorCode: 'member_cap_reached' })
  expect(turn.spentMinor).toBeGreaterThan(0n)
  expect(turn.spentMinor).toBeLessThanOrEqual(capMinor)
})

test('the budget can be raised during a turn, and not lowered below what the turn may spend', async () => {
  world.upstream.fallback(() => ({ ...calls(['list', {}]), usage: USAGE }))
  const task = await world.create(ada, { kind: 'client', name: 'my-laptop' }, { budgetMinor: 50_000 })
  const { maxMinor, spentMinor } = await world.turn(ada, task)
  expect(maxMinor).toBe(50_000n)
  expect(spentMinor).toBeGreaterThan(0n)
  const patch = (budgetMinor: bigint) => call(ada, 'PATCH', `/tasks/${task}`, { budgetMinor })
  expect(await patch(49_999n)).toMatchObject({ status: 400, body: { fields: [{ path: 'budgetMinor' }] } })
  expect((await patch(50_001n)).status).toBe(200)
  await call(ada, 'POST', `/tasks/${task}/stop`)
  expect((await patch(spentMinor)).status).toBe(200)
  expect((await patch(spentMinor - 1n)).status).toBe(400)
})

test('what a failed turn cost returns to the wallet and to the budget', async () => {
  world.upstream.fallback(() =>
    world.upstream.requests.length === 1 ? { ...calls(['list', {}]), usage: USAGE } : { status: 400 },
  )
  const task = await world.create(ada, FILES, { budgetMinor: 50_000 })
  const before = await walletOf(ada)
  await world.start(ada, task)
  for (let attempt = 0; attempt < 8; attempt++) {
    await world.perform()
    world.server.clock.advance({ minutes: 2 })
  }
  const { turns, spentMinor } = await world.read(ada, task)
  expect(turns).toMatchObject([{ stopReason: 'upstream_failed', spentMinor: 0n }])
  expect(turns[0]?.refundedMinor).toBeGreaterThan(0n)
  expect([spentMinor, await walletOf(ada)]).toEqual([0n, before])
  world.upstream.fallback(() => 'Done.')
  expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'completed', maxMinor: 50_000n })
})

test('a provider that reports more tokens than the hold covers is paid by us', async () => {
  world.upstream.fallback(() => ({
    text: 'Done.',
    usage: { prompt_tokens: 900_000, completion_tokens: 900_000, total_tokens: 1_800_000 },
  }))
  const task = await world.create(ada, FILES)
  const maxMinor = (await leastOf(ada, task)) * 2n
  const turn = await world.turn(ada, task, { maxMinor })
  expect(turn.stopReason).toBe('completed')
  expect(turn.spentMinor).toBeLessThanOrEqual(maxMinor)
})
