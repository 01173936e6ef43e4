// `npm run bench:logins -- [--samples 200] [--parallel 500]`: checks that the response times of sign-in and registration do not
// reveal whether an account exists, and measures other requests while many users sign in at once.
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { openAccount } from '../src/identity/identity.ts'
import { DisciplinedClock } from '../src/kernel/clock.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import { hashPassword } from '../src/sign-in/sign-in.ts'
import { openEnvironment } from './environment.ts'
import { quantile, sameSourceProbability } from './kolmogorov.ts'
import { type BenchProcess, start, type Usage } from './processes.ts'

const PASSWORD = 'three pelicans in April'
const MEBIBYTE = 1024 * 1024

const { values } = parseArgs({
  options: {
    samples: { type: 'string', default: '200' },
    parallel: { type: 'string', default: '500' },
  },
})
const samples = Number(values.samples)
const parallel = Number(values.parallel)
const say = (line: string) => process.stdout.write(`${line}\n`)
const agent = new Agent({ keepAlive: true })
let callers = 0

const environment = await openEnvironment()
const variables = { ...environment.variables, TRUST_PROXY: '1', SERVICE_LOG_LEVEL: 'error' }
let service: BenchProcess | null = null
try {
  const known = await seed(environment.variables.DATABASE_URL ?? '', samples + 20)
  service = start('http/service-process.ts', variables)
  const port = await service.ask<number>('port')
  await compareTimes(port, known)
  await flood(port, service, known)
} catch (error) {
  process.stderr.write(`The benchmark failed: ${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
} finally {
  agent.destroy()
  await service?.stop()
  await environment.close()
}

async function seed(url: string, count: number): Promise<string[]> {
  const passwordHash = await hashPassword({ config: { environment: 'production' } }, PASSWORD)
  const db = openDb(url, { clock: new DisciplinedClock(), max: 2 })
  const emails = Array.from({ length: count }, (_, i) => `known.${i}@example.com`)
  await db.tx('platform', async (tx) => {
    for (const email of emails) await openAccount(tx, { email, verified: true, passwordHash })
  })
  await db.close()
  return emails
}

/** Pairs of calls whose response times must be indistinguishable. Their order alternates. */
async function compareTimes(port: number, known: readonly string[]): Promise<void> {
  const login = (email: string) => send(port, 'POST', '/auth/login', { email, password: 'not the password' })
  const register = (email: string) => send(port, 'POST', '/auth/register', { email, password: PASSWORD })
  const knownOf = (i: number) => known[i % known.length] ?? ''
  const unknownOf = (i: number) => `unknown.${i}@example.com`
  await compare(
    'login',
    'known address, wrong password',
    (i) => login(knownOf(i)),
    'unknown address',
    (i) => login(unknownOf(i)),
  )
  await compare(
    'register',
    'known address',
    (i) => register(knownOf(i)),
    'new address',
    (i) => register(`new.${i}@example.com`),
  )
}

type Call = (i: number) => Promise<Answered>

async function compare(title: string, firstName: string, first: Call, secondName: string, second: Call) {
  const [a, b]: [number[], number[]] = [[], []]
  const statuses = new Set<number>()
  for (let i = 0; i < samples + 20; i++) {
    // Alternate which of the two is first, so that neither always follows the other.
    const order: [Call, number[]][] = [
      [first, a],
      [second, b],
    ]
    if (i % 2) order.reverse()
    for (const [call, times] of order) {
      const { status, elapsedMs } = await call(i)
      statuses.add(status)
      if (i >= 20) times.push(elapsedMs)
    }
  }
  const p = sameSourceProbability(a, b)
  say(`${title}: ${samples} samples each, statuses ${[...statuses].join(', ')}`)
  for (const [name, times] of [
    [firstName, a],
    [secondName, b],
  ] as const)
    say(
      `  ${name.padEnd(32)} median ${quantile(times, 0.5).toFixed(1)} ms, p10 ${quantile(times, 0.1).toFixed(1)}, p90 ${quantile(times, 0.9).toFixed(1)}`,
    )
  say(`  Kolmogorov–Smirnov p = ${p.toFixed(3)} (distinguishable below 0.01)`)
}

async function flood(port: number, service: BenchProcess, known: readonly string[]): Promise<void> {
  const rss = async () => (await service.ask<Usage>('usage')).rssBytes
  const before = await rss()
  let peak = before
  let isOver = false
  const health: number[] = []
  const watching = Promise.all([
    (async () => {
      while (!isOver) {
        const { status, elapsedMs } = await send(port, 'GET', '/health')
        if (status !== 200) throw new Error(`/health answered ${status}`)
        health.push(elapsedMs)
      }
    })(),
    (async () => {
      while (!isOver) peak = Math.max(peak, await rss())
    })(),
  ])
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: parallel }, (_, i) =>
      send(port, 'POST', '/auth/login', {
        email: known[i % 50] ?? '',
        password: i % 2 ? PASSWORD : 'not the password',
      }),
    ),
  )
  const seconds = (performance.now() - began) / 1_000
  isOver = true
  await watching
  const counts = Object.entries(Object.groupBy(answers, ({ status }) => String(status)))
  say(`${parallel} sign-ins at once, answered within ${seconds.toFixed(1)} s`)
  say(`  ${counts.map(([status, list]) => `${status}: ${list?.length}`).join(', ')}`)
  say(
    `  /health meanwhile: ${health.length} calls, median ${quantile(health, 0.5).toFixed(1)} ms, p99 ${quantile(health, 0.99).toFixed(1)} ms, longest ${Math.max(...health).toFixed(1)} ms`,
  )
  say(
    `  memory: ${(before / MEBIBYTE).toFixed(0)} MiB before, at most ${((peak - before) / MEBIBYTE).toFixed(0)} MiB more`,
  )
}

type Answered = { status: number; elapsedMs: number }

/** Each call comes from a different network, so that the rate limit of attempts does not apply. */
function send(port: number, method: string, path: string, body?: object): Promise<Answered> {
  const caller = ++callers
  const text = body ? JSON.stringify(body) : ''
  const headers = {
    'x-forwarded-for': `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`,
    ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
  }
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode ?? 0, elapsedMs: performance.now() - began }))
    })
    sent.on('error', reject).end(text)
  })
}
