// Every file is scanned, or the report names it with a reason, whatever its name, folder or encoding is.
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { COMMON_PATHS, FAULTS, type FaultyFile, fileTrees } from '@cowrie/testkit/review/faulty-files.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages, textRules } from '../all-rules.ts'
import { scanFiles } from './scan-files.ts'

const scan = (files: readonly FaultyFile[]) => scanFiles(files, languages, textRules, {})

/** The reasons that depend on the name or the encoding. */
const REASONS = ['vendored', 'binary', 'unsupported_language', 'only_scripts']
const KNOWN = /\.(?:[cm]?[jt]s|[jt]sx|py|go|java|php|cs|csx|kts?|rb|rake|dart|sql|pgsql|ddl)$/i
const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|third_party)\/|(?:^|\/)vendor\/.*\.(?:php|go|rb|rake)$|\.min\.|jquery|bootstrap/i

async function requireAllAccounted(files: readonly FaultyFile[]): Promise<void> {
  const { findings, skipped, files: count } = await scan(files)
  const found = new Set(findings.map(({ path }) => path))
  const named = new Map(skipped.map(({ path, reason }) => [path, reason]))
  expect(files.filter(({ path }) => !found.has(path) && !named.has(path))).toEqual([])
  expect(skipped.filter(({ reason }) => !REASONS.includes(reason))).toEqual([])
  const unfound = files.filter(
    ({ path, content }) =>
      KNOWN.test(path) &&
      !VENDORED.test(path) &&
      !/\u0000/.test(content) &&
      content.isWellFormed() &&
      !found.has(path),
  )
  expect(unfound, 'a usual name is always scanned').toEqual([])
  expect(count).toBe(
    files.length - skipped.filter(({ reason }) => reason === 'vendored' || reason === 'binary').length,
  )
}

test('every fault in a random file tree is found, or its file is named', async () => {
  await requireAllAccounted(COMMON_PATHS)
  await fc.assert(fc.asyncProperty(fileTrees(120), requireAllAccounted), { numRuns: rounds(4, 60) })
}, 300_000)

test.for([
  'src/main/java/com/shop/vendor/Pay.java',
  'app/Http/Controllers/vendor/pay.php',
  'vendor/pay.php',
  'internal/vendor/pay.go',
  'apps/vendor/build/pay.py',
  'app/models/vendor/pay.rb',
  'lib/vendor/build/pay.dart',
  'app/src/main/kotlin/vendor/pay.kt',
  'Shop/build/Pay.cs',
])('a folder that is named like those of package managers is scanned: %s', async (path) => {
  const content = FAULTS[path.slice(path.lastIndexOf('.') + 1) as keyof typeof FAULTS]
  expect(await scan([{ path, content }])).toMatchObject({ findings: [{ cwe: 78 }], skipped: [] })
})

test.for([
  [
    'bin/deploy',
    '#!/usr/bin/env -S node --flag\nmodule.exports = (req) => require("child_process").exec("ls " + req.query.d)\n',
  ],
  [
    'bin/clean',
    '#!/usr/bin/env bun\nmodule.exports = (req: any) => require("child_process").exec("ls " + (req.query.d as string))\n',
  ],
  ['cron', '#!/usr/bin/python3\nimport os, flask; os.system("ls " + flask.request.args["d"])\n'],
  ['view.phtml', '<h1>x</h1>\n<?php system("ls " . $_GET["d"]);\n'],
  ['lib/db.inc', '<?php\nsystem("ls " . $_GET["d"]);\n'],
  ['page.html', '<p>x</p>\n<?php system("ls " . $_GET["d"]); ?>\n'],
  ['bin/console', '#!/usr/bin/env ruby\nrequire "sinatra"; get("/") { system("ls #{params[:d]}") }\n'],
  ['Rakefile', 'require "rack"\ntask(:x) { system "ls #{Rack::Request.new(env).params["d"]}" }\n'],
  ['config.ru', 'require "sinatra"\nget("/") { `ls #{params[:d]}` }\n'],
  ['views/a.html.erb', '<h1>x</h1>\n<%= system("ls #{params[:d]}") %>\n'],
  ['lib/tasks/a.rake', 'require "sinatra"\nsystem("ls #{params[:d]}")\n'],
] as const)('code is recognized by its first line or tag: %s', async ([path, content]) => {
  const { findings, skipped } = await scan([{ path, content }])
  expect(skipped).toEqual([])
  expect(findings.map(({ line, cwe }) => [line, cwe])).toEqual([[2, 78]])
})

test.for(Object.entries(FAULTS))(
  'a file whose lines end with carriage returns is scanned: %s',
  async ([ending, fault]) => {
    const content = fault.replaceAll('\n', '\r')
    const { findings } = await scan([{ path: `a.${ending}`, content }])
    expect(findings.map(({ cwe }) => cwe)).toEqual([ending === 'sql' ? 89 : 78])
  },
)

