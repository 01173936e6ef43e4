// The entries of `npm run soak`: tests with more rounds than in `npm test`, and campaigns.
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export type SoakEntry = {
  readonly name: string
  /** Coverage beyond `npm test`. */
  readonly covers: string
  /** Approximate, on two idle cores. */
  readonly minutes: number
} & (
  | { readonly file: string }
  /** All tests that match these patterns and do more in the soak. */
  | { readonly below: readonly string[] }
  /** A script of package.json with arguments. */
  | { readonly campaign: readonly [script: string, ...args: string[]] }
)

export const SOAK: readonly SoakEntry[] = [
  {
    name: 'malformed',
    file: 'server/test/malformed.test.ts',
    covers: 'every variant of every kind of malformed request to every route, bodies up to 32 MiB',
    minutes: 3,
  },
  {
    name: 'kill',
    file: 'server/test/kill.test.ts',
    covers: 'kill -9 of migrations, services and the database',
    minutes: 2,
  },
  {
    name: 'research-kill',
    file: 'server/src/research/kill.test.ts',
    covers: 'kill -9 of a research run at every boundary of every step',
    minutes: 2,
  },
  {
    name: 'embedded-kill',
    file: 'server/src/platform/db/embedded/crash-recovery.test.ts',
    covers: 'kill -9 of the embedded database and of its parent',
    minutes: 1,
  },
  {
    name: 'cluster',
    file: 'server/cluster/cluster.test.ts',
    covers: 'rolling restarts of every replica under load',
    minutes: 2,
  },
  {
    name: 'failover',
    file: 'server/cluster/database.test.ts',
    covers: 'restarts of the primary database under load, then its loss',
    minutes: 2,
  },
  {
    name: 'money',
    file: 'server/test/money.sim.test.ts',
    covers: 'longer histories of money, and every planted bug',
    minutes: 2,
  },
  {
    name: 'billing',
    file: 'server/test/billing.sim.test.ts',
    covers: 'three years of billing, and every planted bug',
    minutes: 1,
  },
  {
    name: 'citus-money',
    campaign: ['sim', '--citus', '3', '--operations', '60000', '--orgs', '48'],
    covers: 'histories of money on Citus with three workers while shards move; needs Citus for PostgreSQL 15',
    minutes: 5,
  },
  {
    name: 'citus-chaos',
    campaign: ['chaos', '--citus', '3', '--service', '20', '--database', '30', '--models', '4'],
    covers: 'kill -9 of replicas and nodes on Citus with three workers while shards move; needs Citus',
    minutes: 10,
  },
  {
    name: 'clients',
    file: 'server/test/clients.soak.test.ts',
    covers: 'six coding clients from npm edit a file, through providers of every format',
    minutes: 3,
  },
  {
    name: 'tasks-corpus',
    file: 'server/test/tasks-corpus.soak.test.ts',
    covers: '60 repository tasks in five languages and 100 wrong solutions, judged by hidden tests',
    minutes: 25,
  },
  {
    name: 'session-kills',
    file: 'cli/test/session-power-cuts.soak.test.ts',
    covers: '200 kills of the terminal agent, 20 restarts of its service with network cuts',
    minutes: 30,
  },
  {
    name: 'session-bytes',
    campaign: ['bench:session'],
    covers: 'bytes and CPU of 30 turns against codex and opencode from npm',
    minutes: 6,
  },
  {
    name: 'phone',
    file: 'web/test/journeys/merge-from-phone.soak.test.ts',
    covers: 'a feature merged from a 360 px phone on 2G; prints bytes, seconds and cost',
    minutes: 2,
  },
  {
    name: 'release',
    file: 'deploy/release.soak.test.ts',
    covers:
      'money paths of the previous release on the new schema; two replicas upgraded and rolled back under load',
    minutes: 8,
  },
  {
    name: 'installation',
    below: ['scripts/**', 'deploy/**'],
    covers:
      'the README command by command, packages, the production image also as a container, an unprivileged user',
    minutes: 7,
  },
  {
    name: 'browser',
    below: ['web/test/**', 'server/src/platform/http/openapi/docs/**'],
    covers: 'every screen in every language, theme and width, rare states, contrast of every text',
    minutes: 4,
  },
  {
    name: 'wide',
    below: ['**'],
    covers: 'full tables of variants and full counts of random cases of all other tests',
    minutes: 3,
  },
  {
    name: 'chaos',
    campaign: ['chaos'],
    covers: '100 kills of a replica, 20 of the database, 20 during model calls',
    minutes: 20,
  },
  { name: 'sim', campaign: ['sim'], covers: '200 000 operations of money', minutes: 5 },
  {
    name: 'sim-cluster',
    campaign: ['sim', '--', '--cluster', '--operations', '50000'],
    covers: '50 000 operations of money through the proxy of a cluster',
    minutes: 3,
  },
  {
    name: 'sim-billing',
    campaign: ['sim:billing'],
    covers: '1 000 organisations for three years, day by day',
    minutes: 60,
  },
  {
    name: 'restore-drill',
    campaign: ['restore:drill'],
    covers: 'a backup under load, restored to an instant',
    minutes: 2,
  },
]

