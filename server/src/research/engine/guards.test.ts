// Guards against hanging runs, free usage and a lost report reserve.

import { type FakeReply, gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import { spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const STARTS_MAX = 120
const STARTS = rounds(3, STARTS_MAX)
const PATIENT = { timeout: 15_000 }

let world: ScriptedWorld
let ada: Person
beforeAll(async () => {
  world = await startScriptedWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.renew()
  ada = await world.customer()
})

/** A model whose connection breaks before its first byte, after a moment. */
const failsAfter = (then: Promise<void>): FakeReply => ({
  pieces: [() => then, { comment: 'nothing yet' }],
  cutAfter: 1,
})

test('a run that is cancelled while its model fails finishes at once, and nothing is held', async () => {
  const asked = gate()
  const failing = gate()
  world.script({}, (turn) => {
    if (turn !== 'extract') return null
    asked.open()
    return failsAfter(failing.opened)
  })
  const id = await world.start(ada)
  const worked = world.server.app.jobs.drain()
  await asked.opened
  const cancelled = world.server.call('POST', `/research/${id}/cancel`, { as: ada, body: {} })
  await expect.poll(async () => (await world.detail(ada, id)).status, PATIENT).toBe('cancelled')
  failing.open()
  await worked
  expect((await cancelled).body).toMatchObject({ status: 'cancelled', finishedAt: expect.anything() })
  expect(await world.wallet(ada)).toMatchObject({ heldMinor: 0n })
})

test('after two unusable answers a run stops calling models', async () => {
  const prose = ['prose'] as const
  const model = world.script({ plants: { plan: prose, extract: prose, gap: prose, report: prose } })
  const run = await world.research(ada, { depth: 'standard' })
  expect(run).toMatchObject({ status: 'completed', spentMinor: 0n })
  expect(model.turns).toEqual(['plan', 'extract', 'extract'])
})

test('an organisation that may no longer use models still gets a report by rules', async () => {
  world.script({}, (turn) => {
    if (turn !== 'extract') return null
    return {
      pieces: [
        async () => {
          await world.server.sql.rows`update orgs set residency_region = 'za' where id = ${ada.orgId}`
        },
        JSON.stringify({ findings: [] }),
      ],
    }
  })
  const run = await world.research(ada)
  expect(run).toMatchObject({ status: 'completed', refundedMinor: 0n })
  expect(run.report?.files).toHaveLength(5)
})

test('the report reserve survives failures of the model', async () => {
  const poor = await world.customer(3_000n)
  const asked = gate()
  const failing = gate()
  let isDown = true
  const model = world.script({}, (turn) => {
    if (turn !== 'report' || !isDown) return null
    asked.open()
    return failsAfter(failing.opened)
  })
  const id = await world.start(poor)
  const worked = world.server.app.jobs.drain()
  await asked.opened
  await world.server.app.db.tx(poor.orgId, async (tx) => {
    // The next try starts with an update of its step, which this transaction blocks.
    await tx.content.rows`select step from research_steps where run_id = ${id} and step = 'report' for update`
    failing.open()
    // As soon as the first try has failed, the free balance is spent elsewhere.
    const keptAgain = async () =>
      (await world.server.sql.rows`select ref from holds where ref = ${`${id}.aside.1`}`).length
    await expect.poll(keptAgain, PATIENT).toBe(1)
    const { availableMinor } = await world.wallet(poor)
    await spend(world.server, poor, availableMinor)
    isDown = false
  })
  await worked
  expect(model.turns.at(-1)).toBe('report')
  const run = await world.detail(poor, id)
  expect(run).toMatchObject({ status: 'completed' })
  const events = await world.events(poor, id)
  expect(events.some((event) => event.kind === 'turn' && event.purpose === 'report')).toBe(true)
  expect(await world.wallet(poor)).toMatchObject({ heldMinor: 0n })
})

test('the number of starts per hour is limited', async () => {
  const start = () =>
    world.server.call('POST', '/research', { as: ada, body: { question: 'Why?', depth: 'quick' } })
  const startAndCancel = async () => {
    const { status, body, headers } = await start()
    if (status === 202) await world.server.call('POST', `/research/${body.id}/cancel`, { as: ada, body: {} })
    return { status, body, headers }
  }
  expect((await startAndCancel()).status).toBe(202)
  await world.server.sql.rows`
    update attempts set count = count + ${STARTS_MAX - STARTS} where name = 'research.start'`
  for (let started = 1; started < STARTS; started++) expect((await startAndCancel()).status).toBe(202)
  expect(await start()).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
  world.server.clock.advance({ hours: 1 })
  expect((await startAndCancel()).status).toBe(202)
})

test('a run waits while the runs worker is disabled, and resumes afterwards', async () => {
  const switchTo = (value: boolean) =>
    world.server.call('PUT', '/admin/settings/runs_worker_enabled', { as: world.operator, body: { value } })
  world.script({}, (turn, reply) =>
    turn === 'plan' ? { pieces: [async () => void (await switchTo(false)), String(reply)] } : null,
  )
  const id = await world.start(ada)
  await world.server.app.jobs.drain()
  expect(await world.detail(ada, id)).toMatchObject({ status: 'running', turns: 1 })
  await switchTo(true)
  world.server.clock.advance({ minutes: 2 })
  await world.server.app.jobs.drain()
  expect(await world.detail(ada, id)).toMatchObject({ status: 'completed' })
  expect(await world.warnings(ada, id)).toEqual([])
})
