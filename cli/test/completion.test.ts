// Completion in real shells, with the CLI from source.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { json, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCRIPTS } from '../src/completion/scripts.ts'
import { cowrie } from './cowrie.ts'

const run = promisify(execFile)
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-shell-'))
  const program = join(folder, 'cowrie')
  const source = join(import.meta.dirname, '../bin/cowrie.mjs')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${source}' "$@"\n`)
  await chmod(program, 0o755)
  for (const [shell, script] of Object.entries(SCRIPTS)) await writeFile(join(folder, shell), script)
  await writeFile(join(folder, 'a file.txt'), '')
  env = { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder, ...COMPILE_CACHE }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('in bash', () => {
  /** The completions that Tab offers after these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const quoted = ['cowrie', ...words].map((word) => `'${word}'`).join(' ')
    const script = `source ./bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _cowrie; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['--norc', '-c', script], { cwd: folder, env })
    return stdout.split('\n').slice(0, -1)
  }

  test('commands, options, values and files are offered', async () => {
    expect(await offered('comp')).toEqual(['completion'])
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect(await offered('auth', 'login', '--with')).toEqual(['--with-key'])
    expect(await offered('nothing', 'such')).toEqual([''])
  })
})

// These shells are often missing. Missing ones are reported.
const ELSEWHERE = {
  async fish() {
    const script = 'source ./fish; complete -C "cowrie auth lo"'
    const { stdout } = await run('fish', ['--no-config', '-c', script], { cwd: folder, env })
    expect(stdout).toMatch(/^login\tSign in[^\n]+\nlogout\tRevoke/)
  },
  async zsh() {
    await run('zsh', ['-n', './zsh'], { cwd: folder, env })
  },
}
for (const [shell, check] of Object.entries(ELSEWHERE))
  if (existsSync(`/usr/bin/${shell}`)) test(`${shell} accepts its script`, check)
  else process.stderr.write(`NOT RUN: the completion of ${shell}, which is not installed here.\n`)

test('an unknown shell is an error', async () => {
  expect(await cowrie(['completion', 'tcsh'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('bash, zsh, fish, powershell'),
  })
})

describe('ids from the service', () => {
  test('are fetched in the background, cached for a minute, and offered without waiting', async () => {
    const service = await startFakeService(
      json(200, { threads: [{ id: 'thr_a1', title: 'On\tledgers' }], nextCursor: null }),
    )
    const home = await mkdtemp(join(folder, 'home-'))
    let now = Date.parse('2026-11-15T12:00:00Z')
    const asked: (readonly string[])[] = []
    const machine = {
      now: () => new Date(now),
      startInBackground: (args: readonly string[]) => asked.push(args),
    }
    const options = { env: { HOME: home, COWRIE_URL: service.url, COWRIE_API_KEY: 'csk_x' }, machine }
    const tab = () => cowrie(['__complete', '--', 'chat', '--thread', 'thr_a'], options)
    expect((await tab()).stdout).toBe('')
    expect(asked).toEqual([['__complete', '--refresh', 'threads', '--base-url', service.url]])

    expect((await cowrie(asked[0] ?? [], options)).code).toBe(0)
    expect((await tab()).stdout).toBe('thr_a1\tOn ledgers\n')
    expect(asked).toHaveLength(1)
    now += 61_000
    expect((await tab()).stdout).toBe('thr_a1\tOn ledgers\n')
    expect(asked).toHaveLength(2)
    expect(await readdir(join(home, '.cache', 'cowrie'))).toEqual([
      expect.stringMatching(/^words-threads-\w+\.json$/),
    ])
    const saving = await cowrie(['__complete', '--data-saver', '--', 'chat', '--thread', ''], options)
    expect([saving.stdout, asked.length]).toEqual(['thr_a1\tOn ledgers\n', 2])
    await service.close()
  })
})
