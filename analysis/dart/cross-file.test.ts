import { expect, test } from 'vitest'
import { scanFiles } from '../engine/scan-files.ts'
import { dart } from './dart.ts'

async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { findings } = await scanFiles(all, [dart], [], {})
  return findings.map(({ ruleId, path, line }) => `${ruleId} ${path}:${line}`)
}

const SHELF = "import 'package:shelf/shelf.dart';\nimport 'users.dart';\n"

test('input is followed into a class of another file, its field and its getter', async () => {
  const files = {
    'lib/users.dart':
      "class Users {\n  final String name;\n  Users(this.name);\n  String get quoted => \"'$name'\";\n  void find(db) {\n    db.rawQuery('select * from users where name = $quoted');\n  }\n}\n",
    'bin/server.dart': `${SHELF}void handle(Request request) => Users(request.url.queryParameters['n']!).find(db);\n`,
  }
  expect(await found(files)).toEqual(['DA-SQL-01 lib/users.dart:6'])
})

test('input is followed through patterns, cascades and collections', async () => {
  const body =
    "  final (name, _) = (request.url.queryParameters['n'], 1);\n  final all = [if (x) name, for (final e in y) e];\n  Process.run('sh', ['-c', 'ls \x24{all.first}']);\n"
  expect(await found({ 'a.dart': `import 'dart:io';\nvoid handle(Request request) {\n${body}}\n` })).toEqual([
    'DA-CMD-01 a.dart:5',
  ])
})

test.for([
  'class A { void f( {',
  "var a = '\x24{b",
  'switch (x) { case [var a, ...: ',
  `${'('.repeat(2_000)}`,
  'void f() => [...?{}]..a',
])('hostile text is read or named: %s', async (content) => {
  const { skipped } = await scanFiles([{ path: 'a.dart', content }], [dart], [], {
    onFailure: (_, error) => {
      throw error
    },
  })
  expect(skipped.filter(({ reason }) => reason === 'failed')).toEqual([])
})
