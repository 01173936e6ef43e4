// Invariants of a run after any disturbance: charged once, events appended once, nothing found twice.

import type { RunEvent } from '@cowrie/server/src/research/run-events.ts'
import type { ResearchRunId } from '@cowrie/server/src/research/types.ts'
import { expect } from 'vitest'
import type { Person } from '../harness/harness.ts'
import type { ResearchWorld, RunDetail } from './world.ts'

export type StartedRun = { readonly id: ResearchRunId; readonly as: Person }

type RunHoldRow = { ref: string; state: string; chargedMinor: bigint }

const listHolds = ({ server }: ResearchWorld, { id, as }: StartedRun) =>
  server.sql.rows<RunHoldRow>`
    select ref, state, charged_minor as "chargedMinor" from holds
    where org_id = ${as.orgId} and ref like ${`${id}.%`} order by ref`

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, each) => all + each, 0n)

async function readDebited({ server }: ResearchWorld, { id, as }: StartedRun): Promise<bigint> {
  const { debited } = await server.sql.one<{ debited: bigint }>`
    select coalesce(sum(m.revenue_minor), 0)::bigint as debited from movements m
    where m.org_id = ${as.orgId} and m.source = 'research' and m.ref like ${`${id}.%`}`
  return debited
}

/** The charges equal the cost of the run, once per step, and nothing is held. */
export async function requirePaidOnce(
  world: ResearchWorld,
  run: StartedRun,
  steps: readonly string[],
): Promise<void> {
  const detail = await world.detail(run.as, run.id)
  const holds = await listHolds(world, run)
  const settled = holds.filter(({ state }) => state === 'settled')
  expect(settled.map(({ ref }) => ref.slice(run.id.length + 1).replace(/\.\d+$/, ''))).toEqual(
    steps.toSorted(),
  )
  expect(holds.filter(({ state }) => state === 'open')).toEqual([])
  expect(holds.filter(({ state, chargedMinor }) => state !== 'settled' && chargedMinor > 0n)).toEqual([])
  expect(holds.find(({ ref }) => ref === `${run.id}.aside`)?.state).toBe('released')
  expect(detail.turns).toBe(steps.length)
  expect(detail.spentMinor).toBe(sum(settled.map(({ chargedMinor }) => chargedMinor)))
  expect(detail.spentMinor).toBe(await readDebited(world, run))
}

export async function seqsOf({ server }: ResearchWorld, { id }: StartedRun): Promise<number[]> {
  const rows = await server.sql.rows<{ seq: number }>`
    select seq::int as seq from stream_events where stream_id = ${id} order by seq`
  return rows.map(({ seq }) => seq)
}

const findDuplicates = (values: readonly unknown[]): unknown[] =>
  values.filter((value, at) => values.indexOf(value) !== at)

/** Event numbers have no gaps, and no event is repeated. */
export async function requireEventsOnce(world: ResearchWorld, run: StartedRun): Promise<RunEvent[]> {
  const events = await world.events(run.as, run.id)
  expect(await seqsOf(world, run)).toEqual(events.map((_, at) => at + 1))
  expect(events.filter(({ kind }) => kind === 'done')).toHaveLength(1)
  expect(events.at(-1)?.kind).toBe('done')
  // A low-relevance source may be read later.
  expect(
    findDuplicates(
      events.flatMap((event) => (event.kind === 'source' ? [`${event.n} ${event.status}`] : [])),
    ),
  ).toEqual([])
  expect(findDuplicates(events.flatMap((event) => (event.kind === 'finding' ? [event.id] : [])))).toEqual([])
  expect(findDuplicates(events.flatMap((event) => (event.kind === 'search' ? [event.query] : [])))).toEqual(
    [],
  )
  return events
}

export function requireFoundOnce({ sources, findings }: RunDetail): void {
  expect(findDuplicates(sources.map(({ n }) => n))).toEqual([])
  expect(findDuplicates(sources.map(({ url }) => url))).toEqual([])
  expect(findDuplicates(findings.map(({ id }) => id))).toEqual([])
  expect(findDuplicates(findings.map(({ claim }) => claim))).toEqual([])
}
