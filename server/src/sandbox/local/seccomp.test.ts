import { describe, expect, test } from 'vitest'
import { buildSeccompPrograms, type CpuArchitecture, type SeccompPrograms } from './seccomp.ts'
import { REFUSED_CALLS, UNMEASURED_CALLS } from './system-calls.ts'

const MACHINES = { arm64: 0xc00000b7, x64: 0xc000003e }
const ALLOWED = 0x7fff0000
const KILLED = 0x80000000
const refusedWith = (errno: number) => 0x00050000 | errno

describe.for(['arm64', 'x64'] as const)('the filter for %s', (machine) => {
  const column = machine === 'arm64' ? 0 : 1
  const ask = (number: number, argument = 0) => judge(machine, { number, argument })

  test('rejects every listed call', () => {
    for (const [name, numbers] of Object.entries(REFUSED_CALLS)) {
      const number = numbers[column]
      if (number !== null) expect([name, ask(number)]).toEqual([name, refusedWith(1)])
    }
  })

  test('rejects memory that cannot be measured, unless a control group counts it', () => {
    for (const [name, numbers] of Object.entries(UNMEASURED_CALLS)) {
      const call = { number: numbers[column] ?? Number.NaN }
      expect([name, judge(machine, call, 'alone')]).toEqual([name, refusedWith(1)])
      expect([name, judge(machine, call, 'grouped')]).toEqual([name, ALLOWED])
    }
  })

  test('allows all other calls', () => {
    const special = new Set([
      ...Object.values(REFUSED_CALLS).map((numbers) => numbers[column]),
      435,
      ...([
        [220, 198],
        [56, 41],
      ][column] ?? []),
    ])
    for (let number = 0; number < 600; number++)
      if (!special.has(number)) expect([number, ask(number)]).toEqual([number, ALLOWED])
  })

  test('allows child processes, but no new namespaces', () => {
    const clone = machine === 'arm64' ? 220 : 56
    expect(ask(clone, 17)).toBe(ALLOWED)
    // Threads: CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID.
    expect(ask(clone, 0x3d0f00)).toBe(ALLOWED)
    for (const flag of [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(ask(clone, 17 | flag)).toBe(refusedWith(1))
    expect(ask(435)).toBe(refusedWith(38))
  })

  test('allows sockets only of the families that work in an empty network', () => {
    const socket = machine === 'arm64' ? 198 : 41
    for (const family of [1, 2, 10, 16]) expect(ask(socket, family)).toBe(ALLOWED)
    for (const family of [0, 3, 9, 17, 29, 38, 40, 44]) expect(ask(socket, family)).toBe(refusedWith(97))
  })

  test('kills calls of another architecture, and rejects the x32 table', () => {
    expect(judge(machine, { number: 1, architecture: 0x40000003 })).toBe(KILLED)
    expect(ask(0x40000000 | 1)).toBe(refusedWith(1))
  })
})

test('there is no filter for an unknown architecture', () => {
  expect(buildSeccompPrograms('riscv64')).toBeNull()
})

type Call = { number: number; argument?: number; architecture?: number }

/** Interprets the filter as the kernel does, for the instructions we use. */
function judge(
  machine: CpuArchitecture,
  { number, argument = 0, architecture = MACHINES[machine] }: Call,
  use: keyof SeccompPrograms = 'grouped',
): number {
  const program = buildSeccompPrograms(machine)?.[use] ?? Buffer.alloc(0)
  const data = new Map([
    [0, number],
    [4, architecture],
    [16, argument],
  ])
  let loaded = 0
  for (let at = 0; at < program.length / 8; ) {
    const code = program.readUInt16LE(at * 8)
    const k = program.readUInt32LE(at * 8 + 4)
    const jump = (isTaken: boolean) => 1 + program.readUInt8(at * 8 + (isTaken ? 2 : 3))
    if (code === 0x06) return k
    if (code === 0x20) loaded = data.get(k) ?? Number.NaN
    if (code === 0x15) at += jump(loaded === k)
    else if (code === 0x35) at += jump(loaded >= k)
    else if (code === 0x45) at += jump((loaded & k) !== 0)
    else at++
  }
  throw new Error('the program has no end')
}
