// A seccomp filter: a BPF program that reads the number and the arguments of each system call and allows, refuses or
// kills. It applies to everything the sandbox starts.
import { CHECKED_CALLS, REFUSED_CALLS, type RefusedCalls, UNMEASURED_CALLS } from './system-calls.ts'

export type CpuArchitecture = 'arm64' | 'x64'

/** `grouped` is for runs in a control group; `alone` is for runs whose memory we measure ourselves. */
export type SeccompPrograms = { readonly grouped: Buffer; readonly alone: Buffer }

/** The filters for this architecture, or null if we have none and must not run anything. */
export function buildSeccompPrograms(machine: string): SeccompPrograms | null {
  if (machine !== 'arm64' && machine !== 'x64') return null
  return {
    grouped: assemble(buildFilter(machine, REFUSED_CALLS)),
    alone: assemble(buildFilter(machine, { ...REFUSED_CALLS, ...UNMEASURED_CALLS })),
  }
}

type Instruction = { code: number; k: number; jt?: Label; jf?: Label }
type Label = 'refuse' | 'absent' | 'family' | 'kill' | 'clone' | 'socket'
type FilterLine = Instruction | { label: Label }

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06

// Offsets in the kernel's record: the number, the architecture, and the lower half of the first argument.
const NUMBER = 0
const MACHINE = 4
const FIRST_ARGUMENT = 16

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const ERRNO = 0x00050000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

const AUDIT_NAMES: Record<CpuArchitecture, number> = { arm64: 0xc00000b7, x64: 0xc000003e }
// The x32 table: the same calls with 32-bit pointers, only on x64.
const X32_BIT = 0x40000000
// New namespaces: time, mount, cgroup, uts, ipc, user, pid, network.
const NAMESPACE_FLAGS =
  0x80 | 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
// Unix, IPv4, IPv6 and netlink are confined to the empty network namespace. Other families, such as those that reach
// a hypervisor, are not.
const FAMILIES = [1, 2, 10, 16]

function buildFilter(machine: CpuArchitecture, calls: RefusedCalls): FilterLine[] {
  const column = machine === 'arm64' ? 0 : 1
  const refused = Object.values(calls).flatMap((numbers) => numbers[column] ?? [])
  return [
    { code: LOAD, k: MACHINE },
    { code: JUMP_EQUAL, k: AUDIT_NAMES[machine], jf: 'kill' },
    { code: LOAD, k: NUMBER },
    { code: JUMP_AT_LEAST, k: X32_BIT, jt: 'refuse' },
    ...refused.map((k): FilterLine => ({ code: JUMP_EQUAL, k, jt: 'refuse' })),
    // The flags of clone3 are in memory, which a filter cannot read. Libraries fall back to clone.
    { code: JUMP_EQUAL, k: CHECKED_CALLS.clone3[column], jt: 'absent' },
    { code: JUMP_EQUAL, k: CHECKED_CALLS.clone[column], jt: 'clone' },
    { code: JUMP_EQUAL, k: CHECKED_CALLS.socket[column], jt: 'socket' },
    { code: RETURN, k: ALLOW },
    { label: 'clone' },
    { code: LOAD, k: FIRST_ARGUMENT },
    { code: JUMP_ANY_BIT, k: NAMESPACE_FLAGS, jt: 'refuse' },
    { code: RETURN, k: ALLOW },
    { label: 'socket' },
    { code: LOAD, k: FIRST_ARGUMENT },
    ...FAMILIES.map((k): FilterLine => ({ code: JUMP_EQUAL, k, jt: 'family' })),
    { code: RETURN, k: ERRNO | EAFNOSUPPORT },
    { label: 'family' },
    { code: RETURN, k: ALLOW },
    { label: 'refuse' },
    { code: RETURN, k: ERRNO | EPERM },
    { label: 'absent' },
    { code: RETURN, k: ERRNO | ENOSYS },
    { label: 'kill' },
    { code: RETURN, k: KILL },
  ]
}

/** Resolves labels to jump distances. Jumps are forward and span at most 255 instructions. */
function assemble(lines: readonly FilterLine[]): Buffer {
  const places = new Map<Label, number>()
  const instructions: Instruction[] = []
  for (const line of lines) {
    if ('label' in line) places.set(line.label, instructions.length)
    else instructions.push(line)
  }
  const program = Buffer.alloc(instructions.length * 8)
  instructions.forEach(({ code, k, jt, jf }, at) => {
    const distance = (label: Label | undefined) =>
      label === undefined ? 0 : (places.get(label) ?? -1) - at - 1
    program.writeUInt16LE(code, at * 8)
    program.writeUInt8(distance(jt), at * 8 + 2)
    program.writeUInt8(distance(jf), at * 8 + 3)
    program.writeUInt32LE(k >>> 0, at * 8 + 4)
  })
  return program
}
