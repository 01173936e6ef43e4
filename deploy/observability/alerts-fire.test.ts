// Each alert fires for figures beyond its limit, alone, and stays quiet for figures within it.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { expect, test } from 'vitest'
import { at, listAt, readYaml } from '../test/manifests.ts'
import { hasPromtool, promtool, RULES, reportNotRun } from '../test/promtool.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** Values of a series, one for each step of so many minutes, as promtool reads them. */
type Values = (steps: number, stepMinutes: number) => string
const always =
  (value: number): Values =>
  (steps) =>
    `${value}x${steps}`
const growing =
  (byMinute: number): Values =>
  (steps, minutes) =>
    `0+${byMinute * minutes}x${steps}`
/** Grows once, by this much, two steps before the end. */
const stepBy =
  (value: number): Values =>
  (steps) =>
    `0x${steps - 2} ${value}x1`
/** A point in time that was this many seconds ago at every step. */
const ago =
  (seconds: number): Values =>
  (steps, minutes) =>
    `${-seconds}+${60 * minutes}x${steps}`

type Figure = {
  readonly alert: string
  readonly series: string
  readonly beyond: Values
  readonly within: Values
  /** How long the figures last. Default: 90 minutes. */
  readonly minutes?: number
}

/** An age or a number that may be as large as its limit. */
const limited = (alert: string, series: string, limit: number): Figure => ({
  alert,
  series,
  beyond: always(limit + 1),
  within: always(limit),
})
const oldAt = (alert: string, series: string, seconds: number): Figure => ({
  alert,
  series,
  beyond: ago(seconds + 60),
  within: ago(seconds),
})
const counted = (alert: string, series: string): Figure => ({
  alert,
  series,
  beyond: stepBy(1),
  within: always(7),
})

const FIGURES: readonly Figure[] = [
  limited('CowrieLedgerViolated', 'cowrie_ledger_check_violations{check="c"}', 0),
  oldAt('CowrieLedgerNotChecked', 'cowrie_ledger_check_timestamp_seconds{check="c"}', 4 * 3600),
  limited('CowrieHoldsStuck', 'cowrie_hold_stuck_age_seconds', 300),
  limited('CowriePaymentsWithoutOutcome', 'cowrie_payment_without_outcome_age_seconds{rail="mock"}', 3600),
  limited('CowriePaymentChecksLate', 'cowrie_payment_check_overdue_seconds', 300),
  limited('CowriePaymentWebhooksWait', 'cowrie_payment_webhook_age_seconds', 600),
  limited('CowriePaymentsInReview', 'cowrie_payments_in_review', 0),
  counted('CowrieForgedWebhooks', 'cowrie_payments_total{rail="mock",outcome="forged"}'),
  limited('CowrieReconciliationDifferences', 'cowrie_payment_cases_open{kind="reconciliation"}', 0),
  oldAt(
    'CowrieReconciliationLate',
    'cowrie_reconciliation_timestamp_seconds{rail="mock",account="NG"}',
    2 * 86_400,
  ),
  limited('CowrieJobsLate', 'cowrie_job_due_age_seconds{kind="mail.send"}', 300),
  limited('CowrieSchedulesLate', 'cowrie_schedule_overdue_seconds', 120),
  counted('CowrieJobsDead', 'cowrie_job_seconds_count{job="mail.send",outcome="dead"}'),
  limited('CowrieMailsWait', 'cowrie_mail_queue_age_seconds', 900),
  limited('CowrieWebhooksWait', 'cowrie_webhook_due_age_seconds', 300),
  limited('CowriePushWaits', 'cowrie_push_queue_age_seconds', 7200),
  limited('CowrieModelProviderDown', 'cowrie_model_provider_state{provider="p",state="down"}', 0),
  limited('CowrieModelCircuitsOpen', 'cowrie_model_circuits_open{provider="p"}', 0),
  {
    alert: 'CowriePaymentProviderDown',
    series: 'cowrie_payment_provider_up{rail="mock",account="NG"}',
    beyond: always(0),
    within: always(1),
  },
  oldAt('CowrieBackupOld', 'cowrie_backup_timestamp_seconds{kind="base_backup"}', 26 * 3600),
  oldAt('CowrieRestoreDrillOld', 'cowrie_backup_timestamp_seconds{kind="restore_drill"}', 35 * 86_400),
  {
    alert: 'CowrieBackupsUnreported',
    series: 'cowrie_backup_timestamp_seconds{kind="base_backup"}',
    beyond: (steps) => `_x${steps}`,
    within: ago(0),
  },
  limited('CowrieArchiveFailing', 'cowrie_wal_archive_failing', 0),
  oldAt('CowrieArchiveOld', 'cowrie_wal_archive_timestamp_seconds', 600),
  {
    alert: 'CowriePartitionsShort',
    series: 'cowrie_partition_ahead_seconds{table="t"}',
    beyond: always(31 * 86_400 - 1),
    within: always(31 * 86_400),
    minutes: 3 * HOUR,
  },
  limited('CowrieRetentionLate', 'cowrie_retention_overdue_seconds{table="t"}', 2 * 86_400),
  limited('CowrieRowsWithoutPartition', 'cowrie_partition_rest_age_seconds{table="t"}', 0),
  {
    ...limited('CowriePartitionsDetached', 'cowrie_partitions{table="t",state="detached"}', 0),
    minutes: DAY + HOUR,
  },
  {
    alert: 'CowrieFiguresMissing',
    series: 'cowrie_figures_read_failed_total{source="jobs"}',
    beyond: growing(0.4),
    within: growing(0.2),
  },
  {
    alert: 'CowrieReplicaDown',
    series: 'up{job="cowrie",instance="b"}',
    beyond: always(0),
    within: always(1),
  },
  {
    alert: 'CowrieWorkersMissing',
    series: 'cowrie_workers{instance="a",state="answering"}',
    beyond: always(3),
    within: always(4),
  },
  limited('CowriePoolWaits', 'cowrie_pool_waiting{instance="a"}', 0),
  limited('CowrieEventLoopSlow', 'nodejs_eventloop_lag_p99_seconds{instance="a"}', 0.5),
  counted('CowrieRequestLogLost', 'cowrie_request_log_lost_rows_total{reason="overflow"}'),
  {
    alert: 'CowrieSpansDropped',
    series: 'cowrie_spans_dropped',
    beyond: growing(1),
    within: always(9),
  },
]

