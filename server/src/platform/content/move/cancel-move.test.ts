// Moves that cannot go on: taken back, begun anew, and given up on when the other side is silent.

import { startTestServer, type TestServer, withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { digestContent, openSecondMover, seedContent } from '@cowrie/testkit/platform/content-fixtures.ts'
import { openStallingProxy } from '@cowrie/testkit/platform/stalling-proxy.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after } from '../../../kernel/clock.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { withDatabase } from '../../db/connection-url.ts'
import type { Content, Isolation } from '../content.ts'
import type { ContentOptions } from '../open-content.ts'
import type { MoveStep } from './move-job.ts'

let server: TestServer
const databases: OrgId[] = []
const ends: (() => unknown)[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await server.close()
  for (const org of databases)
    await withAdmin((admin) => admin.unsafe(`drop database if exists "cowrie_${org}" with (force)`))
})

function contentWith(options: Partial<ContentOptions> = {}, dedicatedUrl: string | null = null): Content {
  const content = openSecondMover(server, options, dedicatedUrl)
  ends.push(() => content.close())
  return content
}

const soon = () => after(server.clock.now(), { minutes: 1 })
const begin = (org: OrgId, to: Isolation) =>
  server.app.db.tx(org, (tx) => server.app.content.startMove(tx, org, to))
const homeOf = (org: OrgId) => server.app.db.tx(org, (tx) => server.app.content.placementOf(tx, org))
const notes = async (org: OrgId) =>
  (await server.sql.rows`select row_key from content_changes where org_id = ${org}`).length
const write = (org: OrgId, id: string) =>
  server.app.db.tx(
    org,
    (tx) => tx.content.rows`
      insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
      values (${id}, ${org}, 'usr_1', 'general', ${tx.now}, ${tx.now})`,
  )

async function someOrg(): Promise<{ org: OrgId; before: object }> {
  const { orgId: org, userId } = await server.person()
  databases.push(org)
  await seedContent(server.sql, org, userId, 50)
  return { org, before: await digestContent(server.sql, 'public', org) }
}

const ALL = ['thr1', 'thr2', 'thr3', 'thr4', 'thr5']
const rekey = (org: OrgId) =>
  server.app.db.tx(
    org,
    (tx) => tx.content.rows`update agent_runs set id = id || 'x' where id = ${`${org}run1`}`,
  )
const idsOf = (org: OrgId) =>
  server.app.db.tx(org, async (tx) => {
    const threads = await tx.content.rows<{ id: string }>`select id from chat_threads`
    const runs = await tx.content.rows<{ id: string }>`select id from agent_runs`
    const names = (rows: { id: string }[]) => rows.map(({ id }) => id.slice(org.length)).sort()
    return { threads: names(threads), runs: names(runs) }
  })

const placesOf = (org: OrgId) => server.sql.rows`
  select nspname as name from pg_namespace where nspname = ${org}
  union all select datname from pg_database where datname = ${`cowrie_${org}`}
  union all select org_id from content_places where org_id = ${org}`

describe('a move that is taken back', () => {
  test('leaves nothing where it was going', async () => {
    const { org, before } = await someOrg()
    await server.app.content.prepare(org, 'dedicated')
    await begin(org, 'dedicated')
    const mover = contentWith({
      async onStep(step) {
        if (step !== 'caught up') return
        expect(await begin(org, 'shared')).toBe(true)
        await write(org, `${org}new`)
      },
    })
    expect(await mover.resumeMove(org, soon())).toBe(false)
    expect(await begin(org, 'shared')).toBe(false)
    expect(await homeOf(org)).toEqual({ isolation: 'shared', status: 'moving' })
    expect(await server.app.content.unfinishedMoves(10)).toContain(org)
    expect(await server.app.content.resumeMove(org, soon())).toBe(true)
    expect(await homeOf(org)).toEqual({ isolation: 'shared', status: 'settled' })
    expect([await placesOf(org), await notes(org)]).toEqual([[], 0])

    await server.sql.rows`delete from chat_threads where id = ${`${org}new`}`
    expect(await digestContent(server.sql, 'public', org)).toEqual(before)
  })

  test('can be decided again at once', async () => {
    const { org, before } = await someOrg()
    await server.app.content.prepare(org, 'schema')
    await begin(org, 'schema')
    await contentWith({
      onStep(step) {
        if (step === 'copied') throw new Error('ended')
      },
    }).resumeMove(org, soon())
    await begin(org, 'shared')
    await server.app.content.prepare(org, 'schema')
    expect(await begin(org, 'schema')).toBe(true)
    expect(await server.app.content.resumeMove(org, soon())).toBe(true)
    expect(await homeOf(org)).toEqual({ isolation: 'schema', status: 'settled' })
    expect(await digestContent(server.sql, org, org)).toEqual(before)
    expect(await placesOf(org)).toEqual([{ name: org }, { name: org }])
    await expect(begin(org, 'shared')).rejects.toMatchObject({ code: 'isolation_one_way' })
  })
})

describe('changes', () => {
  test('are noted from the copy on, and begin it anew when they are too many to follow', async () => {
    const { org } = await someOrg()
    await server.app.content.prepare(org, 'schema')
    await begin(org, 'schema')
    await write(org, `${org}early`)
    expect(await notes(org)).toBe(0)
    const ending = contentWith({
      onStep(step) {
        if (step === 'copied') throw new Error('ended')
      },
    })
    await ending.resumeMove(org, soon())
    await write(org, `${org}late`)
    expect(await notes(org)).toBe(1)
    // Changes that nobody knows of any more, and notes that nobody would follow.
    await server.sql.rows`
      insert into content_changes (org_id, table_name, row_key)
      select ${org}, 'nothing', '{}' from generate_series(1, 100)`
    const unreachable = contentWith({
      changesMax: 100,
      onStep() {
        throw new Error('ended')
      },
    })
    await unreachable.resumeMove(org, soon())
    expect(await notes(org)).toBe(0)
    await server.sql.rows`delete from chat_threads where id = ${`${org}early`}`
    await write(org, `${org}later`)
    expect(await notes(org)).toBe(0)
    const rekeying = contentWith({
      async onStep(step) {
        if (step === 'copied') await rekey(org)
      },
    })
    expect(await rekeying.resumeMove(org, soon())).toBe(true)
    expect(await idsOf(org)).toEqual({
      threads: ['later', 'late', ...ALL].sort(),
      runs: [...ALL.map((name) => name.replace('thr', 'run')).slice(1), 'run1x'].sort(),
    })
    // A row that got another key was followed under both: the copy was right at once.
    expect(server.logged.join()).not.toContain('rows where there are')
  })
})

test('a mover whose target falls silent comes back, another goes on, and both can be closed', async () => {
  const way = await openStallingProxy(server.url)
  ends.push(() => way.close())
  const { org, before } = await someOrg()
  const onStep = (step: MoveStep) => {
    if (step === 'barrier') way.stall(true)
  }
  const mover = contentWith({ answerTimeoutMs: 200, onStep }, withDatabase(way.url, 'cowrie_{org}'))
  await mover.prepare(org, 'dedicated')
  await begin(org, 'dedicated')
  expect(await mover.resumeMove(org, soon())).toBe(false)
  expect(server.logged.join()).toContain('did not answer in time')
  expect(await digestContent(server.sql, 'public', org)).toEqual(before)
  expect(await server.app.content.resumeMove(org, soon())).toBe(true)
  await mover.close()
})
