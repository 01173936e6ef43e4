// Finds out whether this computer can confine commands, and how.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { bubblewrapArgs, type SandboxPlace, whyNoPlace } from './bubblewrap.ts'
import { commandEnvironment, type Environment } from './environment.ts'
import { releasePlaces } from './git-places.ts'
import { openPrivateNetwork, type PrivateNetwork } from './private-network.ts'
import { createProcessGroup } from './process-limit.ts'
import { SANDBOX_EXEC, seatbeltProfile } from './seatbelt.ts'
import { systemCallFilter } from './system-call-filter.ts'

/** How to start a command. */
export type Launch = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Its error output is part of its output, so all other error output is that of the sandbox. */
  readonly joinsErrors?: boolean
  /** Removes what was made for this process. Called when it has ended. */
  readonly release?: () => Promise<void>
}

export type LaunchOptions = {
  readonly isOnline: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Files of the folder that the command does not see. */
  readonly withheld?: readonly string[]
}

export type SandboxStatus = {
  /** `none`: commands run with all rights of the user. */
  readonly kind: 'bubblewrap' | 'seatbelt' | 'none'
  /** Why there is no sandbox, as the rest of a sentence. */
  readonly doubt: string | null
}

export type Sandbox = {
  /** Tested once. */
  status(): Promise<SandboxStatus>
  /** For a command of the shell, with its error output joined to its output. */
  launch(command: string, options: LaunchOptions): Promise<Launch>
  /** For a program that talks over its streams. */
  launchProgram(program: string, args: readonly string[], options: LaunchOptions): Promise<Launch>
  close(): Promise<void>
}

export type SandboxOptions = {
  readonly root: string
  readonly env: Environment
  readonly home: string | null
  readonly platform: NodeJS.Platform
  /** For the home folder and the temporary files of the sandbox of this repository; kept between sessions. */
  readonly folder: string
  /** Folders of ours with keys and state. */
  readonly hidden: readonly string[]
  /** Whether the value of a variable must not be passed on. */
  readonly isSecret: (value: string) => boolean
  /** Of one command, with threads. */
  readonly processesMax?: number
}

const PROBE_MS = 10_000
const PROCESSES_MAX = 2_048
/** The command is killed before other programs if memory is short, and cannot start endlessly many processes. */
function preludeOf(processes: number): string {
  const limit =
    process.platform === 'linux' && countsPerSandbox(release())
      ? `; ulimit -u ${processes} || ulimit -p ${processes}`
      : ''
  return `{ echo 500 > /proc/self/oom_score_adj; ulimit -c 0${limit}; } >/dev/null 2>&1`
}

/** Before Linux 5.14 the limit counted all processes of the user, and no command could start one on a busy desktop. */
export function countsPerSandbox(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 14)
}

/** Prints only if the sandbox is sound. */
const PROBE = `[ -w . ] && [ ! -e "$HOME/.ssh" ] && [ -n "$(grep '^CapEff:.0*$' /proc/self/status)" ] && [ "$(grep -c : /proc/net/dev)" = 1 ] && ! (echo > /usr/cowrie-probe) 2>/dev/null && echo sound`

export function openSandbox(options: SandboxOptions): Sandbox {
  const { root, env, platform, isSecret, processesMax = PROCESSES_MAX } = options
  const prelude = preludeOf(processesMax)
  const home = options.home === null ? null : realPath(options.home)
  const place: SandboxPlace | null =
    home === null
      ? null
      : {
          root: realPath(root),
          home,
          homeFolder: join(options.folder, 'home'),
          temporaryFolder: join(options.folder, 'tmp'),
          hidden: options.hidden.map(realPath),
          env,
        }
  const shell = findShell(env)
  let found: Promise<Found> | null = null
  let network: Promise<PrivateNetwork | null> | null = null

  const find = (): Promise<Found> => {
    found ??= findSandbox(place, platform, env)
    return found
  }
  const privateNetwork = (bubblewrap: string): Promise<PrivateNetwork | null> => {
    network ??= openPrivateNetwork(bubblewrap, env)
    return network
  }
  const variables = (
    isOnline: boolean,
    isConfined: boolean,
    more: Readonly<Record<string, string>> = {},
  ) => ({
    ...commandEnvironment(env, home, { isOnline, isSecret }),
    ...(isConfined && { TMPDIR: '/tmp' }),
    ...more,
  })

  const confine = async (
    argv: readonly string[],
    { isOnline, env: more, withheld = [] }: LaunchOptions,
  ): Promise<Launch> => {
    const sandbox = await find()
    if (sandbox.kind === 'none' || place === null) {
      const [program = '', ...args] = argv
      return { program, args, env: variables(isOnline, false, more), cwd: root }
    }
    for (const folder of [place.homeFolder, place.temporaryFolder])
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (sandbox.kind === 'seatbelt') {
      const own = {
        HOME: place.homeFolder,
        TMPDIR: place.temporaryFolder,
        RUSTUP_HOME: env.RUSTUP_HOME ?? join(place.home, '.rustup'),
      }
      const args = ['-p', seatbeltProfile(place, isOnline, withheld), ...argv]
      return { program: SANDBOX_EXEC, args, env: { ...variables(isOnline, false, more), ...own }, cwd: root }
    }
    const joined = isOnline ? null : await privateNetwork(sandbox.program)
    const group = createProcessGroup(processesMax)
    const wrapped = [
      ...(group?.enter ?? []),
      ...(joined?.enter ?? []),
      ...sandbox.words,
      ...bubblewrapArgs(place, { isOnline, isModern: sandbox.isModern, hasNetwork: joined !== null }),
      ...withheld.flatMap((path) => ['--ro-bind', '/dev/null', realPath(path)]),
      '--',
      ...argv,
    ]
    const [program = '', ...args] = wrapped
    const launch = { program, args, env: variables(isOnline, true, more), cwd: '/' }
    return group === null ? launch : { ...launch, release: group.remove }
  }
  return {
    async status() {
      const sandbox = await find()
      return { kind: sandbox.kind, doubt: sandbox.kind === 'none' ? sandbox.doubt : null }
    },
    async launch(command, given) {
      const quiet = /bash(\.exe)?$/.test(shell) ? ['--noprofile', '--norc'] : []
      const script = `${prelude}; exec 2>&1; eval "$1"`
      return { ...(await confine([shell, ...quiet, '-c', script, 'sh', command], given)), joinsErrors: true }
    },
    launchProgram: (program, args, given) =>
      confine([shell, '-c', `${prelude}; exec "$@"`, 'sh', program, ...args], given),
    async close() {
      ;(await network)?.close()
      network = null
      if (place) releasePlaces(place.root)
    },
  }
}

