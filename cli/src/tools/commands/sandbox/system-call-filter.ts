// A filter for the system calls of a command: a program for the kernel (BPF) that refuses what no build or test needs, and what reaches
// around the sandbox: keys that the kernel holds, sockets to the host of a virtual machine, and typing into a terminal.

type Numbers = readonly [arm64: number, x64: number]

const REFUSED: Readonly<Record<string, Numbers>> = {
  add_key: [217, 248],
  request_key: [218, 249],
  keyctl: [219, 250],
  bpf: [280, 321],
  perf_event_open: [241, 298],
  userfaultfd: [282, 323],
}
/** Programs use something else if this does not exist. It would make sockets that the filter does not see. */
const ABSENT: Readonly<Record<string, Numbers>> = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
}
const SOCKET: Numbers = [198, 41]
const IOCTL: Numbers = [29, 16]
/** Unix, IPv4, IPv6 and netlink. */
const FAMILIES = [1, 2, 10, 16]
/** TIOCSTI and TIOCLINUX: input that the user did not type. */
const TYPING = [0x5412, 0x541c]

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const RETURN = 0x06
/** Offsets in the record of a call. */
const NUMBER = 0
const MACHINE = 4
const FIRST_ARGUMENT = 16
const SECOND_ARGUMENT = 24
const ALLOW = 0x7fff0000
const error = (errno: number): number => 0x00050000 | errno
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97
const ARCHITECTURES: Readonly<Record<string, readonly [column: 0 | 1, audit: number]>> = {
  arm64: [0, 0xc00000b7],
  x64: [1, 0xc000003e],
}
/** Calls with 32-bit pointers, on x64 only. */
const X32_BIT = 0x40000000

/** Null for a processor whose calls are not known. */
export function systemCallFilter(architecture: string): Buffer | null {
  const known = ARCHITECTURES[architecture]
  if (known === undefined) return null
  const [column, audit] = known
  /** Returns `value` if the loaded word equals `k`. */
  const returnIf = (k: number, value: number): Instruction[] => [
    [JUMP_EQUAL, 0, 1, k],
    [RETURN, 0, 0, value],
  ]
  const load = (offset: number): Instruction => [LOAD, 0, 0, offset]
  const socket = [
    load(FIRST_ARGUMENT),
    ...FAMILIES.flatMap((family) => returnIf(family, ALLOW)),
    end(error(EAFNOSUPPORT)),
  ]
  const ioctl = [
    load(SECOND_ARGUMENT),
    ...TYPING.flatMap((request) => returnIf(request, error(EPERM))),
    end(ALLOW),
  ]
  return assemble([
    load(MACHINE),
    [JUMP_EQUAL, 1, 0, audit],
    end(error(EPERM)),
    load(NUMBER),
    [JUMP_AT_LEAST, 0, 1, X32_BIT],
    end(error(EPERM)),
    ...Object.values(REFUSED).flatMap((numbers) => returnIf(numbers[column], error(EPERM))),
    ...Object.values(ABSENT).flatMap((numbers) => returnIf(numbers[column], error(ENOSYS))),
    // Each block ends with a return, so a call that is not meant jumps over it.
    [JUMP_EQUAL, 0, socket.length, SOCKET[column]],
    ...socket,
    [JUMP_EQUAL, 0, ioctl.length, IOCTL[column]],
    ...ioctl,
    end(ALLOW),
  ])
}

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number]

const end = (value: number): Instruction => [RETURN, 0, 0, value]

function assemble(instructions: readonly Instruction[]): Buffer {
  const program = Buffer.alloc(instructions.length * 8)
  for (const [index, [code, jumpTrue, jumpFalse, k]] of instructions.entries()) {
    program.writeUInt16LE(code, index * 8)
    program.writeUInt8(jumpTrue, index * 8 + 2)
    program.writeUInt8(jumpFalse, index * 8 + 3)
    program.writeUInt32LE(k >>> 0, index * 8 + 4)
  }
  return program
}
