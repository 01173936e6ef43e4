// `npm run bench`: measures the cost of our pipeline as ratios to the bare framework and driver in the same run.
//   --quick         a rough result within half a minute, without the slowest start scenarios
//   --only a,b      the benchmarks to run. By default: health, echo, me, spend, runs, debits, driver, gateway, streams, starts.
//                   Also available: usage and index (minutes each), retrieval (search quality), scan (quality and speed),
//                   steady (30 minutes at 70 % of the full load), parsing (compares grammars), tasks (turns, uploads, tools, repositories, dependencies) and research (mostly waits for simulated web servers)
//   --minutes n     how long steady lasts; 30 by default
//   --json file     writes the figures as JSON
//   --profile dir   a CPU profile of the service, to open in a browser's developer tools
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SERVICE_FLAGS, SERVICE_VARIABLES } from '../../scripts/build.mjs'
import { bundlePrograms } from '../../scripts/packages/bundle-service.mjs'
import { present } from '../src/kernel/assert.ts'
import { measureParsing } from './analysis/parsing.ts'
import { measureScan } from './analysis/scan.ts'
import { measureIndex } from './code-index/measure.ts'
import { creditCallers } from './credit-callers.ts'
import { measureDebits } from './debits/measure.ts'
import { measureDriver } from './driver/measure.ts'
import { type BenchEnvironment, openEnvironment } from './environment.ts'
import { measureGateway } from './gateway/measure.ts'
import { startPeer } from './gateway/peer.ts'
import { bySession, type Caller } from './http/requests.ts'
import type { MeasurePlan, Server } from './http/rounds.ts'
import { compare, scenarios } from './http/scenarios.ts'
import { compareStreams } from './http/streams.ts'
import { type BenchProcess, start, type Usage } from './processes.ts'
import { type Report, reportText } from './report.ts'
import { measureResearch } from './research/measure.ts'
import { measureRetrieval } from './retrieval/measure.ts'
import { measureStarts } from './starts.ts'
import { measureSteady } from './steady.ts'
import { measureTasks } from './tasks/measure.ts'
import { measureUsage } from './usage/measure.ts'

const FULL: MeasurePlan = { connections: 64, warmUpMs: 2_000, rounds: 5, roundMs: 2_500 }
const QUICK: MeasurePlan = { connections: 64, warmUpMs: 400, rounds: 3, roundMs: 300 }

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'health,echo,me,spend,runs,debits,driver,gateway,streams,starts' },
    json: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    profile: { type: 'string' },
  },
})
const wanted = new Set(options.only.split(','))
const plan = options.quick ? QUICK : FULL
const profiled = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []

