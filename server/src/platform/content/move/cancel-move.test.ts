// Moves that are cancelled, started again, or stopped because the target does not answer.

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
const startMove = (org: OrgId, to: Isolation) =>
  server.app.db.tx(org, (tx) => server.app.content.startMove(tx, org, to))
const placementOf = (org: OrgId) => server.app.db.tx(org, (tx) => server.app.content.placementOf(tx, org))
const countChanges = async (org: OrgId) =>
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

const leftoversOf = (org: OrgId) => server.sql.rows`
  select nspname as name from pg_namespace where nspname = ${org}
  union all select datname from pg_database where datname = ${`cowrie_${org}`}
  union all select org_id from content_places where org_id = ${org}`

describe('a cancelled move', () => {
  test('leaves nothing in its target', async () => {
    const { org, before } = await someOrg()
    await server.app.content.prepare(org, 'dedicated')
    await startMove(org, 'dedicated')
    const mover = contentWith({
      async onStep(step) {
        if (step !== 'caught up') return
        expect(await startMove(org, 'shared')).toBe(true)
        await write(org, `${org}new`)
      },
    })
    expect(await mover.resumeMove(org, soon())).toBe(false)
    expect(await startMove(org, 'shared')).toBe(false)
    expect(await placementOf(org)).toEqual({ isolation: 'shared', status: 'moving' })
    expect(await server.app.content.unfinishedMoves(10)).toContain(org)
    expect(await server.app.content.resumeMove(org, soon())).toBe(true)
    expect(await placementOf(org)).toEqual({ isolation: 'shared', status: 'settled' })
    expect([await leftoversOf(org), await countChanges(org)]).toEqual([[], 0])

    await server.sql.rows`delete from chat_threads where id = ${`${org}new`}`
    expect(await digestContent(server.sql, 'public', org)).toEqual(before)
  })

  test('can be started again immediately', async () => {
    const { org, before } = await someOrg()
    await server.app.content.prepare(org, 'schema')
    await startMove(org, 'schema')
    await contentWith({
      onStep(step) {
        if (step === 'copied') throw new Error('ended')
      },
    }).resumeMove(org, soon())
    await startMove(org, 'shared')
    await server.app.content.prepare(org, 'schema')
    expect(await startMove(org, 'schema')).toBe(true)
    expect(await server.app.content.resumeMove(org, soon())).toBe(true)
    expect(await placementOf(org)).toEqual({ isolation: 'schema', status: 'settled' })
    expect(await digestContent(server.sql, org, org)).toEqual(before)
    expect(await leftoversOf(org)).toEqual([{ name: org }, { name: org }])
    await expect(startMove(org, 'shared')).rejects.toMatchObject({ code: 'isolation_one_way' })
  })
})

describe('changes', () => {
  test('are recorded from the copy on, and too many of them restart the copy', async () => {
    const { org } = await someOrg()
    await server.app.content.prepare(org, 'schema')
    await startMove(org, 'schema')
    await write(org, `${org}early`)
    expect(await countChanges(org)).toBe(0)
    const ending = contentWith({
      onStep(step) {
        if (step === 'copied') throw new Error('ended')
      },
    })
    await ending.resumeMove(org, soon())
    await write(org, `${org}late`)
    expect(await countChanges(org)).toBe(1)
    // Too many recorded changes, which the mover discards.
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
    expect(await countChanges(org)).toBe(0)
    await server.sql.rows`delete from chat_threads where id = ${`${org}early`}`
    await write(org, `${org}later`)
    expect(await countChanges(org)).toBe(0)
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
    // The change of a primary key is recorded under both keys, so the first copy was correct.
    expect(server.logged.join()).not.toContain('content.move.mismatch')
  })
})

test('a mover whose target stops answering returns, another mover resumes, and both can be closed', async () => {
  const proxy = await openStallingProxy(server.url)
  ends.push(() => proxy.close())
  const { org, before } = await someOrg()
  const onStep = (step: MoveStep) => {
    if (step === 'barrier') proxy.stall(true)
  }
  const mover = contentWith({ answerTimeoutMs: 200, onStep }, withDatabase(proxy.url, 'cowrie_{org}'))
  await mover.prepare(org, 'dedicated')
  await startMove(org, 'dedicated')
  expect(await mover.resumeMove(org, soon())).toBe(false)
  expect(server.logged.join()).toContain('did not answer in time')
  expect(await digestContent(server.sql, 'public', org)).toEqual(before)
  expect(await server.app.content.resumeMove(org, soon())).toBe(true)
  await mover.close()
})