type Found =
  | {
      readonly kind: 'bubblewrap'
      readonly program: string
      /** The program with its filter. */
      readonly words: readonly string[]
      readonly isModern: boolean
    }
  | { readonly kind: 'seatbelt' }
  | { readonly kind: 'none'; readonly doubt: string }

const BUBBLEWRAPS = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]

async function findSandbox(
  place: SandboxPlace | null,
  platform: NodeJS.Platform,
  env: Environment,
): Promise<Found> {
  const none = (doubt: string): Found => ({ kind: 'none', doubt })
  if (place === null) return none('the home folder is not known')
  const unsuitable = whyNoPlace(place.root, place.home)
  if (unsuitable !== null) return none(unsuitable)
  if (platform === 'darwin')
    return isProgram(SANDBOX_EXEC) ? { kind: 'seatbelt' } : none('sandbox-exec is missing')
  if (platform !== 'linux')
    return none(`there is no sandbox for ${platform === 'win32' ? 'Windows' : platform}`)
  const program = BUBBLEWRAPS.find(isProgram)
  if (program === undefined) return none('bubblewrap is not installed')
  for (const folder of [place.homeFolder, place.temporaryFolder])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  const words = bubblewrapWords(program, join(place.homeFolder, '../filter.bpf'))
  let problem = ''
  for (const isModern of [true, false]) {
    const args = bubblewrapArgs(place, { isOnline: false, isModern, hasNetwork: false })
    const { output, errors } = await probe([...words, ...args, '--', '/bin/sh', '-c', PROBE], env, place.home)
    if (output === 'sound\n') return { kind: 'bubblewrap', program, words, isModern }
    problem = errors.trim().split('\n')[0]?.slice(0, 200) || 'it does not confine commands here'
  }
  return none(`bubblewrap does not work here (${problem})`)
}

/** Bubblewrap reads the filter from an open file. Commands do not see its folder. */
function bubblewrapWords(program: string, path: string): string[] {
  const filter = systemCallFilter(process.arch)
  if (filter === null) return [program]
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, filter, { mode: 0o600 })
  renameSync(draft, path)
  return ['/bin/sh', '-c', 'exec "$@" 3< "$0"', path, program, '--seccomp', '3']
}

function probe(
  [program = '', ...args]: readonly string[],
  env: Environment,
  home: string,
): Promise<{ output: string; errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: commandEnvironment(env, home, { isOnline: false, isSecret: () => true }),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PROBE_MS,
      killSignal: 'SIGKILL',
    })
    let [output, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, 1_000)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, 1_000)
    })
    child.on('error', (error) => resolve({ output: '', errors: error.message }))
    child.on('close', () => resolve({ output, errors }))
  })
}

/** Bash if there is one. Android has its shell elsewhere. */
export function findShell({ PREFIX, PROGRAMFILES }: Environment): string {
  const bash = [
    '/bin/bash',
    '/usr/bin/bash',
    `${PREFIX ?? ''}/bin/bash`,
    `${PROGRAMFILES ?? ''}/Git/bin/bash.exe`,
  ]
  return [...bash, '/bin/sh', `${PREFIX ?? ''}/bin/sh`, '/system/bin/sh'].find(isProgram) ?? '/bin/sh'
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
