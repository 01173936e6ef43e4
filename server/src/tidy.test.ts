// Tests of the source structure: imports, SQL, time and forbidden words.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentTablesIn } from '../test/content-rule.ts'
import { readSources, type Source, sourceOf } from '../test/sources.ts'
import { createdTables, declaredTables, FOREIGN_TABLES_ALLOWED } from '../test/table-owners.ts'
import {
  FOLDER_MAX,
  isTest,
  LINES_MAX,
  moduleOrder,
  type Rule,
  type RuleName,
  tidyRules,
} from '../test/tidy-rules.ts'

const SRC = import.meta.dirname
const ROOT = join(SRC, '../..')

/** Accepted violations by rule and file, each with its reason. An entry without a violation fails as well. */
const ALLOWED: { readonly [rule in RuleName]?: Readonly<Record<string, string>> } = {
  direction: {
    'print.ts': 'a repository tool that prints the SDK',
    'service.ts': 'starts the development model outside production',
  },
  databaseTime: {
    'platform/db/clock-sync.ts': 'asks the database for its time',
    'platform/db/migrations/migrate.ts': 'records when a file was applied',
  },
  ownership: FOREIGN_TABLES_ALLOWED,
  time: {
    'platform/http/reply/write-response.ts':
      'writes the Date header from the time of the machine, as Node does',
  },
  unconditionalTests: {
    'platform/db/embedded/embedded.test.ts': 'switches the user, which requires root',
  },
  silence: {
    'platform/http/rate/stores/redis.test.ts': 'reports that its tests cannot run on this machine',
  },
}

/** Folders without routes and tables, used by several capabilities. */
const SHARED_PARTS: ReadonlySet<string> = new Set(['bitbucket', 'forge', 'github', 'gitlab', 'sandbox'])

const sources = readSources(SRC)
const shipped = sources.filter((source) => !isTest(source))
const order = moduleOrder(sources.find(({ path }) => path === 'modules.ts')?.text ?? '')
const manifest = JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')) as { dependencies: object }
const contentTables = contentTablesIn(join(SRC, '../migrations/content'))
const tables = declaredTables(sources)
const rules: Record<RuleName, Rule> = tidyRules(
  order,
  Object.keys(manifest.dependencies),
  contentTables,
  new Map(tables),
)

describe('the source', () => {
  test.for<[RuleName, string, readonly Source[]]>([
    ['direction', 'imports only modules above, and only their public API', shipped],
    ['packages', 'imports only its installed packages', shipped],
    ['cycles', 'has no import cycles between files', sources],
    ['folderCycles', 'has no import cycles between folders', shipped],
    ['folders', `has no folder over ${FOLDER_MAX} files, tests not counted`, shipped],
    ['sql', 'has no SQL in routes, schemas and settings', shipped],
    ['content', 'uses .content. for content tables, and only for them', shipped],
    ['ownership', 'names a table only in the SQL of its owner', shipped],
    ['databaseTime', 'does not read the time in SQL', shipped],
    ['columns', 'names the columns it reads', shipped],
    ['time', 'reads the clock only in kernel', shipped],
    ['types', 'has no any and no non-null assertions', sources],
    ['unconditionalTests', 'has no skipped or exclusive tests', sources],
    ['threadTasks', 'names the files of worker threads so that the bundle contains them', shipped],
    ['silence', 'writes to the log, not to the console', sources],
    ['swallowedErrors', 'swallows no errors', sources],
    ['length', `has no file over ${LINES_MAX} lines`, sources],
  ])('(%s) %s', ([name, , files]) => {
    const allowed = Object.keys(ALLOWED[name] ?? {})
    const complaints = rules[name](files)
    const isAbout = (complaint: string, path: string) => complaint.startsWith(`${path}:`)
    expect(complaints.filter((complaint) => !allowed.some((path) => isAbout(complaint, path)))).toEqual([])
    const unused = allowed.filter((path) => !complaints.some((complaint) => isAbout(complaint, path)))
    expect(unused, 'unused exceptions').toEqual([])
  })

  test('has one owner for every table of the migrations', () => {
    const created = createdTables(join(SRC, '../migrations'))
    expect(tables.map(([table]) => table).sort()).toEqual(created.sort())
  })

  test('has every capability in modules.ts', () => {
    const folders = new Set(sources.map(({ path }) => path.split('/')[0] ?? ''))
    const capabilities = [...folders].filter(
      (name) => !/\.ts$|^(kernel|platform)$/.test(name) && !SHARED_PARTS.has(name),
    )
    expect(capabilities.sort()).toEqual([...order].sort())
  })
})

const workspaces = new Map(
  ['analysis', 'models', 'workspace', 'testkit'].map((workspace) => [
    workspace,
    readSources(join(ROOT, workspace)),
  ]),
)

describe.each([...workspaces])('the workspace %s', (_, files) => {
  test.for<[RuleName, readonly Source[]]>([
    ['cycles', files],
    ['types', files],
    ['unconditionalTests', files],
    ['swallowedErrors', files],
    ['length', files],
  ])('follows the rule %s', ([name, sources]) => {
    expect(rules[name](sources)).toEqual([])
  })
})

