import { runsOf, toyModel, toyRule } from '@cowrie/testkit/analysis/toy-language.ts'
import { describe, expect, test } from 'vitest'
import type { Rule } from '../rule.ts'
import { scanFiles } from './scan-files.ts'

const TOY = [{ model: toyModel, rules: [toyRule] }]
const scan = (path: string, content: string, rules: readonly Rule[] = [toyRule]) =>
  scanFiles([{ path, content }], [{ model: toyModel, rules }], [], {})

describe('a finding', () => {
  test('has the rule, the position, the message and the data flow', async () => {
    const { findings, files, lines } = await scan('src/a.ts', 'const cmd = input\n\nrun(cmd)\n')
    expect(findings).toEqual([
      expect.objectContaining({
        ruleId: 'TOY-RUN-01',
        cwe: 78,
        severity: 'error',
        confidence: 'high',
        path: 'src/a.ts',
        line: 3,
        snippet: 'run(cmd)',
        flow: [expect.objectContaining({ what: 'input' }), expect.objectContaining({ what: 'cmd' })],
      }),
    ])
    expect({ files, lines }).toEqual({ files: 1, lines: 4 })
  })

  test('has a lower confidence when a parameter of an exported function is the source', async () => {
    const { findings } = await scan('src/a.ts', 'export function go(name) { run("ls " + name) }')
    expect(findings).toEqual([expect.objectContaining({ confidence: 'medium' })])
  })

  test('is reported once, with the highest confidence', async () => {
    const { findings } = await scan(
      'src/a.ts',
      'export function go(name) { run(name) }\ngo(input)\ngo(input.x)',
    )
    expect(findings).toEqual([expect.objectContaining({ line: 1, confidence: 'high' })])
  })

  test('keeps its fingerprint when lines move, and differs from other positions', async () => {
    const one = await scan('src/a.ts', 'run(input)\nrun(input)')
    const moved = await scan('src/a.ts', '\n\n// more\nrun( input )\n\n  run(input)')
    const prints = ({ findings }: typeof one) => findings.map(({ fingerprint }) => fingerprint)
    expect(new Set(prints(one)).size).toBe(2)
    expect(prints(moved)[1]).not.toBe(prints(moved)[0])
    expect(prints(await scan('src/a.ts', '\n\nrun(input)\n\n  run(input)'))).toEqual(prints(one))
    expect(prints(await scan('src/b.ts', 'run(input)\nrun(input)'))).not.toEqual(prints(one))
  })

  test('has the same shape when only names and literals differ', async () => {
    const shapes = async (text: string) => (await scan('src/a.ts', text)).findings.map(({ shape }) => shape)
    expect(await shapes('const a = input; run("x" + a)')).toEqual(
      await shapes('const longer = input; run("yy" + longer)'),
    )
    expect(await shapes('const a = input; run("x" + a)')).not.toEqual(await shapes('const a = input; run(a)'))
  })

  test('masks secrets on its line', async () => {
    const { findings } = await scan(
      'src/a.ts',
      `const a = input; run(a, "sk_live_${'0a1b2c3d4e'.repeat(4)}")`,
    )
    expect(findings[0]?.snippet).toBe('const a = input; run(a, "sk_l…")')
  })

  test('is the most confident one of its kind on a line', async () => {
    const vague: Rule = {
      ...toyRule,
      id: 'TOY-RUN-02',
      on: { call: ({ name, expr }) => (name === 'run' ? { at: expr.at, confidence: 'low' } : undefined) },
    }
    const { findings } = await scan('src/a.ts', 'run(input)\nrun("x")', [vague, toyRule])
    expect(findings.map(({ line, ruleId }) => [line, ruleId])).toEqual([
      [1, 'TOY-RUN-01'],
      [2, 'TOY-RUN-02'],
    ])
  })
})

describe('a suppression comment', () => {
  test.for([
    ['on the line', 'run(input) // cowrie-ignore TOY-RUN-01: only staff get here'],
    ['on the line above', '// cowrie-ignore TOY-RUN-01: only staff get here\nrun(input)'],
  ])('suppresses %s', async ([, text]) => {
    const { findings, suppressed } = await scan('src/a.ts', text ?? '')
    expect(findings).toEqual([])
    expect(suppressed).toEqual([
      expect.objectContaining({ ruleId: 'TOY-RUN-01', reason: 'only staff get here' }),
    ])
  })

  test.for([
    ['without a reason', 'run(input) // cowrie-ignore TOY-RUN-01:'],
    ['about another rule', 'run(input) // cowrie-ignore TOY-RUN-02: staff'],
    ['two lines above', '// cowrie-ignore TOY-RUN-01: staff\n\nrun(input)'],
    ['in a text', 'const text = "cowrie-ignore TOY-RUN-01: staff"; run(input)'],
  ])('does not suppress %s', async ([, text]) => {
    expect((await scan('src/a.ts', text ?? '')).findings).toHaveLength(1)
  })
})

