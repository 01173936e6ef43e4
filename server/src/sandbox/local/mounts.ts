// Folders of this machine inside the local sandbox: read-only ones under a private memory disk, and shared ones.
// Bubblewrap cannot mount an overlay itself, so a short script does it in a user namespace before it starts.
// Root prepares the folders before it drops its rights, because the user of the sandbox cannot reach our data folder.
import { HOME_FOLDER, PROJECT_FOLDER } from '../bootstrap.ts'
import type { LocalTools } from './local-tools.ts'

/** Written to by the run and readable afterwards. */
type SharedFolder = { readonly kind: 'shared'; readonly folder: string }
/** The first folder covers the others. Changes go to memory and end with the run. */
type OverlayFolder = { readonly kind: 'overlay'; readonly folders: readonly string[] }

export type SandboxMounts = {
  readonly project: SharedFolder | OverlayFolder | null
  readonly home: SharedFolder | OverlayFolder | null
  /** Mounted read-only, in this order. */
  readonly readOnly: readonly { readonly from: string; readonly to: string }[]
  /** Small memory disks inside read-only folders. */
  readonly memoryDisks: readonly string[]
}

export type MountPlan = {
  /** Goes in front of the program that drops the rights of root. */
  readonly before: readonly string[]
  /** Goes in front of bubblewrap, after the rights were dropped. */
  readonly between: readonly string[]
  /** Arguments of bubblewrap. */
  readonly args: readonly string[]
}

/** An existing folder that a private memory disk covers. */
const STAGE = '/mnt'
const PRIVATE = ['--mount', '--propagation', 'private']
const INODES_MAX = 200_000
const CACHE_BYTES = 64 << 20

export const NO_MOUNTS: MountPlan = { before: [], between: [], args: [] }

/** `bytes`: the size of the memory disk that takes the changes. */
export function planMounts(tools: LocalTools, mounts: SandboxMounts, bytes: number): MountPlan {
  const places = [
    [mounts.project, PROJECT_FOLDER],
    [mounts.home, HOME_FOLDER],
  ] as const
  const overlays = places.flatMap(([mount, to]) =>
    mount?.kind === 'overlay' ? [{ folders: mount.folders, to }] : [],
  )
  const binds = [
    ...places.flatMap(([mount, to]) =>
      mount?.kind === 'shared' ? [{ from: mount.folder, to, flag: '--bind' }] : [],
    ),
    ...mounts.readOnly.map((each) => ({ ...each, flag: '--ro-bind' })),
  ]
  const sources = [
    ...new Set([...overlays.flatMap(({ folders }) => folders), ...binds.map(({ from }) => from)]),
  ]
  const isStaged = tools.setpriv !== null || overlays.length > 0
  const staged = (source: string) => (isStaged ? `${STAGE}/${sources.indexOf(source)}` : source)
  return {
    ...planStages(
      tools,
      sources,
      overlayScript(
        overlays.map((each) => each.folders.map(staged)),
        bytes,
      ),
    ),
    args: [
      ...overlays.flatMap(({ to }, i) => ['--bind', `${STAGE}/merged${i}`, to]),
      ...binds.flatMap(({ from, to, flag }) => [flag, staged(from), to]),
      ...mounts.memoryDisks.flatMap((path) => ['--size', String(CACHE_BYTES), '--tmpfs', path]),
    ],
  }
}

function planStages(
  { setpriv, stage }: LocalTools,
  sources: readonly string[],
  overlay: string,
): Omit<MountPlan, 'args'> {
  const { unshare = '', mount = '' } = stage ?? {}
  const shell = (script: string, words: readonly string[]) => [
    '/bin/sh',
    '-c',
    `mount=$1\n${script}shift\nexec "$@"`,
    'sh',
    mount,
    ...words,
  ]
  const inUserNamespace = [unshare, '--user', '--map-root-user', ...PRIVATE]
  const folders = stageScript(sources.length)
  if (setpriv !== null)
    return {
      before: [unshare, ...PRIVATE, ...shell(folders, sources)],
      between: overlay === '' ? [] : [...inUserNamespace, ...shell(overlay, [])],
    }
  return {
    before: [],
    between: overlay === '' ? [] : [...inUserNamespace, ...shell(folders + overlay, sources)],
  }
}

const OR_FAIL = '|| exit 125\n'

/** Mounts each source below the stage. The sources follow the first argument; the last one stays. */
function stageScript(count: number): string {
  const names = ['rw', 'merged0', 'merged1', ...Array.from({ length: count }, (_, i) => String(i))]
  return [
    `"$mount" -t tmpfs -o size=1m,mode=755 stage ${STAGE} ${OR_FAIL}`,
    `mkdir ${names.map((name) => `${STAGE}/${name}`).join(' ')} ${OR_FAIL}`,
    ...Array.from({ length: count }, (_, i) => `"$mount" --rbind "$2" ${STAGE}/${i} ${OR_FAIL}shift\n`),
  ].join('')
}

function overlayScript(overlays: readonly (readonly string[])[], bytes: number): string {
  if (overlays.length === 0) return ''
  const rw = `${STAGE}/rw`
  return [
    `"$mount" -t tmpfs -o size=${bytes},nr_inodes=${INODES_MAX},mode=700 rw ${rw} ${OR_FAIL}`,
    ...overlays.map((lowers, i) =>
      [
        `mkdir ${rw}/u${i} ${rw}/w${i} ${OR_FAIL}`,
        `"$mount" -t overlay -o userxattr,lowerdir=${lowers.join(':')},upperdir=${rw}/u${i},workdir=${rw}/w${i} `,
        `overlay ${STAGE}/merged${i} ${OR_FAIL}`,
      ].join(''),
    ),
  ].join('')
}