test.for([
  ['analysis', []],
  ['workspace', []],
  ['models', [expect.stringContaining('bench'), expect.stringContaining('bench')]],
] as const)('%s does not import the service', ([workspace, expected]) => {
  const outside = workspaces
    .get(workspace)
    ?.filter((source) => !isTest(source))
    .flatMap(({ path, imports }) =>
      imports
        .filter((each) => each.path.startsWith('..') || each.path.startsWith('@cowrie/'))
        .map((each) => `${path}:${each.line} imports ${each.path}`),
    )
  expect(outside).toEqual(expected)
})

describe('a rule', () => {
  test.for<[RuleName, path: string, text: string]>([
    ['direction', 'kernel/money.ts', "import { openDb } from '../platform/db/pool.ts'"],
    ['direction', 'kernel/money.ts', "import type { Db } from '../platform/db/tx.ts'"],
    ['direction', 'platform/http/access/guard.ts', "import { gate } from '../../../identity/identity.ts'"],
    ['direction', 'audit/entries.ts', "import { gate } from '../identity/identity.ts'"],
    ['direction', 'identity/me.ts', "import { insert } from '../audit/sql.ts'"],
    ['direction', 'identity/me.ts', "export { AuditPage } from '../audit/schema.ts'"],
    ['direction', 'identity/me.ts', "import { audit } from '../audit/module.ts'"],
    ['direction', 'identity/me.ts', "const late = await import('../audit/routes.ts')"],
    ['direction', 'identity/me.ts', "import { startService } from '../service.ts'"],
    ['direction', 'service.ts', "import './main.ts'"],
    ['direction', 'service.ts', "import { insert } from './audit/entries-sql.ts'"],
    ['direction', 'identity/me.ts', "import { openTestDb } from '@cowrie/testkit/harness/harness.ts'"],
    ['direction', 'identity/me.ts', "import { cases } from '../platform/mail/mail.test.ts'"],
    ['packages', 'identity/me.ts', "import { test } from 'vitest'"],
    ['cycles', 'identity/me.ts', "import { type Actor } from './me.ts'"],
    ['cycles', 'identity/me.ts', "import type { Actor } from './me.ts'"],
    ['sql', 'identity/routes.ts', 'await tx.rows`insert into users (id) values (1)`'],
    ['sql', 'identity/key-schema.ts', 'await db.direct.maybe<{ id: Id<`x`> }>`\n  select id from users`'],
    ['sql', 'service.ts', 'await admin.unsafe(text)'],
    ['content', 'chat/sql.ts', 'tx.rows`select id from chat_threads`'],
    ['content', 'chat/sql.ts', `db.direct.maybe<Row<'x'>>\`delete from streams where id = \${id}\``],
    ['content', 'chat/sql.ts', 'tx.rows`select id from orgs where exists (select from agent_runs)`'],
    [
      'content',
      'chat/sql.ts',
      'tx.content.rows<{ id: Id }>`select t.id from streams t join users u on true`',
    ],
    ['content', 'chat/sql.ts', 'tx.content.rows`delete from orgs where id = 1 returning id`'],
    ['content', 'chat/sql.ts', 'tx.content.rows`insert into jobs (id) select id from streams`'],
    [
      'content',
      'chat/sql.ts',
      `tx.content.one\`select id from streams where id = \${f(\`x\`)} and id in (select id from public.jobs)\``,
    ],
    ['content', 'chat/sql.ts', 'tx.content.one`select id from streams t, orgs o where o.id = t.org_id`'],
    ['content', 'chat/sql.ts', 'tx.content.one`select id from streams as t, orgs o where o.id = t.org_id`'],
    ['content', 'chat/sql.ts', 'tx.content.rows`select id from unnest(array[1]) id`'],
    ['ownership', 'chat/sql.ts', 'tx.rows`select id from orgs`'],
    ['ownership', 'chat/sql.ts', 'tx.rows`delete from orgs where id = 1`'],
    ['ownership', 'chat/sql.ts', 'tx.rows<{ id: Id }>`insert into orgs (id) values (1)`'],
    ['ownership', 'chat/sql.ts', 'tx.rows`select 1 from org_members m join orgs o on true`'],
    ['ownership', 'orgs/sql.ts', 'tx.rows`update orgs o set name = u.name from users u`'],
    ['ownership', 'platform/http/sql.ts', 'tx.rows`select id from jobs`'],
    ['databaseTime', 'identity/sql.ts', 'tx.rows`update users set seen_at = now()`'],
    ['columns', 'identity/sql.ts', 'tx.rows`select u.* from users u`'],
    ['time', 'identity/me.ts', 'const at = new Date()'],
    ['time', 'identity/me.ts', `const at = \`\${ Date.now() }\``],
    ['types', 'identity/me.ts', 'const x = y as any'],
    ['types', 'identity/me.ts', 'const x: any[] = []'],
    ['types', 'identity/me.ts', 'const x = rows[0]!.id'],
    ['types', 'identity/me.ts', `const x = \`\${ rows.at(0)! } \${ { a: 1 } } end\``],
    ['unconditionalTests', 'identity/me.test.ts', "test.only('x', run)"],
    ['unconditionalTests', 'identity/me.test.ts', "describe.skip('x', run)"],
    ['threadTasks', 'identity/me.ts', "task(new URL('./draw.ts', import.meta.url))"],
    ['silence', 'identity/me.ts', "console.log('x')"],
    ['swallowedErrors', 'identity/me.ts', 'try { run() } catch {}'],
    ['swallowedErrors', 'identity/me.ts', 'try { run() } catch (error) { /* never mind */ }'],
    ['length', 'identity/me.ts', '\n'.repeat(LINES_MAX + 1)],
  ])('(%s) reports %s with %j', ([rule, path, text]) => {
    expect(rules[rule]([sourceOf(path, text)])).toHaveLength(1)
  })

  test.for<[RuleName, text: string]>([
    [
      'direction',
      "import { record } from '../audit/audit.ts'\nimport type { Db } from '../platform/db/tx.ts'",
    ],
    ['sql', "// tx.rows`select 1`\nconst text = 'rows`select 1`'; const raw = String.raw`select a choice`"],
    [
      'content',
      `tx.content.rows<{ id: Id }>\`with gone as (delete from streams where id = \${id} returning id), kept as (select 1)
        update chat_threads set title = case when title is distinct from \${a} then \${b} end from gone, kept
        where id in (select id from agent_runs where true for update skip locked)\``,
    ],
    [
      'content',
      'tx.content\n  .rows`insert into streams (id) values (1) on conflict (id) do update set id = excluded.id`',
    ],
    ['content', `tx.rows\`select id from users where name = \${'agent_runs'}\`; say('from agent_runs')`],
    [
      'ownership',
      'tx.rows`with orgs as (select id from users) select o.id from orgs o join org_profiles p on true`',
    ],
    ['threadTasks', "task(new URL('./draw-task.ts', import.meta.url))"],
    ['time', 'new Date(0); clock.now(); // Date.now()'],
    ['types', "const a = !b && c !== d; if (!e) f(!g); z.any(); const h = 'any' // rows[0]!"],
    ['types', 'const quotient = a / b; const quote = /["`\'!]/.test(c)'],
    ['swallowedErrors', 'try { run() } catch { return null }'],
  ])('(%s) accepts %j', ([rule, text]) => {
    expect(rules[rule]([sourceOf('identity/me.ts', text)])).toEqual([])
  })

  test('(cycles, folderCycles) reports a cycle over several files', () => {
    const files = [
      sourceOf('platform/a/a.ts', "import { b } from '../b/b.ts'"),
      sourceOf('platform/b/b.ts', "import './c.ts'"),
      sourceOf('platform/b/c.ts', "import { a } from '../a/a.ts'"),
    ]
    const cycle = 'platform/a/a.ts → platform/b/b.ts → platform/b/c.ts → platform/a/a.ts'
    expect(rules.cycles(files)).toEqual([`platform/a/a.ts: ${cycle}`])
    expect(rules.folderCycles(files)).toEqual(['platform/a: platform/a → platform/b → platform/a'])
  })
})

