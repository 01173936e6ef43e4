// Faults planted in a running service: the figure changes, and the rules raise the right alert and no other.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { holdSome } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, before } from '../../server/src/kernel/clock.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import { recordLedgerChecks } from '../../server/src/operators/ledger/check-ledger.ts'
import { alertsFor, hasPromtool, reportNotRun } from '../test/promtool.ts'

const TOKEN = 'a token that only this test knows'

let server: TestServer
let root: Person
let payer: Person
beforeAll(async () => {
  server = await startTestServer({ variables: { METRICS_TOKEN: TOKEN } })
  root = await server.person({ staff: 'super_admin' })
  payer = await server.person()
  const given = await server.call('POST', '/wallet/refund', {
    as: root,
    body: { orgId: payer.orgId, amountMinor: 50_000, reason: 'a balance to hold', source: 'adjustment' },
    headers: { 'idempotency-key': 'planted-faults' },
  })
  expect(given.body).toMatchObject({ balanceMinor: 50_000n })
  await report('base_backup', server.clock.now())
  await report('restore_drill', server.clock.now())
  // The first round creates the schedules.
  await server.app.jobs.drain()
  await recordLedgerChecks(server.app)
})
afterAll(() => server.close())

const report = (kind: string, at: Date) => server.sql.rows`
  insert into backup_reports (kind, succeeded_at) values (${kind}, ${at})
  on conflict (kind) do update set succeeded_at = excluded.succeeded_at`

/** Scrapes after the figures of the last scrape have aged. */
async function scrape(): Promise<string> {
  server.clock.advance({ seconds: 10 })
  const { status, text } = await server.call('GET', '/metrics', { as: { bearer: TOKEN } })
  expect(status).toBe(200)
  return text
}
const seriesValue = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const minutesAgo = (minutes: number) => before(server.clock.now(), { minutes })

type Fault = {
  readonly it: string
  readonly alert: string
  /** Plants the fault, and returns what removes it. */
  plant(): Promise<() => Promise<unknown>>
  /** The series that shows it, and its least value. */
  readonly shows: readonly [series: string, atLeast: number]
}

