// The whole service on a database with Citus, where it is installed. Its role is no superuser, as production demands.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { debitOnce } from '../../bench/debits/debits.ts'
import { openAccount } from '../../src/identity/identity.ts'
import { newId, type OrgId, type UserId } from '../../src/kernel/ids.ts'
import { checkDatabase } from '../../src/platform/db/check-database.ts'
import { withPool } from '../../src/platform/db/pool.ts'
import { expireDueHolds } from '../../src/wallet/holds/expire-holds.ts'
import { repairCopies } from '../../src/wallet/integrity/copies.ts'
import { grantTrial } from '../../src/wallet/trial/grant-trial.ts'
import {
  copyCheck,
  credit,
  reserve,
  runChecks,
  settle,
  trialBalance,
  walletChecks,
} from '../../src/wallet/wallet.ts'
import { type CitusNodes, hasCitus, startCitus } from './nodes.ts'

const PATIENCE_MS = scaledTimeout(60_000)
const ORGS = Array.from({ length: 16 }, (_, n) => `org_bench${n + 1}` as OrgId)
const isInstalled = hasCitus()
if (!isInstalled)
  process.stderr.write(
    '\n*** Citus for PostgreSQL 15 is not installed: the tests of the service on Citus did NOT run. ***\n',
  )

const dir = mkdtempSync(join(tmpdir(), 'cowrie-citus-service-'))
let citus: CitusNodes
let server: TestServer

beforeAll(async () => {
  if (!isInstalled) return
  citus = await startCitus({ dir, workers: 2, settings: { fsync: 'off' } })
  const { url, adminUrl } = citus.coordinator
  server = await startTestServer({
    url,
    adminUrl,
    variables: {
      SERVICE_TRIAL_CREDIT_MINOR: '20000',
      SERVICE_TRIAL_CREDITS_PER_DOMAIN: '100',
      SERVICE_TRIAL_CREDITS_PER_NETWORK: '100',
    },
  })
  await server.sql.rows`
    insert into orgs (id, name, type, tier, currency, created_at)
    select id, 'Test', 'individual', 'individual', 'NGN', '2026-11-01' from unnest(${ORGS}::text[]) id`
  for (const org of ORGS) await pay(org, 1_000_000n)
}, 180_000)

