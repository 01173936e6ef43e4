// Several processes of one replica on Linux: they share a port and a database, and a dead one is replaced.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { bundled } from '@cowrie/testkit/harness/bundle.ts'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { kill } from '@cowrie/testkit/harness/processes.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { withGenerousTimeouts } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, expect, test } from 'vitest'
import { joinMetrics } from './join-metrics.ts'

test('each series of several processes has a label for its process, and each metric is described once', () => {
  const text = (count: number) =>
    `# HELP requests Requests.\n# TYPE requests counter\nrequests{path="a b"} ${count}\nrequests{path="c}"} 1\n\n# HELP open Open.\n# TYPE open gauge\nopen ${count}\n`
  const all = [1, 2].map((count) => ({ worker: String(count), text: text(count) }))
  expect(joinMetrics(all, 3).split('\n')).toEqual([
    '# HELP requests Requests.',
    '# TYPE requests counter',
    'requests{worker="1",path="a b"} 1',
    'requests{worker="1",path="c}"} 1',
    'requests{worker="2",path="a b"} 2',
    'requests{worker="2",path="c}"} 1',
    '# HELP open Open.',
    '# TYPE open gauge',
    'open{worker="1"} 1',
    'open{worker="2"} 2',
    '# HELP cowrie_workers Processes of this replica.',
    '# TYPE cowrie_workers gauge',
    'cowrie_workers{state="expected"} 3',
    'cowrie_workers{state="answering"} 2',
    '',
  ])
})

const started = new Set<ChildProcess>()
let url: string | undefined
afterAll(async () => {
  for (const child of started) await kill(child)
  if (url) await dropDatabase(url)
})

async function start(
  variables: Record<string, string>,
): Promise<{ child: ChildProcess; errors: () => string }> {
  const child = fork(await bundled('service'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...process.env,
      ...{
        SERVICE_ENV: 'test',
        SERVICE_DEV_AUTH: 'on',
        SERVICE_WORKERS: '2',
        PORT: '0',
        METRICS_TOKEN: 'token',
      },
      SERVICE_SECRET: 'a secret that only tests know, long enough',
      ...variables,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  started.add(child)
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors += data
  })
  return { child, errors: () => errors }
}

test('processes share a port, survive each other, keep one effect for a key, and stop together', async () => {
  url = await createDatabase(null)
  const dataDir = scratchFolder()
  const { child, errors } = await start({
    DATABASE_URL: withGenerousTimeouts(url),
    SERVICE_DATA_DIR: dataDir,
  })
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(errors()))),
  ])
  const { address } = message as { address: string }
  // A new connection each time, because the kernel chooses the process by connection.
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${address}${path}`, { ...init, headers: { connection: 'close', ...init.headers } })
  const metrics = async () => (await call('/metrics', { headers: { authorization: 'Bearer token' } })).text()
  const serving = async () =>
    new Set(
      (await metrics()).matchAll(/^cowrie_http_requests_total\{worker="(\d)"/gm).map(([, slot]) => slot),
    )

  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: 20 }, () => call('/health')))
      return (await serving()).size
    })
    .toBe(2)

  const { userId } = (await (
    await call('/auth/dev-login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"ada@cowrie.test"}',
    })
  ).json()) as { userId: string }
  const topUp = async () => {
    const response = await call('/wallet/topup', {
      method: 'POST',
      headers: {
        ...{
          authorization: `Bearer ${userId}`,
          'idempotency-key': 'same',
          'content-type': 'application/json',
        },
      },
      body: '{"amountMinor":5000}',
    })
    return ((await response.json()) as { reference?: string; code?: string }).reference ?? response.status
  }
  const references = new Set(
    (await Promise.all(Array.from({ length: 12 }, topUp))).filter((it) => it !== 409),
  )
  expect(references.size).toBe(1)

  const before = workersOf(child)
  expect(before).toHaveLength(2)
  process.kill(Number(before[0]), 'SIGKILL')
  await expect.poll(() => workersOf(child).filter((pid) => !before.includes(pid)).length).toBe(1)
  await expect.poll(async () => (await metrics()).includes('cowrie_workers{state="answering"} 2')).toBe(true)
  expect((await call('/health')).status).toBe(200)

  const all = workersOf(child)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(all.filter(isAlive)).toEqual([])
  rmSync(dataDir, { recursive: true, force: true })
})

test('a port in use, and a wrong configuration, are named before anything starts', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const taken = await start({ PORT: String(port) })
  expect(await once(taken.child, 'exit')).toEqual([1, null])
  expect(taken.errors()).toContain(`Port ${port} is in use`)
  other.close()
  const wrong = await start({ SERVICE_WORKERS: '0' })
  expect(await once(wrong.child, 'exit')).toEqual([78, null])
  expect(wrong.errors()).toContain('SERVICE_WORKERS')
})

/** The children of the process that serve. */
function workersOf({ pid }: ChildProcess): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]
      return Number(parent) === pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--supervised')
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

function isAlive(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
