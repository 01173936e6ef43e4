// A move of a small organisation: a mover ends at every step, and the next one resumes.

import { startTestServer, type TestServer, withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import {
  type ContentDigest,
  countRows,
  digestContent,
  makeEveryChange,
  openSecondMover,
  seedContent,
  templateOf,
} from '@cowrie/testkit/platform/content-fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after } from '../../../kernel/clock.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { withDatabase } from '../../db/connection-url.ts'
import { openDb } from '../../db/open-db.ts'
import type { Content, Isolation } from '../content.ts'
import type { ContentOptions } from '../open-content.ts'
import type { MoveStep } from './move-job.ts'

type Own = Exclude<Isolation, 'shared'>
const STEPS: MoveStep[] = [
  'ready',
  'barrier',
  'copying',
  'copied',
  'caught up',
  'locked',
  'switched',
  'clearing',
]

/** The steps of `npm test`. They are the same for both targets. */
const SAMPLE: Readonly<Record<Own, readonly MoveStep[]>> = {
  schema: ['barrier', 'copied', 'locked', 'clearing'],
  dedicated: ['copying', 'switched'],
}

let server: TestServer
const databases = new Set<OrgId>()
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const end of ends) await end()
  await server.close()
  for (const org of databases)
    await withAdmin((admin) => admin.unsafe(`drop database if exists "cowrie_${org}" with (force)`))
})

function contentWith(options: Partial<ContentOptions> = {}, dedicatedUrl: string | null = null): Content {
  const content = openSecondMover(server, options, dedicatedUrl)
  ends.push(() => content.close())
  return content
}

async function someOrg(rows = 100) {
  const { orgId, userId, bearer } = await server.person()
  await seedContent(server.sql, orgId, userId, rows)
  return { orgId, userId, bearer, before: await digestContent(server.sql, 'public', orgId) }
}

const soon = () => after(server.clock.now(), { minutes: 1 })
const startMove = (org: OrgId, to: Isolation) =>
  server.app.db.tx(org, (tx) => server.app.content.startMove(tx, org, to))
const placementOf = (org: OrgId) => server.app.db.tx(org, (tx) => server.app.content.placementOf(tx, org))

async function decide(org: OrgId, to: Own): Promise<void> {
  if (to === 'dedicated') databases.add(org)
  await server.app.content.prepare(org, to)
  expect(await startMove(org, to)).toBe(true)
}

async function tallyOf(org: OrgId, place: Own): Promise<ContentDigest> {
  if (place === 'schema') return digestContent(server.sql, org, org)
  const own = openDb(withDatabase(server.url, `cowrie_${org}`), {
    ...GENEROUS_TIMEOUTS,
    clock: server.clock,
    max: 1,
  })
  try {
    return await digestContent(own.direct, 'public', org)
  } finally {
    await own.close()
  }
}

/** The rows that the organisation sees through the service. */
const seen = (org: OrgId) =>
  server.app.db.tx(
    org,
    (tx) => tx.content.rows<{ id: string; title: string }>`select id, title from chat_threads order by id`,
  )

describe.each<Own>(['schema', 'dedicated'])('content that moves to its own placement (%s)', (to) => {
  test('is unchanged in the target and gone from the source', async () => {
    const [{ orgId, before }, others] = [await someOrg(), await someOrg(10)]
    const threads = await seen(orgId)
    await decide(orgId, to)
    expect(await placementOf(orgId)).toEqual({ isolation: to, status: 'moving' })
    expect(await server.app.content.unfinishedMoves(10)).toContain(orgId)
    expect(await server.app.content.resumeMove(orgId, soon())).toBe(true)
    expect(await placementOf(orgId)).toEqual({ isolation: to, status: 'settled' })
    expect(await tallyOf(orgId, to)).toEqual(before)
    expect(await seen(orgId)).toEqual(threads)
    expect(countRows(await digestContent(server.sql, 'public', orgId))).toBe(0)
    expect(await digestContent(server.sql, 'public', others.orgId)).toEqual(others.before)
    expect(await server.app.content.resumeMove(orgId, soon())).toBe(true)
    expect(await server.app.content.unfinishedMoves(10)).not.toContain(orgId)
  })

  test('is complete after movers ended at every step, with changes before and during each of them', async () => {
    const { orgId, userId } = await someOrg()
    await decide(orgId, to)
    let changes = 0
    const change = () => makeEveryChange(server.app.db, orgId, userId, changes++)
    for (const at of isSoak ? STEPS : SAMPLE[to]) {
      const ending = contentWith({
        async onStep(step) {
          if (step === 'copying' || step === 'copied') await change()
          if (step === at) throw new Error(`ended when it was ${at}`)
        },
      })
      expect(await ending.resumeMove(orgId, soon()), at).toBe(false)
      await change()
    }
    const left = await tallyOf(orgId, to)
    expect(left.chat_threads?.rows).toBe(10 + changes - 1)
    expect(await contentWith().resumeMove(orgId, soon())).toBe(true)
    expect(await tallyOf(orgId, to)).toEqual(left)
    expect(countRows(await digestContent(server.sql, 'public', orgId))).toBe(0)
    expect(await server.sql.rows`select seq from content_changes where org_id = ${orgId}`).toEqual([])
  })
})