const TESTS = globSync(
  '{analysis,models,workspace,server,sdk,cli,web,scripts,deploy,dev,testkit}/**/*.test.ts',
  {
    cwd: ROOT,
    exclude: (name) => /\bnode_modules$/.test(name),
  },
)

/** Whether a file does more in the soak: by its name or its imports. */
const isLonger = (path: string): boolean =>
  path.endsWith('.soak.test.ts') ||
  (path !== 'server/test/soak.test.ts' &&
    /from '[@./\w-]*\/(soak|soak-test)\.ts'/.test(readFileSync(join(ROOT, path), 'utf8')))

/** Test files that do more in the soak only through a helper. */
const BY_HELPER = ['web/test/every-screen.test.ts']

/** The test files of each entry. A file belongs to the first matching entry. */
export function filesByEntry(entries: readonly SoakEntry[] = SOAK): Map<string, readonly string[]> {
  const left = new Set(TESTS.filter((path) => BY_HELPER.includes(path) || isLonger(path)))
  return new Map(
    entries.map((entry) => {
      if ('campaign' in entry) return [entry.name, []]
      const patterns = 'file' in entry ? [entry.file] : entry.below
      const files = [...left].filter((path) => patterns.some((pattern) => matchesGlob(path, pattern))).sort()
      for (const file of files) left.delete(file)
      return [entry.name, files]
    }),
  )
}

/** The entries with these names, or all. An unknown name is an error. */
export function chosenFrom(entries: readonly SoakEntry[], names: readonly string[]): readonly SoakEntry[] {
  const unknown = names.filter((name) => !entries.some((entry) => entry.name === name))
  if (unknown.length > 0)
    throw new Error(
      `The soak has no ${unknown.join(', ')}. Choose from: ${entries.map(({ name }) => name).join(', ')}.`,
    )
  return names.length === 0 ? entries : entries.filter(({ name }) => names.includes(name))
}

/** The list that the soak prints first: name, file or script, cycles in test → in soak, time, coverage. */
export function listOf(entries: readonly SoakEntry[]): string {
  const filesOf = filesByEntry()
  const runs = (entry: SoakEntry): string => {
    if ('campaign' in entry) return `npm run ${entry.campaign.join(' ')}`
    return 'file' in entry ? entry.file : `${filesOf.get(entry.name)?.length ?? 0} test files`
  }
  const rows = entries.map((entry) => [
    entry.name,
    runs(entry),
    'file' in entry ? cyclesIn(readFileSync(join(ROOT, entry.file), 'utf8')) : '',
    `${entry.minutes} min`,
    entry.covers,
  ])
  const header = ['name', 'runs', 'cycles in test → in soak', 'time', 'covers']
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  const minutes = entries.reduce((sum, entry) => sum + entry.minutes, 0)
  return [header, ...rows].map(line).concat(`${entries.length} in all, about ${minutes} minutes`).join('\n')
}

/** The `rounds(…)` constants of a test. */
export function cyclesIn(source: string): string {
  const found = source.matchAll(/const (\w+) = rounds\(([\d_]+), ([\d_]+)\)/g)
  return [...found]
    .map(
      ([, name = '', inTest, inSoak]) => `${name.toLowerCase().replaceAll('_', ' ')} ${inTest} → ${inSoak}`,
    )
    .join(', ')
}
