import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { hostileFiles } from '@cowrie/testkit/sandbox/hostile.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandInput, CommandRun } from '../command-run.ts'
import { findLocalProblem, probeLocalSandbox } from '../self-test.ts'
import { runLocally } from './local.ts'
import { findLocalTools, type LocalTools } from './local-tools.ts'

if (hasSandbox) describe('the local sandbox', testLocalSandbox)
else test('the local sandbox is not tested on this machine', () => reportNotRun('sandbox/local.ts'))

test('without its tools there is no sandbox', async () => {
  expect(await findLocalTools(['/nowhere'])).toEqual({ missing: 'bubblewrap is not installed' })
})

let tools: LocalTools

function testLocalSandbox(): void {
  beforeAll(async () => {
    const found = await findLocalTools()
    if ('missing' in found) throw new Error(found.missing)
    tools = found
  })
  describe('a command', testCommands)
  describe('a program that wants out', testEscapes)
  describe('a command that takes too much', testLimits)
  describe('a run without a control group', testWithoutGroup)
  describe('the end of a run', testEnds)
  describe('the test of the sandbox itself', testSelfTest)
}

const run = (command: string, ask: Partial<CommandInput> = {}): Promise<CommandRun> =>
  runWith(tools, command, ask)

const runWith = (used: LocalTools, command: string, ask: Partial<CommandInput> = {}): Promise<CommandRun> =>
  runLocally(used, { files: new Map(), signal: new AbortController().signal, ...ask, command })

/** A long sleep that no other test uses. */
const nap = (number: number): string => `sleep ${process.pid}${number}77`

/** Processes of this host whose command line contains these words. */
const processesWith = (words: string): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(words))

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function testCommands(): void {
  test('runs on its files and returns its exit code and both streams in order', async () => {
    const files = new Map([
      ['src/add.js', 'exports.add = (a, b) => a + b\n'],
      ['test/add.test.js', ADD_TEST],
      ['say.sh', '#!/bin/sh\necho out; echo err >&2; echo out again\n'],
    ])
    const done = await run('./say.sh; node --test; exit 3', { files })
    expect(done).toMatchObject({ outcome: 'exited', exitCode: 3, limit: null })
    expect(done.output).toMatch(/^out\nerr\nout again\n/)
    expect(done.output).toContain('ℹ pass 1')
  })

  test('has an empty standard input, and may have several lines', async () => {
    expect(await run('cat\nwc -c < /dev/stdin\necho "$HOME" \'$x\'')).toMatchObject({
      exitCode: 0,
      output: '0\n/tmp $x\n',
    })
  })

  test('sees programs and libraries of the machine, and neither its sources nor other installed files', async () => {
    const seen = await run(
      'ls /usr /usr/local | tr "\\n" " "; node -v >/dev/null && awk "BEGIN{}" && perl -e 1 && echo work',
    )
    const names = seen.output.split(/\s+/).filter((word) => /^\w+$/.test(word))
    const known = 'bin sbin lib lib32 lib64 libx32 libexec share include local work'.split(' ')
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    expect(names).toContain('work')
  })

  test('can listen and connect on localhost', async () => {
    const served = await run(
      `node -e "const s=require('http').createServer((q,r)=>r.end('hi')).listen(0,'localhost',()=>require('http').get('http://localhost:'+s.address().port,(r)=>r.on('data',(d)=>console.log(String(d))).on('end',()=>s.close())))"`,
    )
    expect(served).toMatchObject({ exitCode: 0, output: 'hi\n' })
  })

  test('that a signal ends is reported by its exit code', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ outcome: 'exited', exitCode: 137 })
  })

  test('that never starts is a failure of the sandbox, also when it reached a limit', async () => {
    const broken = { ...tools, processors: [4_095] }
    expect(await runWith(broken, 'echo ran')).toMatchObject({
      outcome: 'failed',
      output: expect.not.stringContaining('ran'),
    })
    if (tools.groups === null) return
    const files = new Map([['big', 'x'.repeat(8 << 20)]])
    expect(await run('echo ran', { files, limits: { memoryBytes: 2 << 20 } })).toMatchObject({
      outcome: 'failed',
      limit: null,
      output: '',
    })
  })

  test('with an unsafe path is not run', async () => {
    const done = await run('echo ran', { files: new Map([['../x', '']]) })
    expect(done).toMatchObject({ outcome: 'failed', exitCode: null, output: '' })
  })
}

function testEscapes(): void {
  let server: Server
  let hidden: Server
  let lines: string[]
  const abstractSocket = `cowrie-test-${process.pid}`
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1')
    hidden = createServer().listen(`\0${abstractSocket}`)
    await Promise.all([server, hidden].map((one) => new Promise((resolve) => one.once('listening', resolve))))
    const address = server.address()
    const done = await run('sh run.sh', {
      files: hostileFiles({
        port: typeof address === 'object' && address ? address.port : 0,
        abstractSocket,
        pid: process.pid,
        file: import.meta.filename,
        variables: Object.keys(process.env).filter((name) => !OWN_VARIABLES.has(name)),
      }),
    })
    expect(done).toMatchObject({ outcome: 'exited', exitCode: 0 })
    lines = done.output.trim().split('\n')
  })
  afterAll(() => {
    server.close()
    hidden.close()
  })

  test('cannot escape in more than a hundred ways', () => {
    expect(lines.filter((line) => !line.endsWith(': held'))).toEqual([])
    expect(lines.length).toBeGreaterThan(100)
  })

  test('finds no data of the run before it', async () => {
    const left = await run('ls -A /tmp /dev/shm /project')
    expect(left.output).toBe('/dev/shm:\n\n/project:\n\n/tmp:\n')
  })
}

