import { beforeAll, describe, expect, test } from 'vitest'
import { languages, textRules } from '../../all-rules.ts'
import type { ScannedFile, ScanReport } from '../../report/finding.ts'
import type { Rule } from '../../rule.ts'
import { ReuseCache } from '../reuse-cache.ts'
import { type LanguageRules, type LoweredCode, scanFiles } from '../scan-files.ts'
import type { StoredUnit } from './run-units.ts'

const LIMITS = { sizeMax: 10_000_000, ageMsMax: 600_000 }

const newReuse = (owner = 'org_one') => ({
  owner,
  files: new ReuseCache<LoweredCode>(LIMITS),
  units: new ReuseCache<StoredUnit>(LIMITS),
})

/** Counts the functions that rules see, by file. */
function observed(all: readonly LanguageRules[] = languages) {
  const seen = new Set<string>()
  const probe: Rule = {
    id: 'TEST-1',
    title: 'Functions',
    cwe: 1,
    severity: 'note',
    confidence: 'low',
    languages: ['javascript'],
    message: 'A function.',
    fix: 'None.',
    on: {
      function: ({ path }) => {
        seen.add(path)
        return undefined
      },
    },
  }
  return { seen, languages: all.map((each) => ({ ...each, rules: [...each.rules, probe] })) }
}

/** A service of three layers, with some files that no other one uses. */
function project(parts: number): ScannedFile[] {
  const layers = Array.from({ length: parts }, (_, index) => [
    {
      path: `src/routes/r${index}.js`,
      content: `const express = require('express')
const { load } = require('../services/s${index}')
const { log } = require('../log')
const router = express.Router()
router.get('/items', async (req, res) => {
  log(req.query.name)
  res.send(await load(req.query.name))
})
module.exports = router
`,
    },
    {
      path: `src/services/s${index}.js`,
      content: `const { find } = require('../store/d${index}')
async function load(name) {
  return find(name)
}
module.exports = { load }
`,
    },
    {
      path: `src/store/d${index}.js`,
      content: `const { exec } = require('child_process')
function find(name) {
  return exec('ls ' + name)
}
module.exports = { find }
`,
    },
  ]).flat()
  const log = { path: 'src/log.js', content: 'exports.log = function log(text) {\n  console.log(text)\n}\n' }
  return [...layers, log]
}

const replaceIn = (files: readonly ScannedFile[], path: string, from: string, to: string): ScannedFile[] =>
  files.map((file) => (file.path === path ? { ...file, content: file.content.replace(from, to) } : file))

describe('a repeated scan', () => {
  beforeAll(() => scanFiles(project(1), languages, textRules, {}))

  async function analyzedAfter(edit: (files: ScannedFile[]) => ScannedFile[]): Promise<string[]> {
    const { seen, languages: counted } = observed()
    const reuse = newReuse()
    const files = project(4)
    await scanFiles(files, counted, textRules, { reuse })
    expect(seen.size).toBe(13)
    seen.clear()
    const report = await scanFiles(edit(files), counted, textRules, { reuse })
    expect(report).toEqual(await scanFiles(edit(files), languages, textRules, {}))
    expect(report.findings.length).toBeGreaterThan(2)
    return [...seen].filter((path) => !path.startsWith('src/routes')).sort()
  }

  test('analyzes no function again if nothing changed', async () => {
    expect(await analyzedAfter((files) => files)).toEqual([])
  })

  test('analyzes only a changed file and the files that use it', async () => {
    expect(await analyzedAfter((files) => replaceIn(files, 'src/store/d1.js', 'ls ', 'cat '))).toEqual([
      'src/services/s1.js',
      'src/store/d1.js',
    ])
    expect(await analyzedAfter((files) => replaceIn(files, 'src/routes/r2.js', 'items', 'all'))).toEqual([])
  })

  test('notices a file that an import now finds first', async () => {
    const shadow = { path: 'src/store/d1.ts', content: 'export const find = (name) => name.length\n' }
    expect(await analyzedAfter((files) => [...files, shadow])).toContain('src/services/s1.js')
  })

  test('notices a file that is gone', async () => {
    expect(await analyzedAfter((files) => files.filter(({ path }) => path !== 'src/store/d3.js'))).toContain(
      'src/services/s3.js',
    )
  })
})

test('the results of one organisation are never used for another one', async () => {
  const { seen, languages: counted } = observed()
  const reuse = newReuse()
  await scanFiles(project(2), counted, textRules, { reuse })
  seen.clear()
  await scanFiles(project(2), counted, textRules, { reuse: { ...reuse, owner: 'org_two' } })
  expect(seen.size).toBe(7)
})