/** A project with sources. */
const OTHER = { path: 'src/other.js', content: 'other()\n'.repeat(20) }

describe('a file', () => {
  test.for([
    ['node_modules/x/a.js', 'run(input)', 'vendored'],
    ['web/app.min.js', 'run(input)', 'vendored'],
    ['vendor/a.js', '/*! a v1.2.0 */\nrun(input)', 'vendored'],
    ['public/vendor/a.js', '// a.js, released under the MIT license\nrun(input)', 'vendored'],
    ['vendor/acme/pay/src/a.php', '<?php', 'vendored'],
    ['vendor/github.com/acme/a.go', 'package a', 'vendored'],
    ['vendor/github.com/acme/b/a.js', 'run(input)', 'vendored'],
    ['src/a.ts', `run(input) // ${'x'.repeat(1_000_000)}`, 'too_large'],
    ['src/a.ts', `run(input)\n${'a();'.repeat(1_300)}`, 'minified'],
    ['src/a.ts', '// Code generated by x. DO NOT EDIT.\nrun(input)', 'generated'],
    ['src/a.ts', 'run(input) // \u0000', 'binary'],
  ] as const)('is skipped: %s', async ([path, content, reason]) => {
    expect(await scan(path, content)).toMatchObject({ findings: [], skipped: [{ path, reason }], files: 0 })
  })

  test('of compiled code is scanned only where a project has no sources of it', async () => {
    const scanned = async (...paths: string[]) => {
      const files = paths.map((path) => ({ path, content: 'run(input)' }))
      const { findings } = await scanFiles(files, TOY, [], {})
      return findings.map(({ path }) => path)
    }
    expect(await scanned('dist/a.js', 'build/cjs/b.js')).toEqual(['build/cjs/b.js', 'dist/a.js'])
    expect(await scanned('dist/a.js', 'src/a.ts')).toEqual(['src/a.ts'])
    expect(await scanned('dist/a.js', 'vite.config.js', 'dist/a.d.ts'), 'settings are no sources').toContain(
      'dist/a.js',
    )
    expect(await scanned('dist/a.min.js', 'node_modules/c/dist/c.js')).toEqual([])
    expect(await scanned('packages/x/dist/cjs/a.js', 'packages/x/src/a.ts')).toEqual(['packages/x/src/a.ts'])
  })

  test('of compiled code counts by the whole project, not by the files of one batch', async () => {
    const file = { path: 'dist/a.js', content: 'run(input)' }
    const { skipped } = await scanFiles([file], TOY, [], { builtFiles: new Set(['dist/a.js']) })
    expect(skipped).toEqual([{ path: 'dist/a.js', reason: 'vendored' }])
  })

  test.for([
    'vendor/a.js',
    'app/vendor/pay/a.js',
    'src/build/a.js',
    'server/dist/a.ts',
    'out/a.js',
    'target/a.js',
  ])('that was written by hand is scanned in any folder: %s', async (path) => {
    const files = [{ path, content: 'run(input)' }, OTHER]
    const { findings, skipped } = await scanFiles(files, TOY, [], {})
    expect([findings.map((each) => each.path), skipped]).toEqual([[path], []])
  })

  test.for([
    ['dist/a.js', 'Object.defineProperty(exports, "__esModule", {});\nrun(input)'],
    ['build/a.js', 'var __defProp = Object.defineProperty;\nrun(input)'],
    ['src/dist/a.js', 'run(input)\n//# sourceMappingURL=a.js.map\n'],
    ['src/dist/a.js', 'function a() {}\nrun(input)\nexport { a, b as c };\n'],
  ] as const)('that was compiled is skipped next to other sources: %s', async ([path, content]) => {
    const { skipped } = await scanFiles([{ path, content }, OTHER], TOY, [], {})
    expect(skipped).toEqual([{ path, reason: 'vendored' }])
  })

  test('in a folder that a compiler filled is skipped', async () => {
    const compiled = { path: 'web/dist/a.js', content: 'var __defProp = 1' }
    const files = ['b', 'c'].map((name) => ({ path: `web/dist/${name}.js`, content: 'run(input)' }))
    const skipped = async (more: readonly { path: string; content: string }[]) =>
      (await scanFiles([...files, ...more, OTHER], TOY, [], {})).skipped.map(({ path }) => path)
    expect(await skipped([compiled])).toEqual(['web/dist/a.js', 'web/dist/b.js', 'web/dist/c.js'])
    expect(await skipped([{ path: 'web/dist/d.js', content: 'run(input)' }, compiled])).toEqual([
      'web/dist/a.js',
    ])
  })

  test('of a copied package is skipped with all its files', async () => {
    const paths = ['public/vendor/x/package.json', 'public/vendor/x/lib/a.js', 'public/vendor/own/a.js']
    const files = paths.map((path) => ({ path, content: 'run(input)' }))
    const { findings, skipped } = await scanFiles([...files, OTHER], TOY, [], {})
    expect(findings.map(({ path }) => path)).toEqual(['public/vendor/own/a.js'])
    expect(skipped.map(({ path }) => path)).toEqual([
      'public/vendor/x/lib/a.js',
      'public/vendor/x/package.json',
    ])
  })

  test.for(['src/a.test.ts', 'test/a.ts', 'examples/x/a.js', 'docs/a.js', 'src/__tests__/a.ts'])(
    'of tests or examples is one step less severe, except for rules that apply to tests: %s',
    async (path) => {
      expect((await scan(path, 'run(input)')).findings).toMatchObject([{ severity: 'warn' }])
      const same = [{ ...toyRule, isForTests: true as const }]
      expect((await scan(path, 'run(input)', same)).findings).toMatchObject([{ severity: 'error' }])
    },
  )

  test.for([
    'src/edit.ts',
    'src/audit.js',
    'contest.ts',
    'demo/a.ts',
    'db/seeds/a.ts',
    'Docs/a.js',
    'spec/a.ts',
  ])('with a name that resembles a test keeps its severity: %s', async (path) => {
    expect((await scan(path, 'run(input)')).findings).toMatchObject([{ severity: 'error' }])
  })

  test.for(['app/models/user.rb', 'View.VUE', 'templates/pay.phtml', 'bin/deploy'])(
    'of an unsupported language is reported: %s',
    async (path) => {
      expect(await scan(path, '#!/bin/sh\nrun(input)')).toMatchObject({
        findings: [],
        skipped: [{ path, reason: 'unsupported_language' }],
      })
    },
  )

  test('on which a rule fails is reported, and the hits of other rules are kept', async () => {
    const broken: Rule = {
      ...toyRule,
      id: 'TOY-BAD-01',
      on: {
        call: () => {
          throw new TypeError('a rule is broken')
        },
      },
    }
    const { findings, skipped } = await scan('src/a.ts', 'run(input)', [broken, toyRule])
    expect(findings).toHaveLength(1)
    expect(skipped).toEqual([{ path: 'src/a.ts', reason: 'failed' }])
  })

  test('that cannot be parsed is reported, and the next one is scanned', async () => {
    const model = {
      ...toyModel,
      lower: (tree: Parameters<typeof toyModel.lower>[0]) => {
        if (tree.text.startsWith('bad')) throw new TypeError('not understood')
        return toyModel.lower(tree)
      },
    }
    const files = [
      { path: 'src/a.ts', content: 'bad()' },
      { path: 'src/b.ts', content: 'run(input)' },
    ]
    const { findings, skipped } = await scanFiles(files, [{ model, rules: [toyRule] }], [], {})
    expect(findings).toHaveLength(1)
    expect(skipped).toEqual([{ path: 'src/a.ts', reason: 'failed' }])
  })
})

