import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ManualClock } from '../../kernel/clock.ts'
import { createLog, type LogOptions } from './log.ts'

type Line = Record<string, unknown>

function collect(options: Partial<LogOptions> = {}) {
  const written: string[] = []
  const log = createLog({ level: 'debug', ...options, destination: { write: (line) => written.push(line) } })
  return { log, written, lines: () => written.map((line) => JSON.parse(line) as Line) }
}

test('a line is one JSON record with level, time, fields and message', () => {
  const { log, written, lines } = collect()
  log.warn({ jobId: 'job_1', attempts: 3 }, 'a job was given up')
  expect(written).toHaveLength(1)
  expect(written[0]?.endsWith('}\n')).toBe(true)
  expect(lines()).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      jobId: 'job_1',
      attempts: 3,
      msg: 'a job was given up',
    },
  ])
  expect(Math.abs(Date.parse(String(lines()[0]?.time)) - Date.now())).toBeLessThan(10_000)
})

test('a line has the time of the given clock', () => {
  const clock = new ManualClock('2026-11-15T09:00:00.007Z')
  const { log, lines } = collect({ clock })
  log.info({}, 'one')
  clock.advance({ ms: 90 })
  log.info({}, 'two')
  clock.advance({ hours: 1, ms: 900 })
  log.info({}, 'three')
  const times = ['2026-11-15T09:00:00.007Z', '2026-11-15T09:00:00.097Z', '2026-11-15T10:00:00.997Z']
  expect(lines().map(({ time }) => time)).toEqual(times)
})

test('line breaks, escape sequences and JSON in values stay inside their record', () => {
  const { log, written, lines } = collect()
  const forged = 'curl\r\n{"level":"fatal","msg":"forged"}\u001b[2J\u009b31m\u2028\u0085end'
  log.info({ userAgent: forged, [forged]: forged }, forged)
  expect(written).toHaveLength(1)
  expect(written[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  expect(lines()[0]).toMatchObject({ level: 'info' })
})

test('secrets are redacted in fields, messages, errors and child fields', () => {
  const { log, written } = collect()
  const child = log.child({ apiKey: 'canary', header: 'Bearer canary-canary' })
  child.error({ err: new Error('postgres://u:canary@h/db'), session: { id: 'canary' } }, 'token=canary')
  expect(written).toHaveLength(1)
  expect(written.join('')).not.toContain('canary')
})

test('lower levels are not written, and their fields are not read', () => {
  const { log, written } = collect({ level: 'warn' })
  const trap = new Proxy({}, { ownKeys: () => expect.fail('was walked') })
  log.debug(trap, 'x')
  log.info(trap, 'x')
  log.access({
    ...{ method: 'GET', route: 'health', status: 200, ms: 1 },
    ...{ requestId: 'req_1', address: '::1', trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
  })
  log.flush()
  log.warn({}, 'kept')
  expect(written).toHaveLength(1)
})

test('the access line has exactly its fields', () => {
  const { log, lines } = collect({ level: 'info' })
  const fields = {
    method: 'GET',
    route: 'wallet.read',
    status: 200,
    ms: 1.25,
    requestId: 'req_1',
    address: '127.0.0.1',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: '00f067aa0ba902b7',
    userId: 'usr_1',
    orgId: 'org_1',
  }
  log.child({ replica: 'a' }).access(fields)
  expect(lines()).toEqual([
    { level: 'info', time: expect.any(String), replica: 'a', ...fields, msg: 'http.request' },
  ])
})

const ACCESS = {
  method: 'GET',
  route: 'health',
  status: 200,
  ms: 1,
  address: '::1',
  trace_id: 'a'.repeat(32),
  span_id: 'b'.repeat(16),
}

const recordsIn = (written: readonly string[]): Line[] =>
  written.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  )

test('lines of requests are written together after a moment', async () => {
  const { log, written } = collect({ level: 'info' })
  for (const requestId of ['req_1', 'req_2']) log.access({ ...ACCESS, requestId })
  expect(written).toEqual([])
  await expect.poll(() => written).toHaveLength(1)
  expect(recordsIn(written)).toMatchObject([
    { requestId: 'req_1', msg: 'http.request' },
    { requestId: 'req_2', msg: 'http.request' },
  ])
})

test('lines of requests are written before a later line, and when the log is flushed', () => {
  const { log, written } = collect({ level: 'info' })
  log.access({ ...ACCESS, requestId: 'req_1' })
  log.info({}, 'later')
  log.access({ ...ACCESS, requestId: 'req_2' })
  log.flush()
  expect(recordsIn(written).map(({ requestId, msg }) => requestId ?? msg)).toEqual([
    'req_1',
    'later',
    'req_2',
  ])
})

test('many lines of requests do not wait for the moment', () => {
  const { log, written } = collect({ level: 'info' })
  for (let at = 0; at < 500; at++) log.access({ ...ACCESS, requestId: `req_${at}` })
  expect(recordsIn(written).length).toBeGreaterThan(30)
  log.flush()
  expect(recordsIn(written).map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 500 }, (_, at) => `req_${at}`),
  )
})

test('the pretty format escapes control characters', () => {
  const { log, written } = collect({ pretty: true })
  log.info({ port: 8080, name: 'a\u001b[2Jb' }, 'listening')
  log.error({ err: new Error('broken') }, 'failed')
  expect(written[0]).toMatch(/^\d\d:\d\d:\d\d info {2}listening port=8080 name="a\\u001b\[2Jb"\n$/)
  expect(written[1]).toMatch(/^\d\d:\d\d:\d\d error failed\n {4}Error: broken\n {4}at /)
})

test('the pretty format writes the lines of several requests', () => {
  const { log, written } = collect({ level: 'info', pretty: true })
  for (const requestId of ['req_1', 'req_2']) log.access({ ...ACCESS, requestId })
  log.flush()
  expect(written.join('').split('\n')).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d info {2}http\.request .*requestId=req_1/),
    expect.stringMatching(/^\d\d:\d\d:\d\d info {2}http\.request .*requestId=req_2/),
    '',
  ])
})

test('buffered lines are written when the process ends, also on an immediate exit', () => {
  const module = fileURLToPath(new URL('./log.ts', import.meta.url))
  const script = `import { createLog } from ${JSON.stringify(module)}
    const log = createLog({ level: 'info' })
    for (let at = 0; at < 50; at++) log.info({ at }, 'line')
    log.access({ ...${JSON.stringify(ACCESS)}, requestId: 'req_1' })
    process.exit(3)`
  const run = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect(run.stderr).toBe('')
  expect(run.status).toBe(3)
  const lines = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  expect(lines.slice(0, 50).map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, at) => at))
  expect(lines.slice(50).map(({ requestId }) => requestId)).toEqual(['req_1'])
})

test('a closed terminal does not end the process', () => {
  const log = new URL('log.ts', import.meta.url).href
  const program = `
    import { outliveTerminal } from '${log}'
    outliveTerminal()
    for (const stream of [process.stdout, process.stderr]) stream.emit('error', new Error('write EIO'))`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
  expect(status).toBe(0)
})