function testLimits(): void {
  test.for<[name: string, command: string, limit: CommandRun['limit']]>([
    ['memory', `perl -e '$x = "x" x (1 << 20); push @all, "$x$_" for 1 .. 600; print "through"'`, 'memory'],
    ['processes', `perl -e 'for (1 .. 200) { fork // last } select undef, undef, undef, 0.3'`, 'processes'],
    ['disk', 'head -c 100M /dev/zero > big; rm big; false', 'disk'],
    ['disk beside its files', 'head -c 100M /dev/zero > /tmp/big', 'disk'],
    ['room to speak', 'yes "this is nothing new"', 'output'],
  ])('of %s is stopped at the limit', async ([, command, limit]) => {
    const limits = { memoryBytes: 96 << 20, processes: 32, diskBytes: 8 << 20, wallClockMs: 30_000 }
    const done = await run(command, { limits })
    // Without control groups, only the parent learns that a process could not be started.
    const isTold = tools.groups !== null || limit !== 'processes'
    expect(done).toMatchObject(isTold ? { outcome: 'limit', limit } : { outcome: 'exited' })
    expect(done.output).not.toContain('through')
    expect(Buffer.byteLength(done.output)).toBeLessThan((1 << 20) + 100)
  })

  test('time is stopped with all its children, without remains', async () => {
    const done = await run(`(setsid ${nap(0)} &) ; trap "" TERM; echo began; while :; do :; done`, {
      // Enough to start on a busy machine.
      limits: { wallClockMs: 2_000 },
    })
    expect(done).toMatchObject({ outcome: 'timed_out', exitCode: null, output: 'began\n' })
    expect(processesWith(nap(0))).toEqual([])
  })
}

/** As for users who cannot create control groups. */
function testWithoutGroup(): void {
  const alone = (command: string, ask?: Partial<CommandInput>) =>
    runWith({ ...tools, groups: null }, command, ask)

  test('starts Node.js with as many threads as a test runner uses', async () => {
    const done = await alone(
      `node -e 'for (let i = 0; i < 4; i++) new (require("node:worker_threads").Worker)("console.log(1)", { eval: true })'`,
    )
    expect(done).toMatchObject({ outcome: 'exited', exitCode: 0, output: '1\n'.repeat(4) })
  })

  test('is stopped at its memory limit, for any number of processes', async () => {
    const child = `perl -e '$x = "x" x (40 << 20); select undef, undef, undef, 20'`
    const done = await alone(`for i in 1 2 3 4; do ${child} & done; wait; echo through`, {
      limits: { memoryBytes: 96 << 20, wallClockMs: 15_000 },
    })
    expect(done).toMatchObject({ outcome: 'limit', limit: 'memory' })
    expect(done.output).not.toContain('through')
  })

  test('may reserve more memory than it may use', async () => {
    const done = await alone(`node -e 'new WebAssembly.Memory({ initial: 4096 }); console.log("reserved")'`, {
      limits: { memoryBytes: 192 << 20 },
    })
    expect(done).toMatchObject({ outcome: 'exited', output: 'reserved\n' })
  })

  test('cannot hide memory from the measurement', async () => {
    const number = { arm64: 279, x64: 319 }[process.arch === 'arm64' ? 'arm64' : 'x64']
    const done = await alone(`perl -e 'my $name = "x"; print syscall(${number}, $name, 0), " ", $! + 0'`)
    expect(done.output).toBe('-1 1')
  })

  test('passes the self-test of the sandbox', async () => {
    expect(await probeLocalSandbox({ ...tools, groups: null })).toBeNull()
  })
}