/** The series of a healthy replica. A figure of a test replaces its series. */
const HEALTHY: Readonly<Record<string, Values>> = {
  'up{job="cowrie",instance="a"}': always(1),
  'cowrie_backup_timestamp_seconds{kind="base_backup"}': ago(0),
  'cowrie_workers{instance="a",state="expected"}': always(4),
  'cowrie_workers{instance="a",state="answering"}': always(4),
}

type Case = {
  readonly name: string
  readonly series: Readonly<Record<string, Values>>
  readonly minutes: number
  readonly alerts: readonly string[]
}

const figureCases = FIGURES.flatMap(({ alert, series, beyond, within, minutes = 90 }): Case[] => [
  { name: `${alert} fires`, series: { [series]: beyond }, minutes, alerts: [alert] },
  { name: `${alert} stays quiet`, series: { [series]: within }, minutes, alerts: [] },
])

type Objective = {
  readonly slo: string
  /** The share that may fail. */
  readonly budget: number
  series(failed: Values, all: Values): Record<string, Values>
}

const timed = (slo: string, budget: number, metric: string, le: number): Objective => ({
  slo,
  budget,
  series: (failed, all) => ({
    [`${metric}_bucket{le="${le}"}`]: failed,
    [`${metric}_count`]: all,
  }),
})
const OBJECTIVES: readonly Objective[] = [
  {
    slo: 'api',
    budget: 0.001,
    series: (good, all) => ({
      'cowrie_http_requests_total{route="me",status="200"}': good,
      'cowrie_http_requests_total{route="me",status="500"}': difference(all, good),
    }),
  },
  timed('first_token', 0.05, 'cowrie_model_first_token_seconds', 5),
  timed('payments', 0.01, 'cowrie_payment_credit_seconds', 60),
  timed('webhooks', 0.01, 'cowrie_webhook_first_attempt_seconds', 60),
]

/** Of two series that grow steadily. */
function difference(all: Values, part: Values): Values {
  const byMinute = (values: Values) => Number(/\+([\d.]+)x/.exec(values(1, 1))?.[1])
  return growing(byMinute(all) - byMinute(part))
}

const BURNS = {
  fast: { times: 14.4, alerts: ['CowrieErrorBudgetBurns', 'CowrieErrorBudgetBurnsFast'] },
  medium: { times: 6, alerts: ['CowrieErrorBudgetBurns'] },
  slow: { times: 1, alerts: [] },
} as const
const PER_MINUTE = 100_000

