import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, withAdmin } from '../../test/harness.ts'
import { after } from '../kernel/clock.ts'
import type { OrgId } from '../kernel/ids.ts'
import { plant } from '../platform/content/places.fixture.ts'
import { openContent } from '../platform/content/open.ts'
import type { Step } from '../platform/content/move.ts'

let server: TestServer
const databases: OrgId[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  for (const org of databases)
    await withAdmin((admin) => admin`drop database if exists ${admin(`cowrie_${org}`)} with (force)`)
})

test('a mover whose target stops answering comes back by its deadline, and another can take over', async () => {
  const host = new URL(server.url).searchParams.get('host')
  let stalled = false
  const sockets = new Set<Socket>()
  const proxy = createServer((inside) => {
    const outside = connect(`${host}/.s.PGSQL.5432`)
    sockets.add(inside).add(outside)
    inside.on('data', (d) => { if (!stalled) outside.write(d) })
    outside.on('data', (d) => { if (!stalled) inside.write(d) })
    for (const s of [inside, outside]) { s.on('error', () => {}); s.on('close', () => { if (!stalled) { inside.destroy(); outside.destroy() } }) }
  })
  await new Promise<void>((r) => proxy.listen(0, '127.0.0.1', r))
  const { username } = new URL(server.url)
  const dedicatedUrl = `postgres://${username}@127.0.0.1:${(proxy.address() as { port: number }).port}/cowrie_{org}`
  const { app, url, clock } = server
  const { db, log } = app
  const open = (onStep: (step: Step) => void) => openContent({ url, role: 'cowrie_app', db, clock, log, dedicatedUrl, onStep })
  const mover = open((step) => { if (step === 'barrier') stalled = true })
  const { orgId, userId } = await server.person()
  databases.push(orgId)
  await plant(server.sql, orgId, userId, 100)
  await mover.prepare(orgId, 'dedicated')
  await db.tx(orgId, (tx) => mover.begin(tx, orgId, 'dedicated'))
  const began = performance.now()
  const first = mover.carryOn(orgId, after(clock.now(), { seconds: 1 }))
  await new Promise((r) => setTimeout(r, 1_000))
  server.clock.advance({ seconds: 5 })
  const got = await Promise.race([first, new Promise((r) => setTimeout(r, 9_000, 'hangs'))])
  console.log('first', got, Math.round(performance.now() - began))
  // The target answers again for everybody else.
  stalled = false
  const second = open(() => undefined)
  const taken = await Promise.race([second.carryOn(orgId, after(clock.now(), { minutes: 1 })), new Promise((r) => setTimeout(r, 6_000, 'cannot take over'))])
  console.log('second', taken)
  const closed = await Promise.race([mover.close().then(() => 'closed'), new Promise((r) => setTimeout(r, 6_000, 'close hangs'))])
  console.log(closed)
  for (const s of sockets) s.destroy()
  proxy.close()
  await second.close()
  expect(got).toBe(false)
}, 60_000)