// These need neither a database nor a service. Research and tasks start a separate service.
const isServed = !wanted.isSubsetOf(new Set(['retrieval', 'scan', 'parsing']))
const WITHOUT_SHARED_SERVERS = new Set(['retrieval', 'scan', 'parsing', 'tasks', 'research', 'driver'])
const environment = isServed ? await openEnvironment() : null
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => Promise.resolve(environment?.close()).finally(() => process.exit(130)))
try {
  const report: Report = {
    at: new Date().toISOString(),
    comparisons: [],
    debits: null,
    driver: null,
    gateway: null,
    streams: null,
    steady: null,
    usage: null,
    index: null,
    research: null,
    retrieval: wanted.has('retrieval') ? measureRetrieval() : null,
    scan: wanted.has('scan') ? await measureScan(options.quick) : null,
    parsing: wanted.has('parsing') ? await measureParsing(options.quick) : null,
    tasks: null,
    memory: [],
    starts: [],
  }
  if (environment && !wanted.isSubsetOf(WITHOUT_SHARED_SERVERS)) await measureServers(environment, report)
  if (environment && wanted.has('driver'))
    report.driver = await measureDriver(environment.variables.DATABASE_URL ?? '', options.quick)
  if (environment && wanted.has('research')) {
    const caller = present(environment.callers[0], 'an environment has callers')
    report.research = await measureResearch({
      variables: environment.variables,
      caller,
      quick: options.quick,
    })
  }
  if (environment && wanted.has('tasks'))
    report.tasks = await measureTasks({ environment, isQuick: options.quick, flags: profiled })
  if (environment && wanted.has('starts')) report.starts = await measureStarts(environment, options.quick)
  process.stdout.write(reportText(report))
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
} catch (error) {
  // A missed target is only reported. The exit code is 1 only if a benchmark could not run.
  process.stderr.write(`The benchmark failed: ${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
} finally {
  await environment?.close()
}

async function measureServers(
  { variables, callers, databasePid }: BenchEnvironment,
  report: Report,
): Promise<void> {
  const started: BenchProcess[] = []
  const open = (...of: Parameters<typeof start>): BenchProcess => {
    const process = start(...of)
    started.push(process)
    return process
  }
  const serve = async (process: BenchProcess): Promise<Server> => ({
    process,
    port: await process.ask('port'),
    databasePid,
  })
  const bundle = fileURLToPath(new URL(`../../node_modules/.cache/bench-${process.pid}`, import.meta.url))
  try {
    const upstream = await serve(open('gateway/upstream-process.ts'))
    const models = {
      SERVICE_UPSTREAM_BASE_URL: `http://127.0.0.1:${upstream.port}/v1`,
      SERVICE_UPSTREAM_API_KEY: 'anything',
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    }
    // Bundled like the service of `npm start`, where packages are found.
    const programs = { service: fileURLToPath(new URL('http/service-process.ts', import.meta.url)) }
    await bundlePrograms(bundle, programs)
    const ours = await serve(
      open(join(bundle, 'service.mjs'), { ...SERVICE_VARIABLES, ...variables, ...models }, [
        ...SERVICE_FLAGS,
        ...profiled,
      ]),
    )
    const BENCH_ME = await meOf(ours, callers)
    const bare = await serve(open('http/bare-process.ts', { ...variables, BENCH_ME }))
    report.memory.push(await memory('after the start', ours, bare))

    if (wanted.has('streams')) {
      const readers = open('http/stream-process.ts')
      report.streams = await compareStreams(readers, { ours, bare }, callers, plan.rounds)
    }
    const load = open('http/load-process.ts')
    if (wanted.has('runs') || wanted.has('steady')) await creditCallers(variables.DATABASE_URL ?? '')
    for (const scenario of scenarios(ours, bare, callers)) {
      if (!wanted.has(scenario.name)) continue
      process.stderr.write(`measuring ${scenario.name} …\n`)
      report.comparisons.push(...(await compare(load, scenario, plan)))
    }
    if (wanted.has('debits')) {
      const url = variables.DATABASE_URL ?? ''
      report.debits = await measureDebits({ url, ours, load, callers, plan, quick: options.quick })
    }
    if (wanted.has('gateway')) {
      const url = variables.DATABASE_URL ?? ''
      const peer = await startPeer()
      if (peer) started.push(peer.process)
      const readers = open('gateway/reader-process.ts')
      report.gateway = await measureGateway({ url, ours, upstream, peer, load, readers, callers, plan })
    }
    if (wanted.has('steady'))
      report.steady = await measureSteady({ ours, upstream, load, callers, minutes: Number(options.minutes) })
    if (wanted.has('usage')) {
      const url = variables.DATABASE_URL ?? ''
      report.usage = await measureUsage({ url, ours, callers, quick: options.quick })
    }
    const [caller] = callers
    if (wanted.has('index') && caller) {
      const url = variables.DATABASE_URL ?? ''
      report.index = await measureIndex({ url, ours, caller, quick: options.quick })
    }
    report.memory.push(await memory('after all load', ours, bare))
  } finally {
    await Promise.all(started.map((process) => process.stop()))
    rmSync(bundle, { recursive: true, force: true })
  }
}

/** The bare server returns the same bytes for `/me`. */
async function meOf({ port }: Server, [caller]: Caller[]): Promise<string> {
  const headers = caller ? Object.fromEntries(bySession(caller).map((line) => line.split(': '))) : {}
  const response = await fetch(`http://127.0.0.1:${port}/me`, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`GET /me returned ${response.status}: ${text}`)
  return text
}

async function memory(name: string, ours: Server, bare: Server): Promise<Report['memory'][number]> {
  const rssOf = async ({ process }: Server) => (await process.ask<Usage>('usage')).rssBytes
  return { name, oursBytes: await rssOf(ours), bareBytes: await rssOf(bare) }
}
