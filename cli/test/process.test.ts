// The CLI as a separate process.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FakeService, json, silent, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const COWRIE = fileURLToPath(new URL('../bin/cowrie.mjs', import.meta.url))
const ME = {
  userId: 'usr_1',
  orgId: 'org_1',
  email: 'ada@example.com',
  role: 'owner',
  scopes: ['*'],
  staffRole: null,
  currency: { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' },
  balanceMinor: 150_050,
  heldMinor: 0,
  availableMinor: 150_050,
  includedRemainingMinor: 0,
  plan: 'pro',
  subscriptionStatus: 'active',
  orgName: 'Ada',
  orgSuspended: false,
}

const STARTED = {
  deviceCode: 'secret',
  userCode: 'BCDF-GHJK',
  verificationUrl: 'http://cowrie.test/app/device',
  verificationUrlComplete: 'http://cowrie.test/app/device#code=BCDF-GHJK',
  interval: 5,
  expiresIn: 600,
  expiresAt: '2026-11-15T09:10:00.000Z',
}

let fakeService: FakeService
let home: string
beforeAll(async () => {
  fakeService = await startFakeService(
    json(200, ME),
    silent('data: {"delta":"a"}\n\n'),
    silent('data: {"delta":"a"}\n\n'),
    json(200, STARTED),
    json(200, ME),
    json(200, { keys: [], nextCursor: null }),
  )
  home = await mkdtemp(join(tmpdir(), 'cowrie-home-'))
})
afterAll(async () => {
  await fakeService.close()
  await rm(home, { recursive: true, force: true })
})

function start(...args: string[]) {
  return startWith({ COWRIE_API_KEY: 'csk_test' }, ...args)
}

function startWith(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [COWRIE, ...args], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, COWRIE_URL: fakeService.url, ...env },
    stdio: 'pipe',
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, output, code }
}

test('it reads its environment, prints to its streams and exits with its code', async () => {
  const { output, code } = start('auth', 'status')
  expect(await code).toBe(0)
  expect(output.stderr).toBe('')
  expect(output.stdout).toContain('₦1,500.50')
  expect(fakeService.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer csk_test',
    'user-agent': expect.stringMatching(/^cowrie-cli\/\d+\.\d+\.\d+$/),
  })
})

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a stream immediately, and the service notices',
  async (signal) => {
    const { child, output, code } = start('api', 'GET', '/stream')
    await expect.poll(() => output.stdout, { timeout: scaledTimeout(30_000) }).toBe('{"delta":"a"}\n')
    child.kill(signal)
    expect(await code).toBe(2)
    expect(output.stderr).toBe('')
    await fakeService.requests.at(-1)?.closed
  },
)

test('wrong usage exits with 64', async () => {
  const { output, code } = start('nonsense')
  expect(await code).toBe(64)
  expect(output.stderr).toContain('Unknown command "nonsense".')
})

test('Ctrl-C ends the wait for a login and stores nothing', async () => {
  const opener = join(home, 'xdg-open')
  await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > '${home}/opened'\n`)
  await chmod(opener, 0o755)
  const env = { HOME: home, PATH: `${home}${delimiter}${process.env.PATH}` }
  const { child, output, code } = startWith(env, 'auth', 'login', '--open')
  await expect.poll(() => output.stderr, { timeout: scaledTimeout(30_000) }).toContain('BCDF-GHJK')
  await expect
    .poll(() => readFile(join(home, 'opened'), 'utf8').catch(() => ''), { timeout: scaledTimeout(30_000) })
    .toBe(STARTED.verificationUrlComplete)
  child.kill('SIGINT')
  expect(await code).toBe(2)
  expect(output.stdout).toBe('')
  await expect(readFile(join(home, '.config', 'cowrie', 'credentials.json'))).rejects.toThrow('ENOENT')
})

test('a key can be read from stdin', async () => {
  const { child, output, code } = startWith({ HOME: home }, 'auth', 'login', '--with-key')
  child.stdin.end('csk_piped\n')
  expect(await code).toBe(0)
  expect(output.stdout).toContain('as ada@example.com, for Ada.')
  const kept = await readFile(join(home, '.config', 'cowrie', 'credentials.json'), 'utf8')
  expect(JSON.parse(kept)).toMatchObject({
    services: { [fakeService.url]: { org: 'org_1', keys: { org_1: { key: 'csk_piped' } } } },
  })
})