const burnCases = OBJECTIVES.flatMap(({ slo, budget, series }) =>
  Object.entries(BURNS).flatMap(([pace, { times, alerts }]): Case[] => {
    const at = (share: number) => series(growing(PER_MINUTE * (1 - share)), growing(PER_MINUTE))
    const slower = pace === 'fast' ? BURNS.medium.alerts : []
    return [
      {
        name: `${slo}: a ${pace} burn fires`,
        series: at(budget * times * 1.02),
        minutes: 70,
        alerts: [...alerts, 'CowrieErrorBudgetBurnsSlowly'],
      },
      {
        name: `${slo}: slightly less than a ${pace} burn does not`,
        series: at(budget * times * 0.98),
        minutes: 70,
        alerts: pace === 'slow' ? [] : [...slower, 'CowrieErrorBudgetBurnsSlowly'],
      },
    ]
  }),
)

/** 0.3 % of requests fail on the first day, and none after it. */
const requests: Case['series'] = {
  'cowrie_http_requests_total{route="me",status="200"}': (steps, minutes) =>
    `0+${997 * minutes}x${DAY / minutes} ${997 * DAY}+${1000 * minutes}x${steps - DAY / minutes}`,
  'cowrie_http_requests_total{route="me",status="500"}': (steps, minutes) =>
    `0+${3 * minutes}x${DAY / minutes} ${3 * DAY}x${steps - DAY / minutes}`,
}
const slowCases: readonly Case[] = [
  {
    name: 'a day with too many failures fires the slow alert until its end',
    series: requests,
    minutes: DAY + HOUR,
    alerts: ['CowrieErrorBudgetBurnsSlowly'],
  },
  {
    name: 'the slow alert ends with its short window, although three days still have too many failures',
    series: requests,
    minutes: DAY + 7 * HOUR,
    alerts: [],
  },
  {
    name: 'a burn of two days that no faster alert shows is a ticket',
    series: {
      'cowrie_http_requests_total{route="me",status="200"}': growing(9_985),
      'cowrie_http_requests_total{route="me",status="500"}': growing(15),
    },
    minutes: 2 * DAY,
    alerts: ['CowrieErrorBudgetBurnsSlowly'],
  },
]

const names = ['alerts.yml', 'slo.yml'].flatMap((file) =>
  listAt(readYaml(`deploy/observability/${file}`)[0], 'groups').flatMap((group) =>
    listAt(group, 'rules').flatMap((rule) =>
      at(rule, 'alert') === undefined ? [] : [String(at(rule, 'alert'))],
    ),
  ),
)

const cases: readonly Case[] = [...figureCases, ...burnCases, ...slowCases]

test('every alert has figures that fire it', () => {
  const fired = new Set(cases.flatMap(({ alerts }) => alerts))
  expect(names.filter((name) => !fired.has(name))).toEqual([])
})

test('each alert fires beyond its limit and not within it, and no other one with it', {
  timeout: 120_000,
}, () => {
  if (!hasPromtool) return reportNotRun('deploy/observability/alerts-fire.test.ts')
  const printed = [1, LONG_STEP_MINUTES].flatMap((stepMinutes) => {
    const ofStep = cases.filter(({ minutes }) => stepMinutesOf(minutes) === stepMinutes)
    const { status, printed } = runCases(ofStep, stepMinutes)
    return status === 0 ? [] : [printed]
  })
  expect(printed).toEqual([])
})

/** Cases of a day or more have fewer samples. A recorded value is forgotten after five minutes. */
const LONG_STEP_MINUTES = 4
const stepMinutesOf = (minutes: number): number => (minutes < DAY ? 1 : LONG_STEP_MINUTES)

function runCases(some: readonly Case[], stepMinutes: number) {
  const interval = `${stepMinutes}m`
  const tests = some.map(({ name, series, minutes, alerts }) => ({
    name,
    interval,
    input_series: Object.entries({ ...HEALTHY, ...series }).map(([each, values]) => ({
      series: each,
      values: values(minutes / stepMinutes, stepMinutes),
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"}) > bool 0',
        eval_time: `${minutes}m`,
        exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  }))
  const folder = scratchFolder()
  try {
    const file = join(folder, 'fire.json')
    const rules = ['alerts.yml', 'slo.yml'].map((name) => join(RULES, name))
    writeFileSync(file, JSON.stringify({ rule_files: rules, evaluation_interval: interval, tests }))
    return promtool('test', 'rules', file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
