import { spawnSync } from 'node:child_process'
import { type FakeDocker, startFakeDocker } from '@cowrie/testkit/fakes/docker.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandInput } from '../command-run.ts'
import { PROBE } from '../self-test.ts'
import { findDocker } from './docker.ts'
import { engineAddress } from './engine.ts'
import { createFrameReader } from './frames.ts'

const IMAGE = 'tests:1'
let engine: FakeDocker
let runIn: (command: string, ask?: Partial<CommandInput>) => Promise<unknown>
beforeAll(async () => {
  engine = await startFakeDocker({ image: IMAGE })
  const { run } = await find()
  if (run === null) throw new Error('the fake is not usable')
  const signal = new AbortController().signal
  runIn = (command, ask = {}) => run({ files: new Map(), signal, ...ask, command })
})
afterAll(() => engine.close())

const find = (image = IMAGE) => findDocker({ docker: { host: engine.host, image } })

describe('a container', () => {
  test('is created without network, privileges or disk, for one run, and removed afterwards', async () => {
    engine.answers.set('make test', { output: 'all well\n' })
    const files = new Map([['src/a.ts', 'export {}']])
    expect(await runIn('make test', { files })).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      output: 'all well\n',
    })
    const container = engine.created.at(-1)
    expect(container?.config).toMatchObject({
      Image: IMAGE,
      User: '65534:65534',
      NetworkDisabled: true,
      Tty: false,
      HostConfig: {
        NetworkMode: 'none',
        ReadonlyRootfs: true,
        Privileged: false,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges:true'],
        PidsLimit: 64,
        Memory: 512 << 20,
        MemorySwap: 512 << 20,
        NanoCpus: 1e9,
        LogConfig: { Type: 'none' },
        Init: true,
      },
    })
    const host = container?.config.HostConfig
    for (const name of ['Binds', 'Mounts', 'CapAdd', 'Devices', 'PidMode', 'VolumesFrom'])
      expect(host).not.toHaveProperty(name)
    const listed = spawnSync('tar', ['-t', '-f', '-'], { input: container?.archive, encoding: 'utf8' })
    expect(listed.stdout).toBe('src/a.ts\n')
    expect(engine.containers.size).toBe(0)
  })

  test('does not inherit our environment', () => {
    const asked = JSON.stringify(engine.created.at(-1)?.config.Env)
    expect(asked).toBe('["HOME=/tmp","TMPDIR=/tmp","LANG=C.UTF-8","CI=1","NO_COLOR=1"]')
  })

  test('receives the command as one argument, for any content', async () => {
    const command = 'echo "$(id)"; echo \'a b\'\n# $1'
    engine.answers.set(command, { exitCode: 2 })
    expect(await runIn(command)).toMatchObject({ outcome: 'exited', exitCode: 2 })
    expect(engine.created.at(-1)?.config.Cmd).toContain(command)
  })

  test('that never starts is a failure of the sandbox, also when it ran out of memory', async () => {
    engine.answers.set('never', { notes: '', exitCode: 137, isOutOfMemory: true })
    expect(await runIn('never')).toMatchObject({ outcome: 'failed', limit: null })
  })

  test('that takes too long is killed and removed', async () => {
    engine.hold('sleep')
    expect(await runIn('sleep', { limits: { wallClockMs: 100 } })).toMatchObject({
      outcome: 'timed_out',
      exitCode: null,
    })
    expect(engine.calls).toContain(`POST /containers/${engine.created.at(-1)?.id}/kill`)
    expect(engine.containers.size).toBe(0)
  })

  test('whose run is cancelled is killed and removed', async () => {
    const controller = new AbortController()
    const going = runIn('sleep', { signal: controller.signal })
    await expect.poll(() => engine.running()).toBe(1)
    controller.abort()
    expect(await going).toMatchObject({ outcome: 'cancelled' })
    expect(engine.containers.size).toBe(0)
  })

  test.for([
    ['memory', { isOutOfMemory: true, exitCode: 137 }],
    ['memory', { notes: 'ready\nfree 9\nfree 9\npids max 0\nmemory oom_kill 2\n', exitCode: 0 }],
    ['processes', { notes: 'ready\nfree 9\nfree 9\npids max 7\nmemory oom_kill 0\n', exitCode: 0 }],
    ['disk', { notes: 'ready\nfree 0\nfree 9\n', exitCode: 1 }],
    ['disk', { output: 'Error: ENOSPC: no space left on device, write', exitCode: 1 }],
    ['output', { output: 'x'.repeat(2_000), exitCode: 0 }],
  ] as const)('that reaches its limit of %s reports it', async ([limit, answer]) => {
    engine.answers.set('greedy', answer)
    expect(await runIn('greedy', { limits: { outputBytes: 1_000 } })).toMatchObject({
      outcome: 'limit',
      limit,
    })
    expect(engine.containers.size).toBe(0)
  })

  test('whose files could not be copied is a failure of the sandbox, not of the command', async () => {
    engine.answers.set('never', { notes: 'tar: cannot open\n', exitCode: 125 })
    expect(await runIn('never')).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('cannot open'),
    })
  })
})