describe('several files', () => {
  test.for<[string, Record<string, string>]>([
    [
      'by their exports',
      {
        'src/a.ts': 'import { go } from "./b"\ngo(input)',
        'src/b.ts': 'export const go = (x) => {\nrun(x) }',
      },
    ],
    [
      'by their type',
      {
        'src/a.js': 'const go = require("./b")\ngo(input)',
        'src/b.js': 'module.exports = function (x) {\nrun(x) }',
      },
    ],
    [
      'by a class',
      {
        'src/a.ts': 'import A from "./b.js"\nnew A(input).go()',
        'src/b.ts': 'export default class A { constructor(x) { this.x = x } go() {\nrun(this.x) } }',
      },
    ],
    [
      'by an index',
      {
        'src/a.ts': 'import { go } from "./lib"\ngo(input)',
        'src/lib/index.ts': 'export { go } from "./b"',
        'src/b.ts': '',
        'src/lib/b.ts': 'export function go(x) {\nrun(x) }',
      },
    ],
    [
      'round and round',
      {
        'src/a.ts': 'import { go } from "./b"\nexport const two = 2; go(input)',
        'src/b.ts': 'import { two } from "./a"; export function go(x) {\nrun(x + two) }',
      },
    ],
  ])('are analyzed together %s', async ([, files]) => {
    const found = await runsOf(files)
    expect(found).toEqual([expect.stringMatching(/b\.[tj]s:2$/)])
  })

  test('are reported in the order of paths and lines', async () => {
    const files = ['src/b.ts', 'src/a.ts'].map((path) => ({ path, content: 'run(input)\nrun(input)' }))
    const { findings } = await scanFiles(files, TOY, [], {})
    expect(findings.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'src/a.ts:1',
      'src/a.ts:2',
      'src/b.ts:1',
      'src/b.ts:2',
    ])
  })
})
