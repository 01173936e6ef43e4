// Runs promtool over the rules of deploy/observability, and finds out which alerts scraped figures raise.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'

export const RULES = fileURLToPath(new URL('../observability', import.meta.url))
export const hasPromtool: boolean = spawnSync('promtool', ['--version']).status === 0

/** For the tests that replace those that cannot run. */
export function reportNotRun(file: string): void {
  process.stderr.write(
    `\nNOT RUN: the tests of ${file}, because promtool is not installed here (apt-get install prometheus)\n`,
  )
}

/** Returns what promtool printed, with its exit status. */
export function promtool(...parameters: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync('promtool', parameters, { encoding: 'utf8', timeout: 120_000 })
  return { status, printed: `${stdout}${stderr}` }
}

/** Longer than the longest `for` of a rule. */
const HELD_MINUTES = 90

/**
 * The names of the alerts that fire when a service keeps exposing this text. Prometheus counts from 1970 in such a test, so
 * points in time are moved by the clock of the service.
 */
export function alertsFor(exposition: string, now: Date, expected: readonly string[]): string[] {
  const names = [...new Set(['', ...expected])].filter((name) => name !== '')
  const series = exposition.split('\n').flatMap((line) => {
    const [, name = '', labels = '', text = ''] = /^(cowrie_\w+)(\{.*\})? (\S+)$/.exec(line) ?? []
    const value = Number(text)
    if (name === '' || !Number.isFinite(value)) return []
    const shifted = name.endsWith('_timestamp_seconds')
      ? value - now.getTime() / 1000 + HELD_MINUTES * 60
      : value
    return { series: `${name}${labels}`, values: `${shifted}+0x${HELD_MINUTES}` }
  })
  const test = {
    rule_files: ['alerts.yml', 'slo.yml'].map((name) => join(RULES, name)),
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: [{ series: 'up{job="cowrie"}', values: `1+0x${HELD_MINUTES}` }, ...series],
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"}) > bool 0',
            eval_time: `${HELD_MINUTES}m`,
            exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
          },
        ],
      },
    ],
  }
  const folder = scratchFolder()
  try {
    const file = join(folder, 'faults.json')
    writeFileSync(file, JSON.stringify(test))
    const { status, printed } = promtool('test', 'rules', file)
    if (status === 0) return names
    const got = /got:(.*)/s.exec(printed)?.[1] ?? printed
    const fired = [...got.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)
    return fired.length > 0 ? [...new Set(fired)].sort() : [printed]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
