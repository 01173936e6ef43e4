// The processes of commands in the sandbox: they end, they are limited, and none is left.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { describe, expect, test } from 'vitest'
import { useSandboxPlace } from '../../../../test/sandbox-place.ts'
import { startProcess } from '../run-process.ts'

const place = useSandboxPlace()
const { open, run } = place

/** Processes of this computer with this text in their command line. */
const processesWith = (mark: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        Number(name) !== process.pid &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark)
      )
    } catch {
      return false
    }
  })

if (!hasSandbox)
  test('the processes of commands cannot be tested here', () => {
    reportNotRun('cli/src/tools/commands/sandbox')
  })
else
  describe('a command', () => {
    test('that never ends is stopped with all its processes', async () => {
      const mark = `31415926${process.pid}`
      const { outcome } = await run(
        `sleep ${mark} & setsid sleep ${mark} & nohup sleep ${mark} & sleep ${mark}`,
        { timeoutMs: 500 },
      )
      expect(outcome).toBe('timed_out')
      await expect.poll(() => processesWith(mark)).toEqual([])
    })

    test('leaves no process behind when it ends', async () => {
      const mark = `27182818${process.pid}`
      const { outcome, text } = await run(`setsid sleep ${mark} & echo done`)
      expect([outcome, text]).toEqual(['exited', 'done\n'])
      await expect.poll(() => processesWith(mark)).toEqual([])
    })

    test('is stopped by the user at once', async () => {
      const stop = new AbortController()
      const ended = run('sleep 60', { signal: stop.signal })
      stop.abort()
      expect((await ended).outcome).toBe('stopped')
    })

    test('cannot start endlessly many processes', async () => {
      const own = open(place.folder.root, { processesMax: 150 })
      const launch = await own.launch('b() { b | b & }; b; sleep 20', { isOnline: false })
      const running = startProcess(launch, { timeoutMs: 1_500 })
      expect((await running.ended).outcome).toBe('timed_out')
      expect(running.output.text()).toContain('fork: ')
      // The computer still starts programs, and nothing is left.
      expect(spawnSync('/bin/true').status).toBe(0)
      await expect.poll(() => (process.getuid?.() === 0 ? leftGroups() : [])).toEqual([])
      await own.close()
    })

    test('that prints without end is stopped, and its beginning and end are kept', async () => {
      const { outcome, text } = await run(
        'echo first; yes 0123456789012345678901234567890123456789 | head -c 80000000',
      )
      expect(outcome).toBe('flooded')
      expect(text.slice(0, 6)).toBe('first\n')
      expect(text).toMatch(/… \d+ bytes left out …/)
      expect(text.length).toBeLessThan(600_000)
    })

    test('ends with this program, even if it is killed', async () => {
      const mark = `16180339${process.pid}`
      const script = `import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, 'sandbox.ts'))}
        import { startProcess } from ${JSON.stringify(join(import.meta.dirname, '../run-process.ts'))}
        const sandbox = openSandbox(${JSON.stringify({ root: place.folder.root, env: { PATH: process.env.PATH }, home: place.home, platform: 'linux', folder: join(place.home, 'own'), hidden: [] })})
        startProcess(await sandbox.launch('echo up; sleep ${mark}', { isOnline: false }), { timeoutMs: null, onOutput: (text) => process.stdout.write(text) })`
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', script.replace('"hidden":[]', '"hidden":[],"isSecret":() => false')],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      await new Promise((resolve) => child.stdout.once('data', resolve))
      expect(processesWith(mark).length).toBeGreaterThan(0)
      child.kill('SIGKILL')
      await expect.poll(() => processesWith(`sleep\0${mark}`)).toEqual([])
    })
  })

function leftGroups(): string[] {
  return ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith(`cowrie-${process.pid}-`)) : [],
  )
}