const FAULTS: readonly Fault[] = [
  {
    it: 'a hold that the sweeper does not end',
    alert: 'CowrieHoldsStuck',
    shows: ['cowrie_holds_stuck_minor{currency="NGN"}', 700],
    async plant() {
      const holdId = await holdSome(server, payer, 700n)
      await server.sql.rows`update holds set deadline = ${minutesAgo(20)} where id = ${holdId}`
      return () =>
        server.sql
          .rows`update holds set deadline = ${after(server.clock.now(), { days: 1 })} where id = ${holdId}`
    },
  },
  {
    it: 'a job that no worker takes',
    alert: 'CowrieJobsLate',
    shows: ['cowrie_job_due_age_seconds{kind="wallet.expireHolds"}', 1_200],
    plant: () => addJob('wallet.expireHolds', 20, 20),
  },
  {
    it: 'a mail that is refused again and again',
    alert: 'CowrieMailsWait',
    shows: ['cowrie_mail_queue_age_seconds', 2_400],
    plant: () => addJob('mail.send', 40, -5),
  },
  {
    it: 'a wallet with more money than its postings',
    alert: 'CowrieLedgerViolated',
    shows: ['cowrie_ledger_check_violations{check="wallets_are_the_sum_of_their_movements"}', 1],
    async plant() {
      const change = (by: bigint) =>
        server.sql
          .rows`update wallets set balance_minor = balance_minor + ${by} where org_id = ${payer.orgId}`
      await change(1n)
      await recordLedgerChecks(server.app)
      expect(server.logged.join()).toContain('operators.ledger.violated')
      return async () => {
        await change(-1n)
        await recordLedgerChecks(server.app)
      }
    },
  },
  {
    it: 'a model provider that cannot be reached',
    alert: 'CowrieModelProviderDown',
    shows: ['cowrie_model_provider_state{provider="broken",state="down"}', 1],
    async plant() {
      const added = await server.call<{ id: string }>('POST', '/admin/providers', {
        as: root,
        body: {
          name: 'broken',
          wire: 'openai',
          baseUrl: 'http://127.0.0.1:1/v1',
          apiKey: 'key-for-probes-1',
        },
      })
      for (let probes = 0; probes < 3; probes++) {
        server.clock.advance({ minutes: 1 })
        await server.app.jobs.drain()
      }
      return () => server.call('DELETE', `/admin/providers/${added.body.id}`, { as: root })
    },
  },
  {
    it: 'a payment whose provider never reports an outcome',
    alert: 'CowriePaymentsWithoutOutcome',
    shows: ['cowrie_payments_without_outcome{rail="paystack"}', 1],
    async plant() {
      const reference = 'plantedpayment01'
      await server.sql.rows`
        insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email,
                              created_at, expires_at)
        values (${reference}, ${payer.orgId}, ${payer.userId}, 'topup', 'card', 'paystack', 'live', 'NGN', 500,
                'payer@example.com', ${minutesAgo(200)}, ${minutesAgo(100)})`
      return () => server.sql.rows`delete from payments where reference = ${reference}`
    },
  },
  {
    it: 'a payment provider that refuses our keys',
    alert: 'CowriePaymentProviderDown',
    shows: ['cowrie_payment_provider_up{rail="paystack",account="NG"}', 0],
    async plant() {
      await server.sql.rows`
        insert into rail_health (rail, account, keys_refused_at) values ('paystack', 'NG', ${server.clock.now()})`
      return () => server.sql.rows`delete from rail_health`
    },
  },
  {
    it: 'a row in the default partition',
    alert: 'CowrieRowsWithoutPartition',
    shows: ['cowrie_partition_rest_age_seconds{table="request_log"}', 0],
    async plant() {
      await server.sql.rows`
        insert into request_log (org_id, at, id, route, model, input_tokens, cached_input_tokens, cache_write_tokens,
          output_tokens, cost_minor, duration_ms, status)
        values (${payer.orgId}, '2999-01-01', 'rql_late', '/v1', 'small-1', 0, 0, 0, 0, 0, 0, 200)`
      return () => server.sql.rows`delete from request_log where id = 'rql_late'`
    },
  },
  {
    it: 'an outcome that the hourly deletion leaves, behind an older key that was claimed again',
    alert: 'CowrieRetentionLate',
    shows: ['cowrie_retention_overdue_seconds{table="idempotency_keys"}', 2 * 86_400],
    async plant() {
      const now = server.clock.now()
      const [old, older] = [before(now, { days: 10 }), before(now, { days: 20 })]
      await server.sql.rows`
        insert into idempotency_keys (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at)
        values (${payer.userId}, 'me', 'planted-old', ${newId('idem')}, 'f', 'free', 1, ${old}, ${old}),
               (${payer.userId}, 'me', 'planted-again', ${newId('idem')}, 'f', 'free', 1, ${now}, ${older})`
      return () => server.sql.rows`delete from idempotency_keys where key like 'planted-%'`
    },
  },
  {
    it: 'a base backup of yesterday',
    alert: 'CowrieBackupOld',
    shows: ['cowrie_backup_timestamp_seconds{kind="base_backup"}', 0],
    async plant() {
      await report('base_backup', before(server.clock.now(), { hours: 27 }))
      return () => report('base_backup', server.clock.now())
    },
  },
]

async function addJob(name: string, createdMinutesAgo: number, dueMinutesAgo: number) {
  const id = newId('job')
  await server.sql.rows`
    insert into jobs (id, name, payload, state, due_at, created_at)
    values (${id}, ${name}, 'null', 'waiting', ${minutesAgo(dueMinutesAgo)}, ${minutesAgo(createdMinutesAgo)})`
  return () => server.sql.rows`delete from jobs where id = ${id}`
}

/** Without promtool the figures are still tested. */
function expectAlerts(text: string, names: readonly string[]): void {
  if (hasPromtool) expect(alertsFor(text, server.clock.now(), names)).toEqual(names)
  else reportNotRun('deploy/observability/faults.test.ts')
}

test('a healthy service raises no alert', async () => {
  expectAlerts(await scrape(), [])
})

test.for(FAULTS)('$it raises $alert and nothing else', async ({ alert, plant, shows: [series, atLeast] }) => {
  const before = seriesValue(await scrape(), series)
  const remove = await plant()
  try {
    const text = await scrape()
    const value = seriesValue(text, series)
    expect(value).toBeGreaterThanOrEqual(atLeast)
    expect(value).not.toBe(before)
    expectAlerts(text, [alert])
  } finally {
    await remove()
  }
})

test('after all faults are removed no alert is left', async () => {
  expectAlerts(await scrape(), [])
})