describe('a move', () => {
  soakTest('from a schema to a database leaves neither schema nor role behind', async () => {
    const { orgId, userId, before } = await someOrg()
    await decide(orgId, 'schema')
    await server.app.content.resumeMove(orgId, soon())
    await decide(orgId, 'dedicated')
    let changes = 0
    const content = contentWith({
      async onStep(step) {
        if (step === 'copying') await makeEveryChange(server.app.db, orgId, userId, changes++)
      },
    })
    expect(await content.resumeMove(orgId, soon())).toBe(true)
    const now = await tallyOf(orgId, 'dedicated')
    expect(now.chat_threads?.rows).toBe((before.chat_threads?.rows ?? 0) + changes - 1)
    expect(await server.sql.rows`select nspname from pg_namespace where nspname = ${orgId}`).toEqual([])
    expect(await server.sql.rows`select rolname from pg_roles where rolname = ${`cowrie_${orgId}`}`).toEqual(
      [],
    )
  })

  test('only goes to a stronger isolation and is started once', async () => {
    const { orgId } = await someOrg(0)
    expect(await startMove(orgId, 'shared')).toBe(false)
    await decide(orgId, 'schema')
    expect(await startMove(orgId, 'schema')).toBe(false)
    await expect(startMove(orgId, 'dedicated')).rejects.toMatchObject({ code: 'isolation_unavailable' })
    await server.app.content.resumeMove(orgId, soon())
    await expect(startMove(orgId, 'shared')).rejects.toMatchObject({ code: 'isolation_one_way' })
    expect(await startMove(orgId, 'dedicated')).toBe(true)
    await expect(startMove(orgId, 'shared')).rejects.toMatchObject({ code: 'isolation_one_way' })
  })

  test('that was interrupted resumes after the last copied row', async () => {
    const { orgId, before } = await someOrg(3_000)
    await decide(orgId, 'schema')
    let batches = 0
    const countTo = (most: number) =>
      contentWith({
        onStep(step) {
          if (step === 'copying' && ++batches === most) throw new Error('ended between two batches')
        },
      })
    // Runs, threads and the first of two batches of messages.
    expect(await countTo(3).resumeMove(orgId, soon())).toBe(false)
    batches = 0
    expect(await countTo(99).resumeMove(orgId, soon())).toBe(true)
    expect(batches).toBe(3)
    expect(await digestContent(server.sql, orgId, orgId)).toEqual(before)
  })

  test('waits for transactions that began before its start', async () => {
    const { orgId, userId } = await someOrg()
    const [entered, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const inside = server.app.db.tx(orgId, async (tx) => {
      await tx.content.rows`
        insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
        values (${`${orgId}early`}, ${orgId}, ${userId}, 'general', ${tx.now}, ${tx.now})`
      entered.resolve()
      await leave.promise
    })
    await entered.promise
    await decide(orgId, 'schema')
    const moved = server.app.content.resumeMove(orgId, soon())
    const waiting = () => server.sql.rows`
      select pid from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(waiting).toHaveLength(1)
    leave.resolve()
    await inside
    expect(await moved).toBe(true)
    expect((await seen(orgId)).map(({ id }) => id)).toContain(`${orgId}early`)
  })

  test('includes changes of platform transactions and records none for other organisations', async () => {
    const [{ orgId }, others] = [await someOrg(), await someOrg()]
    await decide(orgId, 'schema')
    const content = contentWith({
      async onStep(step) {
        if (step !== 'copied') return
        await server.app.db.tx('platform', (tx) => tx.content.rows`update chat_threads set title = 'ours'`)
        expect(await server.sql.rows`select seq from content_changes where org_id = ${others.orgId}`).toEqual(
          [],
        )
      },
    })
    expect(await content.resumeMove(orgId, soon())).toBe(true)
    expect(new Set((await seen(orgId)).map(({ title }) => title))).toEqual(new Set(['ours']))
  })

  soakTest('can be one of many at once', async () => {
    const orgs = await Promise.all(Array.from({ length: rounds(3, 6) }, () => someOrg(10)))
    await Promise.all(orgs.map(({ orgId }) => decide(orgId, 'schema')))
    const moved = await Promise.all(orgs.map(({ orgId }) => server.app.content.resumeMove(orgId, soon())))
    expect(moved).toEqual(orgs.map(() => true))
    for (const { orgId, before } of orgs)
      expect(await digestContent(server.sql, orgId, orgId)).toEqual(before)
  })

  test('waits while another mover works and stops at its deadline', async () => {
    const { orgId, before } = await someOrg()
    await decide(orgId, 'schema')
    const go = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const slow = contentWith({
      async onStep(step) {
        if (step !== 'copied') return
        reached.resolve()
        await go.promise
      },
    })
    const first = slow.resumeMove(orgId, soon())
    await reached.promise
    expect(await server.app.content.resumeMove(orgId, server.clock.now())).toBe(false)
    const second = server.app.content.resumeMove(orgId, soon())
    go.resolve()
    expect(await Promise.all([first, second])).toEqual([true, true])
    expect(await digestContent(server.sql, orgId, orgId)).toEqual(before)
  })

  test('that holds the lock switches even after its deadline, and notifies on switch and on completion', async () => {
    const { orgId } = await someOrg(0)
    await decide(orgId, 'schema')
    const heard: (string | null)[] = []
    ends.push(async () => unlisten())
    const unlisten = server.app.db.listen('content', (id) => heard.push(id))
    const times = () => heard.filter((id) => id === orgId).length
    const late = contentWith({
      onStep(step) {
        if (step === 'locked') server.clock.advance({ minutes: 2 })
      },
    })
    expect(await late.resumeMove(orgId, soon())).toBe(false)
    const [place] = await server.sql.rows`
      select place, left_in as "leftIn" from content_places where org_id = ${orgId}`
    expect(place).toEqual({ place: 'schema', leftIn: 'shared' })
    await expect.poll(times).toBe(1)
    expect(await server.app.content.resumeMove(orgId, soon())).toBe(true)
    await expect.poll(times).toBe(2)
  })

  test('that was replaced by another mover writes nothing', async () => {
    const { orgId, before } = await someOrg()
    await decide(orgId, 'schema')
    const late = contentWith({
      async onStep(step) {
        if (step !== 'barrier') return
        await server.sql.rows`update content_movers set mover = 'another' where place = ${orgId}`
      },
    })
    expect(await late.resumeMove(orgId, soon())).toBe(false)
    expect(server.logged.join()).toContain('Another mover has taken over')
    expect(countRows(await digestContent(server.sql, orgId, orgId))).toBe(0)
    expect(await digestContent(server.sql, 'public', orgId)).toEqual(before)
  })

  test('whose copy differs from the source makes it again', async () => {
    const { orgId, before } = await someOrg()
    await decide(orgId, 'schema')
    let spoilt = false
    const content = contentWith({
      async onStep(step) {
        if (step !== 'caught up' || spoilt) return
        spoilt = true
        await server.sql.rows(templateOf(`delete from "${orgId}".chat_messages`))
      },
    })
    expect(await content.resumeMove(orgId, soon())).toBe(true)
    expect(spoilt).toBe(true)
    expect(await digestContent(server.sql, orgId, orgId)).toEqual(before)
  })

  test('to an unreachable database is rejected without any change', async () => {
    const { orgId, before } = await someOrg()
    const content = contentWith({}, 'postgres://nobody@127.0.0.1:1/cowrie_{org}')
    await expect(content.prepare(orgId, 'dedicated')).rejects.toMatchObject({ code: 'isolation_unavailable' })
    expect(await placementOf(orgId)).toEqual({ isolation: 'shared', status: 'settled' })
    expect(await digestContent(server.sql, 'public', orgId)).toEqual(before)
  })
})
