// Dependencies with known faults: lock files, versions and advisories in the OSV format.
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { cvssScore } from './cvss.ts'
import { findDependencies, isDependencyFile } from './dependencies.ts'
import type { Ecosystem } from './ecosystems.ts'
import { advisoryFindings } from './findings.ts'
import { type Advisory, addRecord, findAdvisories } from './osv.ts'
import { compareVersions } from './versions.ts'

const json = (value: unknown) => JSON.stringify(value, null, 2)

describe('a dependency file names its packages with lines', () => {
  test.for<[path: string, content: string, found: string[]]>([
    [
      'web/package-lock.json',
      json({
        lockfileVersion: 3,
        packages: {
          '': { name: 'web', version: '1.0.0' },
          'node_modules/@a/b': { version: '1.2.3' },
          'node_modules/c': { version: '2.0.0' },
          'node_modules/c/node_modules/d': { version: '0.1.0' },
          'node_modules/e': { resolved: 'packages/e', link: true },
          'node_modules/f': { name: 'real-f', version: '5.0.0' },
        },
      }),
      ['npm @a/b 1.2.3 :9', 'npm c 2.0.0 :12', 'npm d 0.1.0 :15', 'npm real-f 5.0.0 :23'],
    ],
    [
      'npm-shrinkwrap.json',
      json({ dependencies: { a: { version: '1.0.0', dependencies: { b: { version: 'npm:c@2.0.0' } } } } }),
      ['npm a 1.0.0 :4', 'npm c 2.0.0 :7'],
    ],
    [
      'package.json',
      json({ dependencies: { a: '1.2.3', b: '^1.0.0', c: '*' }, devDependencies: { d: '=2.0.0-rc.1' } }),
      ['npm a 1.2.3 :3', 'npm d 2.0.0-rc.1 :8'],
    ],
    [
      'yarn.lock',
      '# yarn lockfile v1\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.4.0"\n  resolved "x"\n\nlodash@^4.17.0:\n  version "4.17.11"\n',
      ['npm @a/b 1.4.0 :4', 'npm lodash 4.17.11 :8'],
    ],
    [
      'yarn.lock',
      '__metadata:\n  version: 8\n\n"lodash@npm:^4.17.0":\n  version: 4.17.11\n  resolution: "x"\n',
      ['npm lodash 4.17.11 :5'],
    ],
    [
      'pnpm-lock.yaml',
      "packages:\n\n  /lodash@4.17.11:\n    resolution: {}\n  /a/1.0.0:\n    dev: true\n  '@a/b@2.0.0(react@18.0.0)':\n    dev: true\n",
      ['npm lodash 4.17.11 :3', 'npm a 1.0.0 :5', 'npm @a/b 2.0.0 :7'],
    ],
    [
      'requirements-dev.txt',
      'Django==3.2.1 # pinned\nrequests[socks] == 2.19.0 ; python_version > "3"\nflask>=1.0\n-r other.txt\n',
      ['PyPI Django 3.2.1 :1', 'PyPI requests 2.19.0 :2'],
    ],
    [
      'Pipfile.lock',
      json({ default: { django: { version: '==3.2.1' } }, develop: {} }),
      ['PyPI django 3.2.1 :4'],
    ],
    [
      'poetry.lock',
      '[[package]]\nname = "jinja2"\nversion = "2.10"\n\n[metadata]\n',
      ['PyPI jinja2 2.10 :3'],
    ],
    [
      'pom.xml',
      '<project>\n<properties><log.version>2.14.1</log.version></properties>\n<dependencies><dependency>\n<groupId>org.apache.logging.log4j</groupId>\n<artifactId>log4j-core</artifactId>\n<version>#{log.version}</version>\n</dependency>\n<dependency><groupId>a</groupId><artifactId>b</artifactId></dependency></dependencies></project>'.replace(
        '#',
        '$',
      ),
      ['Maven org.apache.logging.log4j:log4j-core 2.14.1 :2'],
    ],
    ['gradle.lockfile', 'a.b:c:1.0=compileClasspath\nempty=\n', ['Maven a.b:c 1.0 :1']],
    ['app/build.gradle.kts', 'dependencies {\n  implementation("a.b:c:1.0")\n}\n', ['Maven a.b:c 1.0 :2']],
    [
      'go.mod',
      'module example.com/x\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3 // indirect\n\tgolang.org/x/net v0.1.0\n)\nreplace golang.org/x/net => ../net\n',
      ['Go github.com/a/b 1.2.3 :6'],
    ],
    [
      'composer.lock',
      json({ packages: [{ name: 'symfony/http-kernel', version: 'v4.4.0' }], 'packages-dev': [] }),
      ['Packagist symfony/http-kernel v4.4.0 :5'],
    ],
    [
      'Gemfile.lock',
      'GEM\n  remote: x\n  specs:\n    rails (6.1.0)\n      actionpack (= 6.1.0)\n    nokogiri (1.10.0-x86_64-linux)\n',
      ['RubyGems rails 6.1.0 :4', 'RubyGems nokogiri 1.10.0 :6'],
    ],
    [
      'packages.lock.json',
      json({ version: 1, dependencies: { net8: { 'Newtonsoft.Json': { resolved: '12.0.1' } } } }),
      ['NuGet Newtonsoft.Json 12.0.1 :6'],
    ],
    [
      'Web.csproj',
      '<Project>\n<PackageReference Include="A.B" Version="1.0.0" />\n<PackageReference Include="C"><Version>2.0</Version></PackageReference>\n</Project>',
      ['NuGet A.B 1.0.0 :2', 'NuGet C 2.0 :3'],
    ],
    ['Cargo.lock', '[[package]]\nname = "time"\nversion = "0.1.40"\n', ['crates.io time 0.1.40 :3']],
    [
      'pubspec.lock',
      'packages:\n  http:\n    dependency: "direct main"\n    source: hosted\n    version: "0.13.0"\n',
      ['Pub http 0.13.0 :5'],
    ],
    ['package-lock.json', '{ broken', []],
    ['node_modules/x/package.json', json({ dependencies: { a: '1.2.3' } }), []],
  ])('%s %#', ([path, content, found]) => {
    expect(isDependencyFile(path)).toBe(true)
    const { dependencies } = findDependencies([{ path, content }])
    expect(
      dependencies.map((each) => `${each.ecosystem} ${each.name} ${each.version} :${each.line}`),
    ).toEqual(found)
  })
})

