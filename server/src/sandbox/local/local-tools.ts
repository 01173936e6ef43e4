// The programs and files of this host that the local sandbox needs.
import {
  accessSync,
  constants,
  globSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { findGroupFolders, type GroupFolders, sweepGroups } from './control-groups.ts'
import { buildSeccompPrograms, type SeccompPrograms } from './seccomp.ts'
import { canMeasureTrees } from './tree-memory.ts'

export type LocalTools = {
  readonly bubblewrap: string
  /** Drops root privileges; null if we are not root. */
  readonly setpriv: string | null
  readonly seccomp: SeccompPrograms
  /** Null: no group can be created, so memory is measured from outside. */
  readonly groups: GroupFolders | null
  /** Bubblewrap arguments that mount the system folders. */
  readonly mountArgs: readonly string[]
  /** Our Node.js binary, if other users can read it. */
  readonly node: string | null
  /** Kernel files that reveal more about the host than a test needs. */
  readonly masked: readonly string[]
  /** Inherited file descriptors that child processes would keep. */
  readonly strays: readonly number[]
  /** An open descriptor of /dev/null. */
  readonly nullDescriptor: number
  readonly processors: readonly number[]
  /** The programs that mount folders of ours; null if they are missing. */
  readonly stage: { readonly unshare: string; readonly mount: string } | null
  /** Whether read-only folders can be changed in memory. Set by a probe. */
  readonly canOverlay: boolean
  /** Our data folder. Root may give folders in it to the user of the sandbox. */
  readonly ownFolder: string | null
}

/** The user that runs commands if we are root. */
export const NOBODY = 65_534

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/usr/local/bin']
// /etc/alternatives holds links, without which awk, java and php are not found. Without the certificates, no registry
// can be trusted.
const SYSTEM = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/etc/alternatives', '/etc/ssl/certs', '/etc/pki/tls/certs', '/etc/pki/ca-trust/extracted'],
]
// Only program folders. The rest of /usr may hold sources and private settings.
const PROGRAM_FOLDERS = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share', 'include'].map(
    (name) => `/usr/${name}`,
  ),
  ...['bin', 'lib', 'share'].map((name) => `/usr/local/${name}`),
]
// On Debian, these tools do not start without their settings. The settings.xml of Maven may hold passwords.
const TOOL_SETTINGS = [
  '/etc/java-*-openjdk',
  '/etc/maven/{m2.conf,logging}',
  '/etc/php/*/{cli,mods-available}',
]
const MASKED = [
  'cmdline',
  'config.gz',
  'kallsyms',
  'kcore',
  'keys',
  'key-users',
  'modules',
  'sched_debug',
  'timer_list',
]
const STRAY_MAX = 1_024

/** All tools, or why no local sandbox can be created here. */
export async function findLocalTools(
  folders: readonly string[] = FOLDERS,
): Promise<LocalTools | { missing: string }> {
  if (process.platform !== 'linux') return { missing: 'this is not Linux' }
  const find = (name: string) => folders.map((folder) => join(folder, name)).find(isProgram)
  const bubblewrap = find('bwrap')
  if (bubblewrap === undefined) return { missing: 'bubblewrap is not installed' }
  for (const name of ['sh', 'tar', 'stat', 'prlimit', 'taskset'])
    if (!isProgram(join('/usr/bin', name))) return { missing: `${name} is not installed` }
  const isRoot = process.getuid?.() === 0
  const setpriv = isRoot ? find('setpriv') : null
  if (setpriv === undefined) return { missing: 'setpriv is not installed' }
  const seccomp = buildSeccompPrograms(process.arch)
  if (seccomp === null) return { missing: `no filter of system calls is known for ${process.arch}` }
  const strays = findStrayDescriptors()
  if (strays.some((descriptor) => descriptor > STRAY_MAX))
    return { missing: 'a file is open that cannot be closed' }
  const groups = await findGroupFolders()
  if (groups !== null) await sweepGroups(groups)
  else if (!canMeasureTrees()) return { missing: 'the kernel does not list the children of a process' }
  return {
    bubblewrap,
    setpriv,
    seccomp,
    groups,
    mountArgs: [...PROGRAM_FOLDERS, ...SYSTEM, ...globSync(TOOL_SETTINGS)]
      .filter(isThere)
      .flatMap(toMountArgs),
    node: isRoot && !isReadableByAll(process.execPath) ? null : process.execPath,
    masked: MASKED.map((name) => `/proc/${name}`).filter(isThere),
    strays,
    nullDescriptor: openNothing(),
    processors: listProcessors(),
    stage: findStage(find),
    canOverlay: false,
    ownFolder: null,
  }
}

function findStage(find: (name: string) => string | undefined): LocalTools['stage'] {
  const [unshare, mount] = [find('unshare'), find('mount')]
  return unshare === undefined || mount === undefined ? null : { unshare, mount }
}

/**
 * Node.js closes the descriptors it opened, but not all that it inherited. Those would pass to every child, including
 * the sandbox.
 */
function findStrayDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && staysOpen(descriptor))
}

let nothing: number | null = null

// Opened once per process.
function openNothing(): number {
  nothing ??= openSync('/dev/null', 'r')
  return nothing
}

const CLOSE_ON_START = 0o2000000

function staysOpen(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')
    const flags = Number.parseInt(/^flags:\s+([0-7]+)/m.exec(info)?.[1] ?? '0', 8)
    return (flags & CLOSE_ON_START) === 0
  } catch (error) {
    // The descriptor that listed the folder is closed by now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** The processors we may run on, from a list such as "0-2,5". */
function listProcessors(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
}

/** On most systems the old folders are links into /usr. */
const toMountArgs = (path: string): string[] =>
  lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]

/** Whether an unprivileged user can reach and execute it. The parent folders count too. */
function isReadableByAll(path: string): boolean {
  for (let at = dirname(path); at !== '/'; at = dirname(at))
    if ((statSync(at).mode & 0o001) === 0) return false
  return (statSync(path).mode & 0o005) === 0o005
}

const isProgram = (path: string): boolean => isAllowed(path, constants.X_OK)
const isThere = (path: string): boolean => isAllowed(path, constants.F_OK)

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
