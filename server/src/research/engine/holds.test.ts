// No hold of a run outlives it, whichever process placed it and however that process ended.

import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { reserveIn } from '../../wallet/wallet.ts'
import type { ResearchRunId } from '../types.ts'

const PLENTY = 1_000_000n

let world: ScriptedWorld
let ada: Person
beforeAll(async () => {
  world = await startScriptedWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.renew()
  ada = await world.customer(PLENTY)
})

const openHolds = async (): Promise<string[]> => {
  const rows = await world.server.sql.rows<{ ref: string }>`
    select ref from holds where org_id = ${ada.orgId} and state = 'open' order by ref`
  return rows.map(({ ref }) => ref)
}

/** As a process leaves it that dies during a model turn. */
const leaveHold = (id: ResearchRunId, step: string) =>
  world.server.app.db.tx(ada.orgId, (tx) =>
    reserveIn(world.server.app, tx, {
      ...{ orgId: ada.orgId, userId: ada.userId, ref: `${id}.${step}`, source: 'research' },
      ...{ amountMinor: 500n, terms: {}, deadline: after(tx.now, { minutes: 10 }) },
    }),
  )

/** Starts a run and pauses it at its first search. */
async function pauseAtSearch() {
  const [begun, goOn] = [gate(), gate()]
  world.web.search.fallback(() => {
    begun.open()
    return { until: goOn.opened }
  })
  const id = await world.start(ada)
  const working = world.server.app.jobs.drain()
  await begun.opened
  return { id, working, goOn }
}

test.for(['published', 'cancelled'])('a hold of a dead process ends when the run is %s', async (how) => {
  const { id, working, goOn } = await pauseAtSearch()
  await leaveHold(id, 'gap.1.1')
  const cancelling =
    how === 'cancelled'
      ? world.server.call('POST', `/research/${id}/cancel`, { as: ada, body: {} })
      : undefined
  goOn.open()
  await Promise.all([working, cancelling])
  expect(await openHolds()).toEqual([])
  await world.requireSettled(ada, await world.detail(ada, id), PLENTY)
})

test('a hold that is placed after the lease was lost is released before the model is asked', async () => {
  const { sql } = world.server
  // Another worker takes the job in the moment in which the hold is placed.
  await sql.rows`
    create or replace function take_job() returns trigger language plpgsql security definer as $body$
    begin
      update jobs set fence = fence + 1 where name = 'research.run' and state = 'running';
      return new;
    end $body$`
  await sql.rows`
    create trigger take_job after insert on holds for each row when (new.ref like '%.extract.1.1.1')
    execute function take_job()`
  const id = await world.start(ada)
  await world.server.app.jobs.drain()
  await sql.rows`drop trigger take_job on holds`
  expect(world.modelTurns().map(({ turn }) => turn)).toEqual(['plan'])
  expect(await openHolds()).toEqual([`${id}.aside`])
  // That worker finishes the run.
  await sql.rows`update jobs set due_at = '2020-01-01' where name = 'research.run'`
  await world.server.app.jobs.drain()
  const run = await world.detail(ada, id)
  expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
  expect(await openHolds()).toEqual([])
  await world.requireSettled(ada, run, PLENTY)
})
