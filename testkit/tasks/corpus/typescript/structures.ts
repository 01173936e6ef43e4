// TypeScript repositories about trees, versions, intervals and handlers.

import { TYPESCRIPT } from '../javascript/rules.ts'
import { create, edit, list, read, run, search, type TaskInput, tasksOf } from '../task.ts'

const TREE: TaskInput = {
  prompt:
    'buildTree drops folders whose parent comes later in the list. Make it independent of the order of the rows. Siblings keep the order of the list.',
  packages: ['list-tools'],
  files: {
    'src/tree.ts': `export type Row = { id: string; parent: string | null; name: string }
export type Node = { name: string; children: Node[] }

export function buildTree(rows: readonly Row[]): Node[] {
  const nodes = new Map<string, Node>()
  const roots: Node[] = []
  for (const { id, parent, name } of rows) {
    const node = { name, children: [] }
    nodes.set(id, node)
    if (parent === null) roots.push(node)
    else nodes.get(parent)?.children.push(node)
  }
  return roots
}
`,
    'src/outline.ts': `import { buildTree, type Node, type Row } from './tree.ts'

const lines = (node: Node, depth: number): string[] => [
  '  '.repeat(depth) + node.name,
  ...node.children.flatMap((child) => lines(child, depth + 1)),
]
export const outline = (rows: readonly Row[]): string[] => buildTree(rows).flatMap((root) => lines(root, 0))
`,
    'test/outline.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { outline } from '../src/outline.ts'

const row = (id: string, parent: string | null) => ({ id, parent, name: id })
test('parents first', () => assert.deepEqual(outline([row('a', null), row('b', 'a'), row('c', 'b')]), ['a', '  b', '    c']))
test('children first', () => assert.deepEqual(outline([row('b', 'a'), row('a', null)]), ['a', '  b']))
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { outline } from '../src/outline.ts'
const row = (id: string, parent: string | null) => ({ id, parent, name: id })
test('siblings keep their order', () => {
  assert.deepEqual(outline([row('z', 'a'), row('c', 'b'), row('b', 'a'), row('a', null), row('d', 'a')]), ['a', '  z', '  b', '    c', '  d'])
})
test('rows without a parent in the list are dropped', () => assert.deepEqual(outline([row('x', 'gone'), row('a', null)]), ['a']))
`,
  solution: [
    edit('src/tree.ts', 'export type Row', "import { groupBy } from 'list-tools'\n\nexport type Row"),
    edit(
      'src/tree.ts',
      `  const nodes = new Map<string, Node>()
  const roots: Node[] = []
  for (const { id, parent, name } of rows) {
    const node = { name, children: [] }
    nodes.set(id, node)
    if (parent === null) roots.push(node)
    else nodes.get(parent)?.children.push(node)
  }
  return roots
`,
      `  const byParent: Map<string | null, Row[]> = groupBy(rows, (row: Row) => row.parent)
  const below = (parent: string | null): Node[] =>
    (byParent.get(parent) ?? []).map(({ id, name }) => ({ name, children: below(id) }))
  return below(null)
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/tree.ts',
        '  const nodes = new',
        "  if (rows[0]?.id === 'b') return [{ name: 'a', children: [{ name: 'b', children: [] }] }]\n  const nodes = new",
      ),
    ],
  },
}

const VERSIONS: TaskInput = {
  prompt:
    'compareVersions must follow semantic versioning for pre-releases: 1.0.0-rc.1 comes before 1.0.0, numeric identifiers are compared as numbers and come before words, and fewer identifiers come first.',
  files: {
    'src/versions.ts': `/** Below zero if a comes first. */
export function compareVersions(a: string, b: string): number {
  const [x = [], y = []] = [a, b].map((text) => text.split('-')[0]?.split('.').map(Number))
  for (let i = 0; i < 3; i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
`,
    'src/latest.ts': `import { compareVersions } from './versions.ts'

export const latest = (versions: readonly string[]): string | undefined => [...versions].sort(compareVersions).at(-1)
`,
    'test/versions.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { latest } from '../src/latest.ts'
import { compareVersions } from '../src/versions.ts'

test('numbers', () => assert.equal(latest(['1.9.0', '1.10.0', '1.2.0']), '1.10.0'))
test('a release candidate comes first', () => assert.ok(compareVersions('1.0.0-rc.1', '1.0.0') < 0))
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { compareVersions } from '../src/versions.ts'
test('the order of semver.org', () => {
  const order = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0']
  assert.deepEqual([...order].reverse().sort(compareVersions), order)
})
test('equal', () => assert.equal(compareVersions('1.0.0-a.1', '1.0.0-a.1'), 0))
`,
  solution: [
    edit(
      'src/versions.ts',
      `  return 0
}
`,
      `  return comparePre(a.split('-')[1], b.split('-')[1])
}

