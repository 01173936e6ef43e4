// A checkout that is installed without install scripts, with the system's Node.js.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const NOT_COPIED = new Set(['.git', '.data', 'dist', 'node_modules'])
const place = mkdtempSync(join(tmpdir(), 'cowrie clone-'))
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Without the programs of this checkout, so that the system's Node.js is used. */
const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
const env = { PATH: path.join(delimiter), HOME: process.env.HOME ?? place }

test('after npm ci --ignore-scripts, npm start serves', { timeout: scaledTimeout(600_000) }, async () => {
  for (const name of readdirSync(ROOT).filter((each) => !NOT_COPIED.has(each)))
    cpSync(join(ROOT, name), join(place, name), {
      recursive: true,
      filter: (source) => !source.endsWith('/node_modules'),
    })
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: place, env })
  const npm = spawn('npm', ['start'], {
    cwd: place,
    env: { ...env, PORT: '0' },
    stdio: 'pipe',
    detached: true,
  })
  let printed = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const address = /http:\/\/127\.0\.0\.1:\d+/
  try {
    await expect.poll(() => printed, { timeout: scaledTimeout(300_000) }).toMatch(address)
    const { status } = await fetch(`${address.exec(printed)?.[0]}/app`)
    expect(status).toBe(200)
  } finally {
    const gone = once(npm, 'exit')
    npm.kill('SIGTERM')
    await gone
  }
})
