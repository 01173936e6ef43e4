// Inspects a sandbox from the inside before it is trusted. Any unexpected result disables it.
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CommandRun } from './command-run.ts'
import { ENVIRONMENT, ETC_FILES } from './local/bubblewrap.ts'
import { runLocally } from './local/local.ts'
import type { LocalTools } from './local/local-tools.ts'

const PROBE_MS = 10_000
/** Only reads and prints, so that it can run in any sandbox. */
export const PROBE = `cat probe; echo
grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status
cut -d: -f1 /proc/net/dev | tail -n +3 | sed 's/^ */interface /'
tail -n +2 /proc/net/route | sed 's/^/route /'
`
// A second thread reserves as much memory as the first. This shows limits that break Node.js.
const THREAD = 'new (require("node:worker_threads").Worker)("", { eval: true })'
const LOCAL_PROBE = `${PROBE}
id -u
ls -A /etc | sed 's/^/etc /'
cat /etc/passwd | sed 's/^/passwd /'
for file in /proc/1/environ /proc/self/environ; do tr '\\0' '\\n' < $file | sed 's/^/environ /'; done
(ls -l /proc/$$/fd > /tmp/open) && sed -n 's/.* \\([0-9]* -> .*\\)/open \\1/p' /tmp/open
ls / | sed 's/^/root /'
if command -v node >/dev/null; then node -e '${THREAD}' >/dev/null 2>&1 || echo node fails; fi
`

const SOURCES = '/usr/src'

/** Paths that must not be visible inside: our own code, and the first entry of /usr/src. */
function hiddenPaths(): string[] {
  try {
    return [
      import.meta.filename,
      ...readdirSync(SOURCES)
        .slice(0, 1)
        .map((name) => join(SOURCES, name)),
    ]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return [import.meta.filename]
  }
}

const toProbeLine = (path: string): string => {
  const word = `'${path.replaceAll("'", `'\\''`)}'`
  return `if [ -e ${word} ]; then echo ${word} | sed 's/^/hidden /'; fi\n`
}

/** Null if the sandbox is sound, otherwise the problem. */
export async function probeLocalSandbox(
  tools: LocalTools,
  hidden: readonly string[] = hiddenPaths(),
): Promise<string | null> {
  const run = await runLocally(tools, {
    files: new Map([['probe', 'sound']]),
    command: LOCAL_PROBE + hidden.map(toProbeLine).join(''),
    signal: AbortSignal.timeout(PROBE_MS),
  })
  return findLocalProblem(run)
}

/** Changes of every kind in a folder that only seems to be writable. */
const OVERLAY_PROBE = `${LOCAL_PROBE}
set -e
echo more >> folder/file; rm folder/other; rm -r gone; mkdir gone; mv folder moved; chmod 600 moved/file
[ "$(ls -A gone moved | tr '\\n' ' ')" = 'gone:  moved: file ' ]
`

/** Tools that mount folders under a memory disk, if that works here; otherwise the same tools. */
export async function withOverlay(tools: LocalTools): Promise<LocalTools> {
  if (tools.stage === null) return tools
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-probe-'))
  try {
    for (const name of ['folder', 'gone']) await mkdir(join(folder, name))
    for (const name of ['probe', 'folder/file', 'folder/other', 'gone/file'])
      await writeFile(join(folder, name), 'sound')
    const able = { ...tools, canOverlay: true, ownFolder: dirname(folder) }
    const tree = { folder, files: new Map(), deleted: new Set<string>() }
    const signal = AbortSignal.timeout(PROBE_MS)
    const run = await runLocally(able, { tree, command: OVERLAY_PROBE, signal })
    return findLocalProblem(run) === null ? { ...able, ownFolder: tools.ownFolder } : tools
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NO_RIGHTS = '0000000000000000'
const EXPECTED: readonly string[] = [
  'sound',
  ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}:\t${NO_RIGHTS}`),
  'NoNewPrivs:\t1',
  'Seccomp:\t2',
  'interface lo',
]
const ROOT_FOLDERS = /^root (bin|dev|etc|lib(32|64|x32)?|opt|proc|project|sbin|tmp|usr)$/
const ETC_FOLDERS = /^(alternatives|java-\d+-openjdk|maven|php|pki|ssl)$/
// Only the output streams and /dev/null may be open.
const OPEN_FILES = /^open ([12] -> (socket|pipe):\[\d+\]|\d+ -> \/dev\/null)$/

export const findLocalProblem = (run: CommandRun): string | null =>
  findProblem(run, [...EXPECTED, '1000'], isExpectedLocalLine)

/** An image has its own files, but must have no network and no privileges. */
export const findContainerProblem = (run: CommandRun): string | null =>
  findProblem(run, EXPECTED, () => false)

/** Every expected line is there, and no other. */
function findProblem(
  run: CommandRun,
  expected: readonly string[],
  isHarmless: (line: string) => boolean,
): string | null {
  if (run.outcome !== 'exited' || run.exitCode !== 0) return run.reason ?? `its probe ended as ${run.outcome}`
  const lines = run.output.split('\n').filter((line) => line !== '')
  const missing = expected.find((line) => !lines.includes(line))
  if (missing !== undefined) return `it does not show: ${missing}`
  const surplus = lines.find((line) => !expected.includes(line) && !isHarmless(line))
  return surplus === undefined ? null : `it shows: ${surplus.slice(0, 40)}`
}

function isExpectedLocalLine(line: string): boolean {
  if (ROOT_FOLDERS.test(line) || OPEN_FILES.test(line)) return true
  const [, kind = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
  switch (kind) {
    case 'etc':
      return ETC_FOLDERS.test(rest) || rest in ETC_FILES
    case 'passwd':
      return rest === ETC_FILES.passwd?.trim()
    case 'environ':
      return (
        /^(OLD)?PWD=/.test(rest) ||
        Object.entries(ENVIRONMENT).some(([name, value]) => rest === `${name}=${value}`)
      )
    default:
      return false
  }
}