// Joined from parts, so that this file does not match.
const FORBIDDEN = [
  ...['work', 'root', 'home'].map((folder) => new RegExp(`(?<![\\w.~*)}-])/${folder}/`)),
  ...['npmjs.org', 'npmjs.com', 'yarnpkg.com', 'npmmirror.com'].map(
    (host) => new RegExp(`registry\\.${host}`),
  ),
  new RegExp(['co-authored', 'by'].join('-'), 'i'),
  new RegExp(['@ts', '(ignore|nocheck|expect-error)'].join('-')),
  new RegExp(`\\b(${['TO', 'FIX'].join('DO|')}ME|X{3})\\b`),
]
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'coverage'])

test('no file names a machine path, a package registry or an open task', () => {
  const findings = [...filesBelow(ROOT)].flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const patterns = FORBIDDEN.filter((pattern) => pattern.test(text))
    if (patterns.length === 0 || text.includes('\0')) return []
    const linesOf = (pattern: RegExp) =>
      text.split('\n').flatMap((line, i) => (pattern.test(line) ? [i + 1] : []))
    return patterns.flatMap((pattern) =>
      linesOf(pattern).map((line) => `${relative(ROOT, file)}:${line} ${pattern}`),
    )
  })
  expect(findings).toEqual([])
})

test.for([
  ['a machine path', ['at ', 'work', 'main'].join('/'), true],
  ['a home folder', ['file:/', '', 'home', 'ada'].join('/'), true],
  ['a package registry', ['https://registry', 'npmjs.org'].join('.'), true],
  ['an open task', ['// TO', 'DO: later'].join(''), true],
  ['a relative path', './work/x and https://example.com/home/', false],
] as const)('%s is matched: %s %s', ([, line, isFound]) => {
  expect(FORBIDDEN.some((pattern) => pattern.test(line))).toBe(isFound)
})

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_OURS.has(entry.name)) continue
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name))
    else if (entry.isFile()) yield join(folder, entry.name)
  }
}
