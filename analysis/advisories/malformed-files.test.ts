// A dependency file that is damaged, shortened or of a kind without a parser is named, and what was read of it counts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDependencies } from './dependencies.ts'

const SUM = `${'a'.repeat(43)}=`
const WHOLE: Readonly<Record<string, string>> = {
  'yarn.lock':
    '# yarn lockfile v1\n\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.4.0"\n  dependencies:\n    c "^1"\n',
  'sub/yarn.lock':
    '__metadata:\n  version: 8\n\n"lodash@npm:^4.17.0":\n  version: 4.17.11\n  resolution: "x"\n\n"web@workspace:.":\n  version: 0.0.0-use.local\n',
  'pnpm-lock.yaml':
    "lockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies: {}\n\npackages:\n\n  '@a/b@2.0.0(react@18.0.0)':\n    resolution: {integrity: x}\n  c@1.0.0: {}\n\nsnapshots:\n\n  c@1.0.0: {}\n",
  'poetry.lock':
    '# by Poetry\n\n[[package]]\nname = "a"\nversion = "1.0"\nfiles = [\n    {file = "a#1.whl", hash = "sha256:1"},\n]\n\n[metadata]\ncontent-hash = "x"\n',
  'uv.lock':
    'version = 1\n\n[[package]]\nname = "own"\nsource = { virtual = "." }\n\n[[package]]\nname = "a"\nversion = "1"\n',
  'Cargo.lock': 'version = 4\n\n[[package]]\nname = "a"\nversion = "1.0.0"\ndependencies = [\n "b",\n]\n',
  'go.mod':
    'module a.b/c\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.0.0 // indirect\n)\n\nrequire d.e/f v2.0.0\nreplace d.e/f => ../f\n',
  'go.sum': `a.b/c v1.0.0 h1:${SUM}\na.b/c v1.0.0/go.mod h1:${SUM}\n`,
  'pom.xml':
    '<?xml version="1.0"?>\n<!-- <a> -->\n<project xmlns:x="a>b"><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1</version></dependency></dependencies><build/></project>\n',
  'a.csproj':
    '<Project Sdk="x"><ItemGroup><PackageReference Include="A" Version="1.0.0" /></ItemGroup></Project>\n',
  'Gemfile.lock':
    'GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.0.1)\n      rack (>= 2)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rails\n\nBUNDLED WITH\n   2.3\n',
  'pubspec.lock':
    'packages:\n  http:\n    dependency: "direct main"\n    source: hosted\n    version: "1.0.0"\nsdks:\n  dart: ">=3"\n',
  'gradle.lockfile': '# locks\na.b:c:1.0=runtimeClasspath\nempty=\n',
  'requirements.txt':
    'Django==3.2.1 # pinned\nrequests[socks] == 2.19.0 ; python_version > "3"\nflask>=1.0,!=1.1\n-r other.txt\na @ https://x.example/a.whl\ngit+https://x.example/b.git\nb==1 \\\n    --hash=sha256:12 \\\n    --hash=sha256:34\n./local\n',
  'package-lock.json': '{"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0"}}}',
  'composer.lock': '{"packages": [{"name": "a/b", "version": "1.0.0"}], "packages-dev": []}',
  'Pipfile.lock': '{"_meta": {}, "default": {"a": {"version": "==1.0"}}, "develop": {}}',
  'packages.lock.json': '{"version": 1, "dependencies": {"net8.0": {"A": {"resolved": "1.0.0"}}}}',
  'package.json': '{"name": "a", "dependencies": {"b": "1.0.0"}}',
}
const unreadableIn = (path: string, content: string) => findDependencies([{ path, content }]).unreadable

test.for(Object.entries(WHOLE))('a whole %s is not named', ([path, content]) => {
  for (const written of [content, `\ufeff${content}`, content.replaceAll('\n', '\r\n'), content.trimEnd()])
    expect(unreadableIn(path, written)).toEqual([])
})