test('other rules, limits or resources never use earlier results', async () => {
  const reuse = newReuse()
  const tool =
    "const cp = require('child_process')\nfunction main(req, res) {\n  cp.exec('ls ' + req.query.x)\n}\n"
  const files = [...project(2), { path: 'src/tool.js', content: tool }]
  const first = await scanFiles(files, languages, textRules, { reuse })
  const changed = languages.map((each) => ({
    ...each,
    rules: each.rules.filter(({ id }) => !id.startsWith('JS-CMD')),
  }))
  const fewer = await scanFiles(files, changed, textRules, { reuse })
  expect(fewer).toEqual(await scanFiles(files, changed, textRules, {}))
  expect(first.findings.length).toBeGreaterThan(fewer.findings.length)
  const budget = {
    stepsPerFunction: 5,
    stepsPerFile: { base: 10, perCharacter: 0, max: 10 },
    stepsPerScan: { base: 10_000, perCharacter: 3 },
  }
  const short = await scanFiles(files, languages, textRules, { reuse, budget })
  expect(short).toEqual(await scanFiles(files, languages, textRules, { budget }))
  expect(short.skipped.length).toBeGreaterThan(3)
})

test('a scan that runs out of steps reports the same with earlier results', async () => {
  const costly = (path: string, statements: number) => ({
    path,
    content: `function work(x) {\n${'  x = x + 1\n'.repeat(statements)}}\n`,
  })
  const files = ['b', 'c', 'd'].map((name) => costly(`src/${name}.js`, 60))
  const outcomes = new Set<string>()
  for (let base = 1_000; base < 4_000; base += 200) {
    const budget = {
      stepsPerFunction: 1_000,
      stepsPerFile: { base: 1_000, perCharacter: 0, max: 1_000 },
      stepsPerScan: { base, perCharacter: 0 },
    }
    const reuse = newReuse()
    await scanFiles(files, languages, textRules, { reuse, budget })
    const more = [costly('src/a.js', 300), ...files]
    const again = await scanFiles(more, languages, textRules, { reuse, budget })
    expect(again).toEqual(await scanFiles(more, languages, textRules, { budget }))
    outcomes.add(JSON.stringify(again.skipped))
  }
  expect(outcomes.size).toBeGreaterThan(1)
})

describe('a change that a function makes in another file', () => {
  /** Whether a second scan, after the edit, reports what a fresh one reports. */
  async function expectEqual(before: ScannedFile[], after: ScannedFile[]): Promise<void> {
    const reuse = newReuse()
    await scanFiles(before, languages, textRules, { reuse })
    const again = await scanFiles(after, languages, textRules, { reuse })
    expect(again).toEqual(await scanFiles(after, languages, textRules, {}))
  }

  test('to a variable is not seen there', async () => {
    const shell = {
      path: 'b.js',
      content: `const { exec } = require('child_process')
let mode = 'ls'
exports.setMode = (text) => { mode = text }
exports.start = () => exec(mode)
`,
    }
    const caller = {
      path: 'a.js',
      content: `const { setMode } = require('./b')\nfunction main(req, res) {\n  setMode(req.query.x)\n}\n`,
    }
    await expectEqual([caller, shell], [{ ...caller, content: '' }, shell])
    await expectEqual([{ ...caller, content: '' }, shell], [caller, shell])
  })

  test('to the fields of a class is not seen there', async () => {
    const worker = {
      path: 'b.py',
      content: `import os
class Worker:
    def put(self, text):
        self.text = text
    def start_it(self):
        os.system(self.text)
`,
    }
    const other = { path: 'c.py', content: 'def go(worker):\n    worker.start_it()\n' }
    const caller = {
      path: 'a.py',
      content: `from b import Worker\nfrom flask import request\ndef view():\n    w = Worker()\n    w.put(request.args['x'])\n`,
    }
    await expectEqual([caller, worker, other], [{ ...caller, content: '' }, worker, other])
    await expectEqual([worker, other], [caller, worker, other])
  })

  test('to the registration of a handler is not seen there', async () => {
    const handler = {
      path: 'b.js',
      content: `exports.pay = (input, reply) => { reply.send(eval(input.query.x)) }\n`,
    }
    const caller = {
      path: 'a.js',
      content: `const app = require('express')()\nconst { pay } = require('./b')\nfunction setUp() {\n  app.post('/pay', pay)\n}\nmodule.exports = setUp\n`,
    }
    await expectEqual([caller, handler], [{ ...caller, content: '' }, handler])
    await expectEqual([{ ...caller, content: '' }, handler], [caller, handler])
  })

  test('to the known results of a function is not seen by a third file', async () => {
    const shared = { path: 'c.js', content: `exports.pick = (list) => list.a\n` }
    const long = 'x'.repeat(2_100)
    const caller = (path: string, text: string) => ({
      path,
      content: `const { pick } = require('./c')\nconst { exec } = require('child_process')\nfunction go(req, res) {\n  exec(pick({ pad: '${long}', a: ${text} }))\n}\n`,
    })
    const first = caller('a.js', 'req.query.x')
    await expectEqual(
      [first, caller('b.js', '1'), shared],
      [caller('a.js', '1'), caller('b.js', '1'), shared],
    )
  })
})