test.for<[Ecosystem, string]>([
  [
    'npm',
    '1.0.0-1 < 1.0.0-alpha < 1.0.0-alpha.1 < 1.0.0-beta < 1.0.0-rc.2 < 1.0.0-rc.10 < 1.0.0 < 1.0.10 < 1.10.0',
  ],
  ['Go', '0.0.0-20200101000000-abcdef < 0.1.0 < v0.2.0 < 2.0.0+incompatible'],
  ['PyPI', '1.0.dev1 < 1.0a1 < 1.0b2 < 1.0rc1 < 1.0 < 1.0.post1 < 1.0.1 < 1.10 < 1!0.1'],
  ['Maven', '1.0-alpha-1 < 1.0-beta < 1.0-rc1 < 1.0-SNAPSHOT < 1.0 < 1.0-sp1 < 1.0.1 < 2.14.1 < 2.15.0'],
  ['RubyGems', '1.0.0.pre < 1.0.0.rc1 < 1.0.0 < 1.0.0.1 < 1.2'],
  ['Packagist', 'v4.4.0-beta1 < 4.4.0-RC1 < v4.4.0 < 4.4.0-p1 < 4.4.1'],
  ['NuGet', '1.0.0-beta < 1.0.0 < 1.0.0.1 < 12.0.1'],
])('versions of %s are ordered: %s', ([ecosystem, order]) => {
  const versions = order.split(' < ')
  for (const [index, one] of versions.entries())
    for (const [position, other] of versions.entries())
      expect(Math.sign(compareVersions(ecosystem, one, other)), `${one} ${other}`).toBe(
        Math.sign(index - position),
      )
  expect(compareVersions(ecosystem, '1.0', '1.0.0')).toBe(0)
})

const RECORD = {
  id: 'GHSA-aaaa-bbbb-cccc',
  aliases: ['CVE-2026-1'],
  summary: 'Prototype pollution in lodash',
  database_specific: { severity: 'HIGH', cwe_ids: ['CWE-1321'] },
  affected: [
    {
      package: { ecosystem: 'npm', name: 'lodash' },
      ranges: [
        { type: 'SEMVER', events: [{ introduced: '3.0.0' }, { fixed: '3.10.2' }] },
        { type: 'SEMVER', events: [{ introduced: '4.0.0' }, { fixed: '4.17.12' }] },
        { type: 'GIT', events: [{ introduced: '0' }] },
      ],
    },
    { package: { ecosystem: 'PyPI', name: 'Some.Package' }, versions: ['1.0', '1.1'] },
    { package: { ecosystem: 'Debian:12', name: 'lodash' }, ranges: [] },
  ],
}