describe('a damaged file is named', () => {
  test.for<[path: string, content: string]>([
    ['yarn.lock', 'lodash@^4.17.0\n  version 4.17.11\n'],
    ['yarn.lock', '# yarn lockfile v1\n\nlodash@^4.17.0:\n  resolved "x"\n'],
    ['yarn.lock', '# yarn lockfile v1\n\nlodash@^4.17.0:\n'],
    ['pnpm-lock.yaml', 'lockfileVersion: 6\npackages:\n'],
    ['pnpm-lock.yaml', 'lockfileVersion: 6\npackages:\n  /a@1.0.0\n    dev: true\n'],
    ['pnpm-lock.yaml', 'packages:\n  /a@1.0.0:\n    dev: true\n'],
    ['poetry.lock', '[[package]]\nversion = "1"\nname = "a"\n'],
    ['poetry.lock', '[[package]]\nname = "a"\nversion = "1"\nfiles = [\n'],
    ['Cargo.lock', '[[package]]\nname = "a\nversion = "1"\n'],
    ['uv.lock', 'not a lock file\n'],
    ['go.mod', 'module a.b/c\nrequire (\n\ta.b/d v1.0.0\n'],
    ['go.mod', 'module a.b/c\nrequire a.b/d\n'],
    ['go.mod', 'requires a.b/d v1.0.0\n'],
    ['go.sum', 'a.b/c v1.0.0 h1:short=\n'],
    ['pom.xml', '<project><dependencies><dependency>\n'],
    ['pom.xml', '<project><dependency></project></dependency>'],
    ['pom.xml', 'no element'],
    ['a.csproj', '<Project><PackageReference Include="A" Version="1.0.0"'],
    ['Gemfile.lock', 'GEM\n  specs:\n    rails (7.0.1)\n'],
    ['Gemfile.lock', 'GEM\n  specs:\n    rails 7.0.1\n\nDEPENDENCIES\n  rails\n'],
    ['pubspec.lock', 'packages:\n  http:\n    source: hosted\nsdks:\n  dart: ">=3"\n'],
    ['gradle.lockfile', 'a.b:c\n'],
    ['requirements.txt', 'Django=3.2.1\n'],
    ['requirements.txt', 'Django 3.2.1\n'],
    ['package-lock.json', '[]'],
    ['package-lock.json', '{}'],
    ['package-lock.json', '{"lockfileVersion": 3, "packages": {"node_modules/a": {"version": 1}}}'],
    ['package-lock.json', '{"lockfileVersion": 3, "packages": "x"}'],
    ['composer.lock', '{"package": []}'],
    ['composer.lock', '{"packages": [1]}'],
    ['Pipfile.lock', '{"default": {"a": 1}}'],
    ['packages.lock.json', '{"version": 1}'],
    ['package.json', '{"dependencies": [1]}'],
  ])('%s: %j', ([path, content]) => {
    expect(unreadableIn(path, content)).toEqual([{ path, reason: 'syntax_errors' }])
  })

  test.for(Object.keys(WHOLE))('%s with an unfinished merge', (path) => {
    const [first = '', ...rest] = (WHOLE[path] ?? '').split('\n')
    const content = [first, '<<<<<<< HEAD', ...rest, '>>>>>>> main'].join('\n')
    expect(unreadableIn(path, content)).toEqual([{ path, reason: 'syntax_errors' }])
  })
})

test('a damaged file gives the dependencies that were read', () => {
  const content = 'GEM\n  specs:\n    rails (7.0.1)\n'
  const { dependencies } = findDependencies([{ path: 'Gemfile.lock', content }])
  expect(dependencies).toMatchObject([{ name: 'rails', version: '7.0.1' }])
})

test.for(['mix.lock', 'ios/Podfile.lock', 'deno.lock', 'bun.lockb', 'Package.resolved'])(
  'a lock file without a parser is named: %s',
  (path) => {
    expect(unreadableIn(path, 'x')).toEqual([{ path, reason: 'unsupported_lock_file' }])
  },
)

test('any text is read without an error', () => {
  const pieces = fc.constantFrom(
    '[[package]]\n',
    'name = "a"\n',
    '<a>',
    '</a>',
    '"',
    "'''",
    '(',
    ')',
    '  a:\n',
    '\n',
    'a',
    '=',
    '#',
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(WHOLE)), fc.array(pieces), (path, parts) => {
      expect(unreadableIn(path, parts.join('')).length).toBeLessThan(2)
    }),
  )
})