describe('the engine', () => {
  test('is not used without the image, and never pulls it', async () => {
    expect(await find('elsewhere:1')).toMatchObject({
      run: null,
      doubt: 'the image elsewhere:1 is not there',
    })
    expect(engine.calls.filter((call) => call.includes('/images/create'))).toEqual([])
  })

  test('is not used when its containers have a network or privileges', async () => {
    const sound = engine.answers.get(PROBE)
    for (const line of ['interface eth0', 'CapEff:\t00000000a80425fb']) {
      engine.answers.set(PROBE, { output: `${sound?.output}${line}\n` })
      expect(await find()).toMatchObject({ run: null, doubt: expect.stringContaining('it shows') })
    }
    engine.answers.set(PROBE, sound ?? {})
    expect(await find()).toMatchObject({ doubt: null })
  })

  test('removes the containers of dead processes, and no others', async () => {
    const left = (id: string, untilMs: number) => ({
      id,
      config: { Labels: { 'cowrie-run': String(untilMs) } },
      archive: Buffer.alloc(0),
      exitCode: null,
      socket: null,
      waiting: [],
    })
    const nowMs = performance.timeOrigin + performance.now()
    engine.containers.set('dead', left('dead', nowMs - 1_000))
    engine.containers.set('live', left('live', nowMs + 60_000))
    await find()
    expect([...engine.containers.keys()]).toEqual(['live'])
    engine.containers.delete('live')
  })

  test('that does not respond is not a sandbox', async () => {
    const nowhere = await findDocker({ docker: { host: 'unix:///nowhere/docker.sock', image: IMAGE } })
    expect(nowhere).toMatchObject({ run: null, doubt: expect.stringContaining('does not answer') })
  })

  test.for([
    [null, { socketPath: '/var/run/docker.sock' }],
    ['unix:///run/user/1/docker.sock', { socketPath: '/run/user/1/docker.sock' }],
    ['tcp://127.0.0.1:2375', { host: '127.0.0.1', port: 2375 }],
    ['tcp://[::1]:2375', { host: '::1', port: 2375 }],
    ['tcp://10.0.0.7:2375', null],
    ['tcp://127.0.0.1.example.com:2375', null],
    ['ssh://somebody@elsewhere', null],
    ['unix://', null],
  ] as const)('is used at %s only if that is this machine', ([host, address]) => {
    expect(engineAddress(host)).toEqual(address)
  })
})

test('frames are read from any chunks', () => {
  const bytes = Buffer.concat([
    Buffer.from([1, 0, 0, 0, 0, 0, 0, 3]),
    Buffer.from('out'),
    Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]),
    Buffer.from([2, 0, 0, 0, 0, 0, 0, 2]),
    Buffer.from('no'),
  ])
  for (let size = 1; size <= bytes.length; size++) {
    let [output, notes] = ['', '']
    const read = createFrameReader({
      output: (chunk) => {
        output += chunk
      },
      notes: (chunk) => {
        notes += chunk
      },
    })
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    expect([size, output, notes]).toEqual([size, 'out', 'no'])
  }
})
