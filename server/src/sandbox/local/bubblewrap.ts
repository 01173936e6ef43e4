// Builds the bubblewrap command line: an isolated system with the programs of this host and nothing else.
import { randomInt } from 'node:crypto'
import { bootstrapArgs, PROJECT_FOLDER } from '../bootstrap.ts'
import type { CommandLimits } from '../command-run.ts'
import type { ControlGroup } from './control-groups.ts'
import type { LocalTools } from './local-tools.ts'

export type SandboxLaunch = {
  readonly program: string
  readonly args: readonly string[]
  /** Data passed on file descriptors; the first is 3. */
  readonly data: readonly Buffer[]
}

export type LaunchOptions = {
  readonly command: string
  readonly limits: CommandLimits
  /** The size of the files. */
  readonly filesBytes: number
  readonly group: ControlGroup | null
}

const NOBODY = 65_534
const USER = '1000'
const NODE_FOLDER = '/opt/node/bin'
/** The whole environment of a command. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`,
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  CI: '1',
  NO_COLOR: '1',
}
/** All files in /etc, beside links to programs. */
export const ETC_FILES: Readonly<Record<string, string>> = {
  passwd: `sandbox:x:${USER}:${USER}::/tmp:/bin/sh\n`,
  group: `sandbox:x:${USER}:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
}
const FIRST_DATA = 3
const PROCESSORS_MAX = 2
const RESERVED_PER_USED = 16

export function planLaunch(tools: LocalTools, input: LaunchOptions): SandboxLaunch {
  const sandbox = [
    tools.bubblewrap,
    ...ISOLATION,
    ...folderArgs(tools, input),
    ...environmentArgs(),
    ...bootstrapArgs(input.command, limitArgs(tools, input)),
  ]
  const seccomp = input.group === null ? tools.seccomp.alone : tools.seccomp.grouped
  const data = [seccomp, ...Object.values(ETC_FILES).map((text) => Buffer.from(text))]
  const drop = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs']
  const become = tools.setpriv === null ? [] : [tools.setpriv, ...drop]
  return { program: '/bin/sh', args: ['-c', joinScript(input.group), 'sh', ...become, ...sandbox], data }
}

/** The shell replaces itself by the sandbox, so all processes are in the control group from the start. */
function joinScript(group: ControlGroup | null): string {
  const joins = (group?.joinFiles ?? []).map(
    (file) => `echo $$ > '${file.replaceAll("'", `'\\''`)}' || exit 125`,
  )
  return [...joins, 'exec "$@"'].join('\n')
}

const ISOLATION = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', USER, '--gid', USER],
  ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent', '--hostname', 'sandbox'],
  ...['--seccomp', String(FIRST_DATA)],
]

function folderArgs(
  { mountArgs, node, masked }: LocalTools,
  { limits, filesBytes }: LaunchOptions,
): string[] {
  const room = (bytes: number, path: string) => ['--size', String(bytes), '--perms', '0700', '--tmpfs', path]
  return [
    ...['--dir', '/etc'],
    ...mountArgs,
    ...Object.keys(ETC_FILES).flatMap((name, i) => [
      ...['--perms', '0444', '--file', String(FIRST_DATA + 1 + i), `/etc/${name}`],
    ]),
    ...(node === null ? [] : ['--ro-bind', node, `${NODE_FOLDER}/node`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...masked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...room(limits.diskBytes, '/tmp'),
    ...room(limits.diskBytes, '/dev/shm'),
    ...room(limits.diskBytes + filesBytes, PROJECT_FOLDER),
    // The remaining tmpfs mounts have no size limit, so they become read-only.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', PROJECT_FOLDER],
  ]
}

const environmentArgs = (): string[] =>
  Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value])

/**
 * Limits of each process, as a second line behind the control group. Without a group, the memory of the run is
 * measured from outside, and the data limit only stops a process that grows too fast for that. It must be high,
 * because it counts reserved memory: Node.js reserves 512 MiB per thread.
 */
function limitArgs(tools: LocalTools, { limits, group }: LaunchOptions): string[] {
  const seconds = Math.ceil(limits.wallClockMs / 1_000) + 1
  return [
    ...['/usr/bin/taskset', '-c', chooseProcessors(tools.processors).join(',')],
    ...[
      '/usr/bin/prlimit',
      '--core=0',
      '--nofile=1024',
      `--cpu=${seconds}`,
      `--fsize=${limits.diskBytes * 2}`,
    ],
    `--nproc=${group === null ? limits.processes : limits.processes * 2}`,
    ...(group === null ? [`--data=${limits.memoryBytes * RESERVED_PER_USED}`] : []),
  ]
}

/**
 * Two random processors: programs start one thread per visible processor, and all of them count against the process
 * limit.
 */
function chooseProcessors(all: readonly number[]): number[] {
  if (all.length <= PROCESSORS_MAX) return [...all]
  const first = randomInt(all.length)
  return [all[first], all[(first + 1) % all.length]].flatMap((processor) => processor ?? [])
}