afterAll(async () => {
  await server?.close()
  await citus?.close()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

const pay = (orgId: OrgId, amountMinor: bigint) =>
  server.app.db.tx('platform', (tx) =>
    credit(server.app, tx, {
      orgId,
      amountMinor,
      source: 'topup',
      ref: 'test',
      cause: `test ${newId('led')}`,
      account: 'clearing:mock',
    }),
  )

const walletOf = async (person: Person) =>
  (await server.call<{ balanceMinor: bigint; trialMinor: bigint }>('GET', '/wallet', { as: person })).body

/** An account that is created with trial credit in one transaction. */
const newTrial = (email: string): Promise<Person> =>
  server.app.db.tx('platform', async (tx) => {
    const account = await openAccount(tx, { email, verified: true })
    if (!account) throw new Error('the account is new')
    const { userId } = account
    await grantTrial(server.app, tx, {
      userId,
      email,
      address: `10.0.${email.length}.${email.charCodeAt(5)}`,
    })
    return { ...account, email, bearer: userId }
  })

const hold = (orgId: OrgId, userId: UserId, amountMinor: bigint) =>
  reserve(server.app, {
    orgId,
    userId,
    ref: newId('led'),
    source: 'agent',
    amountMinor,
    terms: { lane: 'open' },
    deadline: new Date(server.clock.now().getTime() + 3_600_000),
  })

const failedChecks = async () =>
  (await runChecks(server.app, [...walletChecks, copyCheck]))
    .filter(({ ok }) => !ok)
    .map(({ name, examples }) => `${name}: ${examples}`)

describe.runIf(isInstalled)('the service on Citus', () => {
  test('runs as a role that is no superuser, which production accepts', async () => {
    await expect(checkDatabase(citus.coordinator.url, true, () => undefined)).resolves.toBeUndefined()
    for (const { url } of [citus.coordinator, ...citus.workers])
      await withPool(url, async (sql) => {
        const [role] = await sql.rows<{ rolsuper: boolean }>`
          select rolsuper or rolbypassrls as rolsuper from pg_roles where rolname = current_user`
        expect(role?.rolsuper).toBe(false)
      })
  })

  test('grants trial credit in the transaction that creates the account', async () => {
    const wallet = await walletOf(await newTrial('trial@example.com'))
    expect(wallet).toMatchObject({ balanceMinor: 20_000n, trialMinor: 20_000n })
  })

  test('changes a cap and posts in one transaction, and a reservation sees the cap', async () => {
    const person = await server.person({ type: 'team' })
    const { orgId, userId } = person
    await server.app.db.tx(orgId, async (tx) => {
      await tx.rows`update memberships set seat_cap_minor = 500 where org_id = ${orgId} and user_id = ${userId}`
      await credit(server.app, tx, {
        orgId,
        amountMinor: 1_000n,
        source: 'topup',
        ref: 'test',
        cause: `cap ${orgId}`,
        account: 'clearing:mock',
      })
    })
    expect(await hold(orgId, userId, 600n)).toMatchObject({ ok: false, reason: 'cap_reached' })
    expect(await hold(orgId, userId, 500n)).toMatchObject({ ok: true })
  })

  test('closes an organisation with money, whose members have caps', async () => {
    const person = await server.person({ type: 'team' })
    const { orgId } = person
    await pay(orgId, 700n)
    const member = await server.member(orgId, 'member')
    const { db } = server.app
    await db.tx(
      orgId,
      (tx) =>
        tx.rows`update memberships set seat_cap_minor = 50 where org_id = ${orgId} and user_id = ${member.userId}`,
    )
    const [org] = await server.sql.rows<{ name: string }>`select name from orgs where id = ${orgId}`
    const reply = await server.call('DELETE', `/orgs/${orgId}`, {
      as: person,
      body: { confirm: org?.name, forfeitMinor: 700n },
    })
    expect(reply).toMatchObject({ status: 200 })
  })

  test(
    'the checks of the ledger find no difference while money moves',
    async () => {
      let isOver = false
      let debits = 0
      const trials = await Promise.all(Array.from({ length: 4 }, (_, n) => newTrial(`moves${n}@example.com`)))
      const onTrials = trials.map(async ({ orgId, userId }) => {
        while (!isOver) {
          const held = await hold(orgId, userId, 10n)
          if (!held.ok) throw new Error(`a reserve was refused: ${held.reason}`)
          await settle(server.app, { orgId, holdId: held.hold.holdId, amountMinor: 1n, usage: null })
        }
      })
      const callers = Array.from({ length: 8 }, async (_, n) => {
        for (let wallet = n; !isOver; wallet++) {
          await debitOnce(server.app, 1 + (wallet % ORGS.length))
          debits++
        }
      })
      const failed: string[] = []
      try {
        for (let round = 0; round < 5; round++) {
          failed.push(...(await failedChecks()))
          for (const { ok } of await trialBalance(server.app)) if (!ok) failed.push('trial balance')
        }
      } finally {
        isOver = true
        await Promise.all([...callers, ...onTrials])
      }
      expect(failed).toEqual([])
      expect(debits).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )

  test(
    'copies that differ from their originals are reported, and repaired',
    async () => {
      const person = await server.person({ type: 'team' })
      const { orgId, userId } = person
      await pay(orgId, 1_000n)
      await server.app.db.tx(
        orgId,
        (tx) =>
          tx.rows`update memberships set seat_cap_minor = 5 where org_id = ${orgId} and user_id = ${userId}`,
      )
      const trial = await newTrial('copied@example.com')
      const key = await server.key(person, ['agent:run'])
      expect(await failedChecks()).toEqual([])
      await server.sql.rows`update member_caps set seat_cap_minor = 6 where org_id = ${orgId}`
      await server.sql.rows`insert into member_caps values (${orgId}, 'usr_gone', 7)`
      await server.sql
        .rows`insert into key_limits (org_id, id, budget_minor, budget_period) values (${orgId}, ${key.id}, 1, 'month')`
      await server.sql.rows`update trial_ends set expires_at = '2030-01-01' where org_id = ${trial.orgId}`
      await server.sql.rows`delete from movement_causes where org_id = ${orgId}`
      await server.sql.rows`insert into movement_causes values ('nobody posted this', ${orgId})`
      const [found] = await runChecks(server.app, [copyCheck])
      expect(found?.violations).toBe(6n)
      expect(found?.examples).toContain(`cap ${orgId} ${userId}`)
      expect(await repairCopies(server.app)).toBe(6)
      expect(await failedChecks()).toEqual([])
      expect(await repairCopies(server.app)).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'a dead node delays only its organisations',
    async () => {
      const { app } = server
      for (const orgId of ORGS)
        await reserve(app, {
          orgId,
          userId: null,
          ref: `dead ${orgId}`,
          source: 'agent',
          amountMinor: 10n,
          terms: { lane: 'open' },
          deadline: new Date(server.clock.now().getTime() + 1_000),
        })
      const open = async () =>
        (
          await server.sql.rows<{ orgId: OrgId }>`
            select org_id as "orgId" from holds where state = 'open' and ref like 'dead %'`
        ).map(({ orgId }) => orgId)
      expect(await open()).toHaveLength(ORGS.length)
      server.clock.advance({ seconds: 2 })
      const [dead] = citus.workers
      const portOf = (from: number | undefined, to: number | undefined) =>
        server.sql.rows`update pg_dist_node set nodeport = ${to ?? 0} where nodeport = ${from ?? 0}`
      // Nothing listens there.
      await portOf(dead?.port, 1)
      app.db.shards?.forgetNodes()
      const ended = await expireDueHolds(app).finally(() => portOf(1, dead?.port))
      app.db.shards?.forgetNodes()
      expect(ended).toBeGreaterThan(0)
      expect(await open()).toHaveLength(ORGS.length - ended)
      expect(server.logged.some((line) => line.includes('database.shard.visit_failed'))).toBe(true)
      await expireDueHolds(app)
      expect(await open()).toEqual([])
    },
    PATIENCE_MS,
  )
})