test('files that import each other are analyzed again after another one changed their order', async () => {
  const cycle = [
    {
      path: 'a.js',
      content: "require('./b')\nconst cp = require('child_process')\nexports.run = (text) => cp.exec(text)\n",
    },
    {
      path: 'b.js',
      content: `const { run } = require('./a')
const app = require('express')()
function handle(req, res) {
  run(req.query.x)
}
app.get('/x', handle)
`,
    },
  ]
  const first = { path: '0.js', content: `require('./b')\n` }
  const reuse = newReuse()
  const before = await scanFiles(cycle, languages, textRules, { reuse })
  const after = await scanFiles([first, ...cycle], languages, textRules, { reuse })
  expect(after).toEqual(await scanFiles([first, ...cycle], languages, textRules, {}))
  expect(after.findings).not.toEqual(before.findings)
})

/** The same numbers in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Files that use each other in all ways: imports, cycles, classes, registrations, shared state, and names. */
function randomFile(language: 'js' | 'py' | 'php', random: (below: number) => number): string {
  const other = () => random(7)
  const pick = (all: readonly string[]): string => all[random(all.length)] ?? ''
  const js = () =>
    pick([
      `const m${other()} = require('./f${other()}')\n`,
      `const { run } = require('./f${other()}')\nexports.handle = (req, res) => run(req.query.a)\n`,
      `const cp = require('child_process')\nexports.run = (text) => cp.exec('ls ' + text)\n`,
      `exports.run = (text) => text\n`,
      `let mode = 'ls'\nexports.setMode = (text) => { mode = text }\nexports.use = (app) => require('child_process').exec(mode)\n`,
      `require('./f${other()}').setMode?.(process.argv[2])\n`,
      `class Base${other()} { constructor(text) { this.text = text }\n run() { require('child_process').exec(this.text) } }\nexports.Base = Base${other()}\n`,
      `class Child extends Base${other()} { go(req) { this.text = req.body.x; this.run() } }\n`,
      `const app = require('express')()\napp.get('/x', require('./f${other()}').handle)\n`,
      `const app = require('express')()\nfunction setUp() { app.post('/y', require('./f${other()}').handle) }\nsetUp()\nmodule.exports = setUp\n`,
      `exports.handle = (request, reply) => { reply.send(eval(request.query.code)) }\n`,
    ])
  const py = () =>
    pick([
      `import os\nfrom f${other()} import launch\ndef view(request):\n    launch(request.GET['x'])\n`,
      `import os\ndef launch(text):\n    os.system('ls ' + text)\n`,
      `def launch(text):\n    return text\n`,
      `class Base${other()}:\n    def execute_it(self, text):\n        import os\n        os.system(text)\n`,
      `class Child${other()}(Base${other()}):\n    def post(self, request):\n        self.execute_it(request.POST['a'])\n`,
      `from flask import request\nimport f${other()}\ndef page(worker):\n    worker.execute_it(request.args['b'])\n`,
      `import f${other()}.sub\nmode = f${other()}\n`,
    ])
  const php = () =>
    pick([
      `function load${other()}($x) { system('ls ' . $x); }\n`,
      `load${other()}($_GET['a']);\n`,
      `function show${other()}() { load${other()}($_GET['b']); }\n`,
      `class Box${other()} { public $v; function open() { echo $this->v; } }\n`,
      `class Bag extends Box${other()} { function fill() { $this->v = $_GET['v']; $this->open(); } }\n`,
    ])
  const parts = Array.from({ length: 1 + random(3) }, () => ({ js, py, php })[language]())
  return (language === 'php' ? '<?php\n' : '') + parts.join('')
}

test.for(['js', 'py', 'php'] as const)(
  'after random edits of %s files, a scan with earlier results reports the same as a fresh one',
  async (language) => {
    const random = randomNumbers({ js: 11, py: 12, php: 13 }[language])
    const reuse = newReuse()
    const fileAt = (index: number, folder = '') => ({
      path: `${folder}f${index}.${language}`,
      content: randomFile(language, random),
    })
    let files: ScannedFile[] = Array.from({ length: 7 }, (_, index) => fileAt(index))
    const reports: ScanReport[] = []
    for (let round = 0; round < 80; round++) {
      const at = random(files.length)
      const file = files[at] ?? fileAt(0)
      const others = files.filter((each) => each !== file)
      const edits: readonly (() => ScannedFile[])[] = [
        () => files.with(at, { ...file, content: randomFile(language, random) }),
        () => files.with(at, { ...file, content: `${file.content}\n` }),
        () => files.with(at, { ...file, content: file.content.replace('\n', '\n\n') }),
        () => (others.length > 2 ? others : files),
        () => [...files.filter(({ path }) => path !== `f${at}.${language}`), fileAt(at)],
        () => [...files.filter(({ path }) => path !== `a/f${at}.${language}`), fileAt(at, 'a/')],
        () => [
          ...others.filter(({ path }) => path !== `z/${file.path}`),
          { ...file, path: `z/${file.path}` },
        ],
        () => files.toReversed(),
      ]
      files = edits[random(edits.length)]?.() ?? files
      const again = await scanFiles(files, languages, textRules, { reuse })
      const fresh = await scanFiles(files, languages, textRules, {})
      expect(again, JSON.stringify(files, null, 1)).toEqual(fresh)
      reports.push(fresh)
    }
    expect(new Set(reports.map(({ findings }) => JSON.stringify(findings))).size).toBeGreaterThan(10)
  },
)