function indexOf(...records: object[]) {
  const index = new Map<string, Advisory[]>()
  for (const record of records) expect(addRecord(index, record)).toBe(true)
  return index
}

describe('an advisory', () => {
  const index = indexOf(RECORD)
  const fixedOf = (ecosystem: Ecosystem, name: string, version: string) =>
    findAdvisories(index, { ecosystem, name, version }).map(({ fixed }) => fixed)

  test.for<[Ecosystem, string, string, (string | null)[]]>([
    ['npm', 'lodash', '4.17.11', ['4.17.12']],
    ['npm', 'lodash', '4.17.12', []],
    ['npm', 'lodash', '3.5.0', ['3.10.2']],
    ['npm', 'lodash', '2.0.0', []],
    ['npm', 'Lodash', '4.17.11', []],
    ['PyPI', 'some_package', '1.1', [null]],
    ['PyPI', 'some-package', '1.2', []],
  ])('of %s %s %s has the fixed versions %j', ([ecosystem, name, version, fixed]) => {
    expect(fixedOf(ecosystem, name, version)).toEqual(fixed)
  })

  test('with the last affected version ends after it', () => {
    const range = { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { last_affected: '2.0' }] }
    const other = indexOf({
      id: 'X-1',
      affected: [{ package: { ecosystem: 'Maven', name: 'a:b' }, ranges: [range] }],
    })
    const isFound = (version: string) =>
      findAdvisories(other, { ecosystem: 'Maven', name: 'a:b', version }).length
    expect([isFound('1.0'), isFound('2.0'), isFound('2.0.1')]).toEqual([1, 1, 0])
  })

  test('that was withdrawn, or repeats another under an alias, is not reported', () => {
    const again = { ...RECORD, id: 'CVE-2026-1', aliases: [] }
    const gone = { ...RECORD, id: 'X-2', aliases: [], withdrawn: '2026-01-01T00:00:00Z' }
    const found = findAdvisories(indexOf(RECORD, again, gone), {
      ecosystem: 'npm',
      name: 'lodash',
      version: '4.17.11',
    })
    expect(found.map(({ advisory }) => advisory.id)).toEqual(['GHSA-aaaa-bbbb-cccc'])
  })

  test('becomes a finding at the line of the dependency', () => {
    const files = [{ path: 'yarn.lock', content: 'lodash@^4.17.0:\n  version "4.17.11"\n' }]
    expect(advisoryFindings(findDependencies(files).dependencies, index)).toEqual([
      expect.objectContaining({
        ruleId: 'DEP-VULN-01',
        title: 'lodash 4.17.11 has a known fault',
        cwe: 1321,
        severity: 'error',
        path: 'yarn.lock',
        line: 2,
        message: 'GHSA-aaaa-bbbb-cccc, CVE-2026-1: Prototype pollution in lodash',
        fix: 'Upgrade lodash to 4.17.12 or later.',
      }),
    ])
  })

  test.for([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.0/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8],
    ['CVSS:3.1/AV:N', undefined],
    ['CVSS:4.0/AV:N/AC:L', undefined],
  ] as const)('has the score of its vector: %s is %s', ([vector, score]) => {
    expect(cvssScore(vector)).toBe(score)
  })

  test.for([null, [], 'x', {}, { id: 1 }, { id: 'X' }])('%j is not a record', (record) => {
    expect(addRecord(new Map(), record)).toBe(false)
  })
})

test.for(['package-lock.json', 'package.json', 'composer.lock', 'Pipfile.lock', 'packages.lock.json'])(
  'a %s that is not valid JSON is named',
  (path) => {
    const report = findDependencies([{ path, content: '{"packages": {' }])
    expect(report).toEqual({ dependencies: [], unreadable: [{ path, reason: 'syntax_errors' }] })
  },
)

test('a byte order mark hides no dependency', () => {
  const content = `\ufeff${json({ dependencies: { a: '1.2.3' } })}`
  const { dependencies } = findDependencies([{ path: 'package.json', content }])
  expect(dependencies).toMatchObject([{ name: 'a', version: '1.2.3' }])
})

test.for([
  ['pom.xml', '<dependency>'],
  ['pom.xml', '<dependency><groupId>'],
  ['pom.xml', '<properties>'],
  ['a.csproj', '<PackageReference Include="a" Version="'],
] as const)('a %s of %s without an end takes no longer', ([path, tag]) => {
  const content = tag.repeat(2_000_000 / tag.length)
  const find = () => expect(findDependencies([{ path, content }]).dependencies).toEqual([])
  expect(measureCost(find)).toBeLessThan(2_000)
})
