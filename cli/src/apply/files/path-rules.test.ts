import { expect, test } from 'vitest'
import { collisionsAmong, whyRejected } from './path-rules.ts'
import { whySensitive } from './sensitive.ts'

test.for([
  ['', 'is empty'],
  ['/etc/passwd', 'is not relative'],
  ['\\\\server\\share', 'is not relative'],
  ['C:/windows', 'is not relative'],
  ['c:evil', 'is not relative'],
  ['~/.bashrc', 'is not relative'],
  ['../evil', 'leaves the folder'],
  ['a/../../evil', 'leaves the folder'],
  ['a/./b', 'leaves the folder'],
  ['a/…/../b', 'leaves the folder'],
  ['a/\uff0e\uff0e/b', 'leaves the folder'],
  ['a/\u2025/b', 'leaves the folder'],
  ['a//b', 'has empty parts'],
  ['a/', 'has empty parts'],
  ['a\\..\\b', 'has backslashes'],
  ['a\0b', 'has control characters'],
  ['a\nb', 'has control characters'],
  ['a\x1b[2Jb', 'has control characters'],
  ['a\ud800', 'has control characters'],
  ['a\u202eb', 'has invisible characters'],
  ['.g\u200cit/config', 'has invisible characters'],
  ['.git/config', 'belongs to git'],
  ['.git', 'belongs to git'],
  ['sub/.git/hooks/pre-commit', 'belongs to git'],
  ['.GIT/config', 'belongs to git'],
  ['.gIt/hooks/x', 'belongs to git'],
  ['.G\u0130T/config', 'belongs to git'],
  ['\uff0egit/config', 'belongs to git'],
  ['.\uff47\uff49\uff54/config', 'belongs to git'],
  ['.git./config', 'belongs to git'],
  ['.git /config', 'belongs to git'],
  ['git~1/config', 'belongs to git'],
  ['GIT~2', 'belongs to git'],
  ['.git::$INDEX_ALLOCATION/config', 'belongs to git'],
  ['a./b', 'has a name that ends with a dot or a space'],
  ['PROGRA~1/x', 'looks like a short name of Windows'],
  [`${'a/'.repeat(70)}b`, 'is too deep'],
  ['x'.repeat(1025), 'is too long'],
] as const)('%j is rejected: it %s', ([path, why]) => {
  expect(whyRejected(path)).toBe(why)
})

test.for([
  'a',
  '.gitignore',
  '.github/x.md',
  'src/[slug]/page.tsx',
  'a b/c.txt',
  'é/ß.md',
  '…/x',
  'git/a',
  'a..b',
  'عربي.txt',
])('%s is an accepted path', (path) => {
  expect([whyRejected(path), whySensitive(path)]).toEqual([null, null])
})

test.for([
  ['.env', 'secrets'],
  ['deploy/.ENV.production', 'secrets'],
  ['.envrc', 'secrets'],
  ['.npmrc', 'secrets'],
  ['keys/server.PEM', 'secrets'],
  ['.github/workflows/ci.yml', 'controls what CI runs'],
  ['.GitHub/Workflows/ci.yml', 'controls what CI runs'],
  ['.gitlab-ci.yml', 'controls what CI runs'],
  ['Jenkinsfile', 'controls what CI runs'],
  ['.circleci/config.yml', 'controls what CI runs'],
  ['package-lock.json', 'lockfile'],
  ['web/yarn.lock', 'lockfile'],
  ['Cargo.lock', 'lockfile'],
  ['go.sum', 'lockfile'],
  ['.husky/pre-commit', 'run automatically'],
  ['.gitattributes', 'run automatically'],
  ['.vscode/tasks.json', 'run automatically'],
  ['.cowrie.json', 'run automatically'],
  ['.cowrie/hooks.json', 'run automatically'],
  ['node_modules/left-pad/index.js', 'run automatically'],
] as const)('%s is sensitive: %s', ([path, kind]) => {
  expect(whySensitive(path)).toContain(kind)
})

test('two spellings of one file collide, and so do a file and a folder with one name', () => {
  expect(collisionsAmong(['a.ts', 'b.ts'])).toEqual([])
  expect(collisionsAmong(['a.ts', 'A.ts', 'b.ts'])).toEqual(['a.ts', 'A.ts'])
  expect(collisionsAmong(['caf\u00e9', 'cafe\u0301'])).toEqual(['caf\u00e9', 'cafe\u0301'])
  expect(collisionsAmong(['a', 'a/b'])).toEqual(['a'])
})