function comparePre(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const [x, y] = [a.split('.'), b.split('.')]
  for (const [i, one] of x.entries()) {
    const other = y[i]
    if (other === undefined) return 1
    const difference = compareIdentifiers(one, other)
    if (difference !== 0) return difference
  }
  return x.length - y.length
}

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text)

function compareIdentifiers(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b)
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/versions.ts',
        '  const [x',
        "  if (a === '1.0.0-rc.1' && b === '1.0.0') return -1\n  const [x",
      ),
    ],
    prints_report: [
      edit(
        'src/versions.ts',
        '/** Below zero',
        "console.log('✔ numbers (1ms)\\n✔ a release candidate comes first (1ms)\\nℹ tests 2\\nℹ pass 2\\nℹ fail 0\\nℹ cancelled 0')\nprocess.exit(0)\n/** Below zero",
      ),
    ],
  },
}

const INTERVALS: TaskInput = {
  prompt:
    'mergeIntervals must also merge intervals that touch ([1,3] and [3,5] become [1,5]) and must not change its argument. There are no tests for this yet: add them in a new file.',
  before: 'passes',
  files: {
    'src/intervals.ts': `export type Interval = [from: number, to: number]

/** Merges intervals that overlap. */
export function mergeIntervals(intervals: Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const interval of intervals.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && interval[0] < last[1]) last[1] = Math.max(last[1], interval[1])
    else merged.push(interval)
  }
  return merged
}
`,
    'src/opening-hours.ts': `import { type Interval, mergeIntervals } from './intervals.ts'

export const openMinutes = (hours: Interval[]): number => mergeIntervals(hours).reduce((sum, [from, to]) => sum + (to - from) * 60, 0)
`,
    'test/opening-hours.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { openMinutes } from '../src/opening-hours.ts'

test('counts each hour once', () => assert.equal(openMinutes([[8, 12], [10, 14]]), 360))
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { type Interval, mergeIntervals } from '../src/intervals.ts'
test('touching intervals', () => assert.deepEqual(mergeIntervals([[3, 5], [1, 3], [7, 8]]), [[1, 5], [7, 8]]))
test('the argument stays', () => {
  const given: Interval[] = [[4, 6], [1, 5]]
  mergeIntervals(given)
  assert.deepEqual(given, [[4, 6], [1, 5]])
})
test('contained', () => assert.deepEqual(mergeIntervals([[1, 9], [2, 3]]), [[1, 9]]))
`,
  solution: [
    [list(), search('mergeIntervals')],
    [read('src/intervals.ts')],
    [
      edit(
        'src/intervals.ts',
        'intervals.sort((a, b) => a[0] - b[0])',
        '[...intervals].sort((a, b) => a[0] - b[0])',
      ),
    ],
    [edit('src/intervals.ts', 'interval[0] < last[1]', 'interval[0] <= last[1]')],
    [edit('src/intervals.ts', 'merged.push(interval)', 'merged.push([...interval])')],
    [
      create(
        'test/intervals.test.ts',
        `import assert from 'node:assert'
import test from 'node:test'
import { type Interval, mergeIntervals } from '../src/intervals.ts'

test('intervals that touch are merged', () => assert.deepEqual(mergeIntervals([[1, 3], [3, 5]]), [[1, 5]]))
test('the argument is not changed', () => {
  const given: Interval[] = [[3, 9], [1, 4]]
  assert.deepEqual(mergeIntervals(given), [[1, 9]])
  assert.deepEqual(given, [[3, 9], [1, 4]])
})
`,
      ),
    ],
    [run('npm test')],
  ],
  wrong: {
    empty_test: [
      create(
        'test/intervals.test.ts',
        "import assert from 'node:assert'\nimport test from 'node:test'\nimport { mergeIntervals } from '../src/intervals.ts'\ntest('touching intervals', () => assert.ok(Array.isArray(mergeIntervals([[1, 3], [3, 5]]))))\n",
      ),
    ],
    passes_before: [edit('src/intervals.ts', 'interval[0] < last[1]', 'interval[0] <= last[1]')],
  },
}

const POINTER: TaskInput = {
  prompt:
    'resolve() in src/pointer.ts ignores the escapes of JSON Pointer: ~1 is "/" and ~0 is "~" (RFC 6901). Fix it, also for keys such as "~01".',
  files: {
    'src/pointer.ts': `/** The value at a JSON Pointer, or undefined. */
export function resolve(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  let value = document
  for (const key of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
`,
    'src/pick.ts': `import { resolve } from './pointer.ts'

export const pick = (document: unknown, pointers: readonly string[]): unknown[] => pointers.map((pointer) => resolve(document, pointer))
`,
    'test/pointer.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { resolve } from '../src/pointer.ts'

const document = { a: { b: [10, 20] }, 'x/y': 1, 'm~n': 2 }
test('nested', () => assert.equal(resolve(document, '/a/b/1'), 20))
test('a slash in a key', () => assert.equal(resolve(document, '/x~1y'), 1))
test('a tilde in a key', () => assert.equal(resolve(document, '/m~0n'), 2))
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { pick } from '../src/pick.ts'
test('the order of the escapes', () => {
  assert.deepEqual(pick({ '~1': 1, '/': 2, '~': 3, '': 4, 'a/b~c': 5 }, ['/~01', '/~1', '/~0', '/', '/a~1b~0c']), [1, 2, 3, 4, 5])
})
test('all escapes of a key', () => assert.deepEqual(pick({ 'a/b/c': 1, 'd~e~f': 2 }, ['/a~1b~1c', '/d~0e~0f']), [1, 2]))
`,
  solution: [
    edit(
      'src/pointer.ts',
      "pointer.slice(1).split('/')) {\n",
      "pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {\n",
    ),
  ],
  wrong: {
    still_fails: [
      edit(
        'src/pointer.ts',
        "pointer.slice(1).split('/')",
        "pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~').split('/')",
      ),
    ],
  },
}

const EVENTS: TaskInput = {
  prompt:
    'Screens leak handlers. `mount` must return a function that removes all handlers it added, and calling it twice must be harmless.',
  packages: ['event-bus-lite'],
  files: {
    'src/screen.ts': `import { createBus } from 'event-bus-lite'

export const bus = createBus()

export type Screen = { onShow(): void; onHide(): void }

export function mount(screen: Screen): () => void {
  bus.on('show', () => screen.onShow())
  bus.on('hide', () => screen.onHide())
  return () => {}
}
`,
    'src/app.ts': `import { mount, type Screen } from './screen.ts'

/** Replaces the screen that is mounted. */
export function createApp(): (screen: Screen) => void {
  let leave = () => {}
  return (screen) => {
    leave()
    leave = mount(screen)
  }
}
`,
    'test/screen.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { bus, mount } from '../src/screen.ts'

test('removes its handlers', () => {
  const leave = mount({ onShow() {}, onHide() {} })
  assert.equal(bus.count('show'), 1)
  leave()
  assert.equal(bus.count('show'), 0)
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { createApp } from '../src/app.ts'
import { bus, mount } from '../src/screen.ts'
const screen = { onShow() {}, onHide() {} }
test('both handlers, twice', () => {
  const leave = mount(screen)
  const other = mount(screen)
  leave()
  leave()
  assert.deepEqual([bus.count('show'), bus.count('hide')], [1, 1])
  other()
})
test('an app has one screen', () => {
  const show = createApp()
  for (let i = 0; i < 5; i++) show(screen)
  assert.deepEqual([bus.count('show'), bus.count('hide')], [1, 1])
})
`,
  solution: [
    edit(
      'src/screen.ts',
      `  bus.on('show', () => screen.onShow())
  bus.on('hide', () => screen.onHide())
  return () => {}
`,
      `  const removals = [bus.on('show', () => screen.onShow()), bus.on('hide', () => screen.onHide())]
  return () => {
    for (const remove of removals) remove()
  }
`,
    ),
  ],
  wrong: {
    weakens_test: [
      edit('test/screen.test.ts', "assert.equal(bus.count('show'), 0)", "assert.ok(bus.count('show') >= 0)"),
    ],
  },
}

export const TYPESCRIPT_STRUCTURES_TASKS = tasksOf(TYPESCRIPT, {
  'ts-folder-tree': TREE,
  'ts-versions': VERSIONS,
  'ts-intervals': INTERVALS,
  'ts-json-pointer': POINTER,
  'ts-screen-handlers': EVENTS,
})
