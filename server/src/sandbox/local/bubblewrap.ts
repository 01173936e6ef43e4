// Builds the bubblewrap command line: an isolated system with the programs of this host and nothing else.
import { randomInt } from 'node:crypto'
import { dirname } from 'node:path'
import { bootstrapArgs, DELETED_FILES, DELETED_FOLDERS, PROJECT_FOLDER } from '../bootstrap.ts'
import type { CommandLimits } from '../command-run.ts'
import type { ControlGroup } from './control-groups.ts'
import { type LocalTools, NOBODY } from './local-tools.ts'
import { NO_MOUNTS, planMounts, type SandboxMounts } from './mounts.ts'

export type SandboxLaunch = {
  readonly program: string
  readonly args: readonly string[]
  /** Data passed on file descriptors; the first is 3. */
  readonly data: readonly Buffer[]
}

export type LaunchOptions = {
  readonly command: string
  readonly limits: CommandLimits
  /** The size of the files that arrive as an archive. */
  readonly filesBytes: number
  readonly group: ControlGroup | null
  readonly mounts?: SandboxMounts | null
  /** Files of the mounted folders that are gone. */
  readonly deleted?: readonly string[]
  /** Variables beside the usual ones. */
  readonly environment?: Readonly<Record<string, string>>
  /** The largest file, if it is more than the disk limit allows. */
  readonly fileBytes?: number
}

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
  const { limits, filesBytes, mounts = null, deleted = [] } = input
  const plan = mounts === null ? NO_MOUNTS : planMounts(tools, mounts, limits.diskBytes + filesBytes)
  const files = new Map(Object.entries(ETC_FILES).map(([name, text]) => [`/etc/${name}`, text]))
  if (deleted.length > 0) {
    files.set(DELETED_FILES, toPathList(deleted))
    files.set(DELETED_FOLDERS, toPathList(parentsOf(deleted)))
  }
  const sandbox = [
    tools.bubblewrap,
    ...ISOLATION,
    ...folderArgs(tools, input, [...files.keys()], plan.args),
    ...environmentArgs({ ...ENVIRONMENT, ...input.environment }),
    ...bootstrapArgs(input.command, limitArgs(tools, input)),
  ]
  const seccomp = input.group === null ? tools.seccomp.alone : tools.seccomp.grouped
  const data = [seccomp, ...[...files.values()].map((text) => Buffer.from(text))]
  const drop = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs']
  const become = tools.setpriv === null ? [] : [tools.setpriv, ...drop]
  const words = [...plan.before, ...become, ...plan.between, ...sandbox]
  return { program: '/bin/sh', args: ['-c', joinScript(input.group), 'sh', ...words], data }
}

const toPathList = (paths: Iterable<string>): string => [...paths].map((path) => `${path}\0`).join('')

/** The deepest first. */
const parentsOf = (paths: readonly string[]): string[] =>
  [...new Set(paths.map(dirname))].filter((path) => path !== '.').sort((a, b) => b.length - a.length)

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
  { limits, filesBytes, mounts = null }: LaunchOptions,
  files: readonly string[],
  ownFolders: readonly string[],
): string[] {
  const room = (bytes: number, path: string) => ['--size', String(bytes), '--perms', '0700', '--tmpfs', path]
  return [
    ...['--dir', '/etc'],
    ...mountArgs,
    ...files.flatMap((path, i) => ['--perms', '0444', '--file', String(FIRST_DATA + 1 + i), path]),
    ...(node === null ? [] : ['--ro-bind', node, `${NODE_FOLDER}/node`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...masked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...room(limits.diskBytes, '/tmp'),
    ...room(limits.diskBytes, '/dev/shm'),
    ...(mounts?.project ? [] : room(limits.diskBytes + filesBytes, PROJECT_FOLDER)),
    ...ownFolders,
    // The remaining tmpfs mounts have no size limit, so they become read-only.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', PROJECT_FOLDER],
  ]
}

const environmentArgs = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])

/**
 * Limits of each process, as a second line behind the control group. Without a group, the memory of the run is
 * measured from outside, and the data limit only stops a process that grows too fast for that. It must be high,
 * because it counts reserved memory: Node.js reserves 512 MiB per thread.
 */
function limitArgs(tools: LocalTools, { limits, group, fileBytes = 0 }: LaunchOptions): string[] {
  const seconds = Math.ceil(limits.wallClockMs / 1_000) + 1
  return [
    ...['/usr/bin/taskset', '-c', chooseProcessors(tools.processors).join(',')],
    ...[
      '/usr/bin/prlimit',
      '--core=0',
      '--nofile=1024',
      `--cpu=${seconds}`,
      `--fsize=${Math.max(fileBytes, limits.diskBytes * 2)}`,
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