test('the scripts of a component are scanned at their lines, and its template is named', async () => {
  const content =
    '<template>\n  <p>x</p>\n</template>\n<script type="application/json">{}</script>\n<script setup lang="ts">\nconst to: string = location.hash\ndocument.write(to)\n</script>\n'
  const { findings, skipped } = await scan([{ path: 'src/Pay.vue', content }])
  expect(findings.map(({ line, cwe }) => [line, cwe])).toEqual([[7, 79]])
  expect(skipped).toEqual([{ path: 'src/Pay.vue', reason: 'only_scripts' }])
})

test('the scripts of a picture are scanned, and a picture without scripts is data', async () => {
  const content = '<svg>\n<script>\ndocument.write(location.hash)\n</script></svg>\n'
  const { findings, skipped } = await scan([
    { path: 'a.svg', content },
    { path: 'b.svg', content: '<svg/>' },
  ])
  expect(findings.map(({ path, line, cwe }) => [path, line, cwe])).toEqual([['a.svg', 3, 79]])
  expect(skipped).toEqual([{ path: 'a.svg', reason: 'only_scripts' }])
})

test.for([
  ['an open string', "SELECT 'a;\n", 'syntax_errors'],
  ['an open comment', '/* a\n', 'syntax_errors'],
  ['an open body', 'CREATE FUNCTION f(a text) RETURNS void AS $x$ BEGIN\n', 'syntax_errors'],
  [
    'an endless expression',
    `CREATE PROCEDURE f(a text) AS BEGIN EXECUTE ${'concat('.repeat(5_000)}`,
    'too_complex',
  ],
] as const)('SQL that is not understood in full is named: %s', async ([, content, reason]) => {
  expect((await scan([{ path: 'a.sql', content }])).skipped).toEqual([{ path: 'a.sql', reason }])
})

test('the PHP code of a Blade template is scanned, and its template is named', async () => {
  const path = 'resources/views/pay.blade.php'
  const content = '<p>{!! $name !!}</p>\n<?php system("ls " . $_GET["d"]); ?>\n'
  const { findings, skipped } = await scan([{ path, content }])
  expect(findings.map(({ line, cwe }) => [line, cwe])).toEqual([[2, 78]])
  expect(skipped).toEqual([{ path, reason: 'only_scripts' }])
})

test.for(['README.md', 'app/messages.properties', '.gitignore', 'LICENSE', 'package.json', 'empty'])(
  'data is only searched by the text rules and needs no mention: %s',
  async (path) => {
    const content = path === 'empty' ? '\n' : 'key = 1\n'
    expect(await scan([{ path, content }])).toMatchObject({ findings: [], skipped: [], files: 1 })
  },
)

test.for([
  ...['Makefile', 'Dockerfile', 'Procfile', 'deploy.sh', 'deploy.ps1', 'app.rs', 'nb.ipynb', 'main.tf', 'x'],
  ...['api.proto', 'schema.graphql', 'schema.gql', 'schema.prisma', 'fix.patch', 'fix.diff', 'pay.php.bak2'],
  ...['.envrc', '.cshrc', '.tcshrc', '.xinitrc'],
])('code without rules is named: %s', async (path) => {
  expect((await scan([{ path, content: 'echo $1\n' }])).skipped).toEqual([
    { path, reason: 'unsupported_language' },
  ])
})

test.for([
  ['pay.js', 'const a = {{{ <<< %%% the rest of this line is not a program and hides it;\n'],
  ['pay.py', 'def f(: ((( %%% the rest of this line is not a program and hides it\n'],
  ['Pay.cs', 'class A { void ((( %%% the rest of this line is not a program and it hides a fault\n'],
  ['pay.kt', 'fun ((( %%% = the rest of this line is not a program and it hides a fault\n'],
  ['pay.rb', 'class ))) <<< the rest of this line is not a program and it hides a fault ]]] }}}\n'],
  ['pay.dart', 'void f( {{{ the rest of this line is not a program and it hides a fault (((\n'],
  ['pay.cs', 'var x = 1;\n]] Process.Start(Request.Query["d"] [[\n'],
  ['pay.go', 'package a\nfunc ((( the rest of this line is not a program and it hides a fault\n'],
] as const)('a file that is not understood in full is named: %s', async ([path, content]) => {
  expect((await scan([{ path, content }])).skipped).toEqual([{ path, reason: 'syntax_errors' }])
})

test('a hidden file without a known name is named, and those of usual tools are data', async () => {
  const unknown = { path: '.config-deposit', content: FAULTS.kt }
  expect((await scan([unknown])).skipped).toEqual([{ path: unknown.path, reason: 'unsupported_language' }])
  const usual = ['.gitignore', '.npmrc', '.nvmrc', '.env-local', '.ruby-version', '.eslintrc', '.htaccess']
  const files = usual.map((path) => ({ path, content: 'a=1\n' }))
  expect((await scan(files)).skipped).toEqual([])
})
