import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { copyDataFolder, makeDataFolder } from '@cowrie/testkit/harness/data-folder.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, type TestContext, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const remove = (folder: string) =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 })

/** Created on first use. */
let migrated: Promise<string> | undefined
afterAll(async () => migrated && remove(await migrated))

/** Runs `npm start` in a new process group, as a shell does. */
async function npmStart(
  { onTestFinished: later }: TestContext,
  variables: Record<string, string> = {},
  withDatabase = false,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cowrie-start-'))
  later(() => remove(dataDir))
  if (withDatabase) {
    migrated ??= makeDataFolder()
    copyDataFolder(await migrated, dataDir)
  }
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      SERVICE_DATA_DIR: dataDir,
      PORT: '0',
      NODE_ENV: 'development',
      SERVICE_DEV_AUTH: 'on',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  later(() => void npm.kill('SIGKILL'))
  const output = { text: '' }
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output.text += text
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output.text) ?? []
        if (found) resolve(found)
      })
    npm.once('exit', () => reject(new Error(`npm start exited before it listened:\n${output.text}`)))
  })
  return { npm, output, address }
}

const reach = (address: string) =>
  fetch(`${address}/health`).then(
    () => 'served',
    () => 'gone',
  )

const signalGroup = ({ pid = 0 }: ChildProcess, signal: NodeJS.Signals) => process.kill(-pid, signal)

test('npm start serves its commit, and a signal to npm stops all child processes', async (context) => {
  const { expect } = context
  const { npm, address } = await npmStart(context)
  expect(await (await fetch(`${address}/health`)).json()).toEqual({ ok: true })
  const { commit } = (await (await fetch(`${address}/version`)).json()) as { commit: string }
  // A packed copy without git history has no commit.
  if (existsSync(join(ROOT, '.git'))) expect(commit).toMatch(/^[0-9a-f]{12}$/)
  const gone = once(npm, 'exit')
  npm.kill('SIGTERM')
  await gone
  await expect.poll(() => reach(address), { timeout: scaledTimeout(20_000) }).toBe('gone')
})

// Concurrent, because each test mostly waits for its child processes.
soakTest.concurrent.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a %s to the process group of npm start lets a run in flight finish',
  async (signal, context) => {
    const { expect, onTestFinished: later } = context
    const upstream = await startFakeUpstream()
    later(() => upstream.close())
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    later(() => release())
    upstream.fallback(() => ({ pieces: [released, 'The answer that was waited for.'] }))
    const { npm, output, address } = await npmStart(
      context,
      { SERVICE_UPSTREAM_BASE_URL: upstream.url, SERVICE_UPSTREAM_OPEN_MODEL: 'small-1' },
      true,
    )
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': path, ...headers },
        body: JSON.stringify(body),
      })
      return { status: reply.status, body: (await reply.json()) as Record<string, string> }
    }
    const { userId } = (await post('/auth/dev-login', { email: 'ada@example.com' })).body
    const as = { authorization: `Bearer ${userId}` }
    const { reference } = (await post('/wallet/topup', { amountMinor: 1_000_000 }, as)).body
    await post('/wallet/verify', { reference }, as)

    const messages = [{ role: 'user', content: 'Say it.' }]
    const run = post('/v1/chat/completions', { model: 'open', messages }, as)
    await expect.poll(() => upstream.requests.length).toBe(1)
    const gone = once(npm, 'exit')
    signalGroup(npm, signal)
    await expect.poll(() => output.text).toContain('process.stop.started')
    // A forwarded signal can arrive this late on a busy machine.
    signalGroup(npm, signal)
    await expect
      .poll(() =>
        fetch(`${address}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .not.toBe(200)
    release()
    const { status, body } = await run
    expect(status, JSON.stringify(body)).toBe(200)
    await gone
    await expect.poll(() => reach(address), { timeout: scaledTimeout(20_000) }).toBe('gone')
    expect(output.text).not.toMatch(/process\.stop\.forced/)
  },
)