function testEnds(): void {
  test('a command that leaves children behind does not wait for them, and they end with it', async () => {
    const done = await run(`setsid nohup ${nap(1)} & echo done`)
    expect(done).toMatchObject({ outcome: 'exited', exitCode: 0, output: 'done\n' })
    expect(processesWith(nap(1))).toEqual([])
  })

  test('a cancelled command is stopped immediately', async () => {
    const controller = new AbortController()
    const going = run(`echo began; ${nap(2)}`, { signal: controller.signal })
    await expect.poll(() => processesWith(nap(2)).length).toBeGreaterThan(0)
    controller.abort()
    expect(await going).toMatchObject({ outcome: 'cancelled', exitCode: null })
    expect(processesWith(nap(2))).toEqual([])
    expect(await run('echo ran', { signal: controller.signal })).toMatchObject({
      outcome: 'cancelled',
      output: '',
    })
  })

  test('runs leave no control groups behind', () => {
    const { groups } = tools
    if (groups === null) return
    const folders = groups.version === 2 ? [groups.all] : [groups.memory, groups.pids]
    const left = folders
      .flatMap((folder) => readdirSync(folder))
      .filter((name) => name.startsWith(`cowrie-run-${process.pid}-`))
    expect(left).toEqual([])
  })

  test('when the service is killed, its commands are killed, and its open files are not visible inside', async () => {
    const service = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../../../testkit/sandbox/service.ts'), nap(3).replace('sleep ', '')],
      {
        // Another program left a file open at a high number, which Node.js does not close.
        stdio: ['ignore', 'pipe', 'inherit', ...Array<'ignore'>(37).fill('ignore'), 'pipe'],
      },
    )
    let printed = ''
    service.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk
    })
    const patience = { timeout: 30_000 }
    await expect.poll(() => processesWith(nap(3)).length, patience).toBeGreaterThan(0)
    // Its output may arrive a moment later.
    await expect.poll(() => printed, patience).toMatch(/40 -> \/dev\/null/)
    service.kill('SIGKILL')
    await expect.poll(() => processesWith(nap(3)), patience).toEqual([])
  })

  test('when the service is killed while a sandbox is being built, nothing runs in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cowrie-orphan-'))
    chmodSync(folder, 0o755)
    const gate = join(folder, 'gate')
    // The parent of the sandbox ends before the sandbox could bind its life to it.
    const orphaning = join(folder, 'bwrap')
    const script = `until [ -e '${gate}' ]; do sleep 0.02; done\nexec 9<&0\n'${tools.bubblewrap}' "$@" <&9 9<&- &\n`
    writeFileSync(orphaning, `#!/bin/sh\n${script}`, { mode: 0o755 })
    const service = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../../../../testkit/sandbox/service.ts'),
        nap(4).replace('sleep ', ''),
        orphaning,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const inside = () => processesWith(nap(4)).filter((pid) => !commandLineOf(pid).includes('bwrap'))
    const patience = { timeout: 30_000 }
    try {
      await expect.poll(() => processesWith(nap(4)).length, patience).toBeGreaterThan(0)
      // It has written all that the sandbox reads, and waits.
      await expect.poll(() => stateOf(service.pid), patience).toBe('S')
      // A killed process closes its pipes only after a while.
      service.kill('SIGSTOP')
      writeFileSync(gate, '')
      await expect.poll(inside, patience).not.toEqual([])
      service.kill('SIGKILL')
      await expect.poll(() => processesWith(nap(4)), patience).toEqual([])
    } finally {
      service.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function testSelfTest(): void {
  test('passes here', async () => {
    expect(await probeLocalSandbox(tools)).toBeNull()
  })

  test('detects a file that should be hidden', async () => {
    expect(await probeLocalSandbox(tools, ["/it's not there", '/usr/bin/env'])).toBe(
      'it shows: hidden /usr/bin/env',
    )
    // Mounted where nothing covers it, independent of the checkout's location.
    const open = { ...tools, mountArgs: [...tools.mountArgs, '--ro-bind', import.meta.dirname, '/srv/ours'] }
    expect(await probeLocalSandbox(open)).toMatch(/^it shows: /)
  })

  test('detects limits that Node.js does not survive', async () => {
    const system = [...tools.mountArgs, '--ro-bind', '/usr/bin/false', '/opt/node/bin/node']
    expect(await probeLocalSandbox({ ...tools, node: null, mountArgs: system })).toBe('it shows: node fails')
  })

  test('detects missing and excessive access', () => {
    const seen = (output: string): CommandRun => ({
      outcome: 'exited',
      exitCode: 0,
      limit: null,
      output,
      durationMs: 1,
    })
    const rights = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(
      (name) => `${name}:\t0000000000000000`,
    )
    const sound = [
      'sound',
      ...rights,
      'NoNewPrivs:\t1',
      'Seccomp:\t2',
      'interface lo',
      '1000',
      'etc passwd',
      'root usr',
    ]
    expect(findLocalProblem(seen(sound.join('\n')))).toBeNull()
    for (const line of sound.slice(0, 10))
      expect(findLocalProblem(seen(sound.filter((other) => other !== line).join('\n')))).toContain(
        'does not show',
      )
    for (const line of [
      'interface eth0',
      'route eth0 0',
      'etc shadow',
      'environ SECRET=1',
      'open 7 -> /etc/shadow',
      'root home',
      'passwd root:x:0:0',
    ])
      expect(findLocalProblem(seen([...sound, line].join('\n')))).toContain('it shows')
    expect(findLocalProblem({ ...seen(sound.join('\n')), exitCode: 1 })).not.toBeNull()
  })
}

const OWN_VARIABLES = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'CI',
  'NO_COLOR',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
])
const ADD_TEST = `
const { test } = require('node:test')
const assert = require('node:assert')
const { add } = require('../src/add.js')
test('adds', () => assert.equal(add(1, 2), 3))
`

/** The state of a process in /proc: S while it waits. */
const stateOf = (pid = 0): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] ?? ''
