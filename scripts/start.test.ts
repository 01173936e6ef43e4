import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test('npm start serves, and a signal to npm ends everything it started', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cowrie-start-'))
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, SERVICE_DATA_DIR: dataDir, PORT: '0', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    let said = ''
    const collect = (text: string) => {
      said += text
    }
    npm.stdout.setEncoding('utf8').on('data', collect)
    npm.stderr.setEncoding('utf8').on('data', collect)
    await expect.poll(() => said, { timeout: 90_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ''
    expect(await (await fetch(`${address}/health`)).json()).toEqual({ ok: true })

    const gone = once(npm, 'exit')
    npm.kill('SIGTERM')
    await gone
    const reach = () =>
      fetch(`${address}/health`).then(
        () => 'served',
        () => 'gone',
      )
    await expect.poll(reach, { timeout: 20_000 }).toBe('gone')
  } finally {
    npm.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}, 150_000)
