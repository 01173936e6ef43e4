// Rules and dashboards name only metrics that the service exposes, leave none out, and every alert has an entry in the runbook.
import { readdirSync, readFileSync } from 'node:fs'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMetrics } from '../../server/src/platform/processes/join-metrics.ts'
import { at, listAt, readYaml } from '../test/manifests.ts'
import { hasPromtool, promtool, RULES, reportNotRun } from '../test/promtool.ts'

const read = (name: string) => readFileSync(`${RULES}/${name}`, 'utf8')

type Rule = {
  readonly name: string
  readonly isAlert: boolean
  readonly expr: string
  readonly runbook: string
}

const rules: readonly Rule[] = ['alerts.yml', 'slo.yml'].flatMap((file) =>
  listAt(readYaml(`deploy/observability/${file}`)[0], 'groups').flatMap((group) =>
    listAt(group, 'rules').map((rule) => ({
      name: String(at(rule, 'alert') ?? at(rule, 'record')),
      isAlert: at(rule, 'alert') !== undefined,
      expr: String(at(rule, 'expr')),
      runbook: String(at(rule, 'annotations.runbook')),
    })),
  ),
)
const alerts = rules.filter(({ isAlert }) => isAlert)
const dashboards = readdirSync(`${RULES}/dashboards`).map((name) => ({
  name,
  text: read(`dashboards/${name}`),
}))
const expressions = [
  ...rules.map(({ name, expr }) => ({ name, expr })),
  ...dashboards.flatMap(({ name, text }) =>
    [...text.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, expr = '']) => ({ name, expr })),
  ),
]
const namedIn = (expr: string): string[] => expr.match(/\b(?:cowrie|process|nodejs)[_:][\w:]+/g) ?? []

let server: TestServer
let text: string
let exposed: Set<string>
beforeAll(async () => {
  server = await startTestServer()
  text = joinMetrics([{ worker: '1', text: await server.app.metrics.exposition() }], 1)
  exposed = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
})
afterAll(() => server.close())

test('rules and dashboards name only metrics that the service exposes, or that a rule records', () => {
  const recorded = new Set(rules.filter(({ isAlert }) => !isAlert).map(({ name }) => name))
  const unknown = expressions.flatMap(({ name, expr }) =>
    namedIn(expr)
      .filter((metric) => !exposed.has(metric) && !recorded.has(metric))
      .map((metric) => `${name}: ${metric}`),
  )
  expect(expressions.length).toBeGreaterThan(100)
  expect(unknown).toEqual([])
})

test('every metric of the service is in a rule or on a dashboard', () => {
  const named = new Set(
    expressions.flatMap(({ expr }) => namedIn(expr)).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
  )
  const own = [...text.matchAll(/^# TYPE (cowrie_\w+)/gm)].map(([, name = '']) => name)
  expect(own.filter((name) => !named.has(name))).toEqual([])
})

test('no metric has a label of Prometheus itself, except the one that the scrape configuration honours', () => {
  const taken = [...text.matchAll(/^(cowrie_\w+)\{[^}]*\b(?:job|instance)="/gm)].map(([, name = '']) => name)
  expect(taken.filter((name) => !name.startsWith('cowrie_job_seconds'))).toEqual([])
  expect(read('prometheus.yml')).toContain('honor_labels: true')
  expect(readFileSync(`${RULES}/../kubernetes/monitor.yaml`, 'utf8')).toContain('honorLabels: true')
})

test('every alert names a heading of the runbook', () => {
  const runbook = readFileSync(`${RULES}/../RUNBOOK.md`, 'utf8')
  const headings = new Set([...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading))
  expect(alerts.filter((alert) => !headings.has(alert.runbook)).map(({ name }) => name)).toEqual([])
  expect(alerts.length).toBeGreaterThan(30)
})

test('each dashboard has a title, panels with distinct ids, and its own uid', () => {
  const parsed = dashboards.map(({ text: json }): { uid: string; title: string; panels: { id: number }[] } =>
    JSON.parse(json),
  )
  expect(new Set(parsed.map(({ uid }) => uid)).size).toBe(dashboards.length)
  for (const { title, panels } of parsed) {
    expect(title).toMatch(/^Cowrie: /)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  }
  expect(dashboards.map(({ name }) => name).sort()).toEqual(
    ['database', 'gateway', 'jobs', 'money', 'processes'].map((name) => `${name}.json`),
  )
})

test('promtool accepts the rules and the sample configuration, and their tests pass', () => {
  if (!hasPromtool) return reportNotRun('deploy/observability/rules.test.ts')
  for (const parameters of [
    ['check', 'rules', `${RULES}/alerts.yml`, `${RULES}/slo.yml`],
    ['check', 'config', '--syntax-only', `${RULES}/prometheus.yml`],
    ['test', 'rules', `${RULES}/alerts.test.yml`],
  ]) {
    const { status, printed } = promtool(...parameters)
    expect(status, printed).toBe(0)
  }
})
