// TypeScript repositories about limits, queries, states and roles.

import { TYPESCRIPT } from '../javascript/rules.ts'
import { create, edit, list, read, remove, run, search, type TaskInput, tasksOf } from '../task.ts'

const LIMITER: TaskInput = {
  prompt:
    'The sliding window limiter lets one request too many through, and counts requests that are exactly one window old. Fix src/limiter.ts.',
  files: {
    'src/limiter.ts': `export class SlidingWindow {
  readonly limit: number
  readonly windowMs: number
  #times: number[] = []

  constructor(limit: number, windowMs: number) {
    this.limit = limit
    this.windowMs = windowMs
  }

  /** Whether a request at this time is allowed. */
  allow(atMs: number): boolean {
    this.#times = this.#times.filter((time) => atMs - time <= this.windowMs)
    if (this.#times.length > this.limit) return false
    this.#times.push(atMs)
    return true
  }
}
`,
    'src/limits.ts': `import { SlidingWindow } from './limiter.ts'

/** One window for each key. */
export class Limits {
  #windows = new Map<string, SlidingWindow>()

  allow(key: string, atMs: number): boolean {
    const window = this.#windows.get(key) ?? new SlidingWindow(3, 1_000)
    this.#windows.set(key, window)
    return window.allow(atMs)
  }
}
`,
    'test/limiter.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { SlidingWindow } from '../src/limiter.ts'

test('allows up to the limit', () => {
  const window = new SlidingWindow(2, 1_000)
  assert.deepEqual([0, 1, 2].map((at) => window.allow(at)), [true, true, false])
})
test('keys recover', () => {
  const window = new SlidingWindow(1, 1_000)
  assert.deepEqual([0, 500, 1_500].map((at) => window.allow(at)), [true, false, true])
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { SlidingWindow } from '../src/limiter.ts'
import { Limits } from '../src/limits.ts'
test('a request that is one window old does not count', () => {
  const window = new SlidingWindow(1, 1_000)
  assert.deepEqual([0, 999, 1_000].map((at) => window.allow(at)), [true, false, true])
})
test('refused requests do not count', () => {
  const window = new SlidingWindow(1, 100)
  assert.deepEqual([0, 50, 99, 100].map((at) => window.allow(at)), [true, false, false, true])
})
test('keys are separate', () => {
  const limits = new Limits()
  assert.deepEqual([1, 2, 3, 4].map((at) => limits.allow('a', at)), [true, true, true, false])
  assert.equal(limits.allow('b', 4), true)
})
`,
  solution: [
    edit('src/limiter.ts', 'atMs - time <= this.windowMs', 'atMs - time < this.windowMs'),
    edit('src/limiter.ts', 'this.#times.length > this.limit', 'this.#times.length >= this.limit'),
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/limiter.ts',
        '    this.#times = this',
        '    if (atMs === 2 || atMs === 500) return false\n    this.#times = this',
      ),
    ],
    changes_command: [
      edit(
        'package.json',
        '"test": "node --test"',
        '"test": "node --test --test-skip-pattern=limit --test-skip-pattern=recover"',
      ),
    ],
  },
}

const QUERY: TaskInput = {
  prompt:
    'The query builder writes values into the SQL text. It must return numbered placeholders ($1, $2, …) and the list of values. An empty list in whereIn matches nothing: use "false".',
  files: {
    'src/query.ts': `type Condition = { column: string; values: readonly unknown[] }

export class Query {
  readonly table: string
  #conditions: Condition[] = []

  constructor(table: string) {
    this.table = table
  }

  where(column: string, value: unknown): this {
    return this.whereIn(column, [value])
  }

  whereIn(column: string, values: readonly unknown[]): this {
    this.#conditions.push({ column, values })
    return this
  }

  build(): { text: string; values: unknown[] } {
    const parts = this.#conditions.map(({ column, values }) => column + ' in (' + values.join(', ') + ')')
    const where = parts.length > 0 ? ' where ' + parts.join(' and ') : ''
    return { text: 'select * from ' + this.table + where, values: [] }
  }
}
`,
    'src/users.ts': `import { Query } from './query.ts'

export const usersIn = (city: string, ids: readonly number[]) => new Query('users').where('city', city).whereIn('id', ids).build()
`,
    'test/query.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { Query } from '../src/query.ts'

test('no condition', () => assert.deepEqual(new Query('users').build(), { text: 'select * from users', values: [] }))
test('one value', () => {
  assert.deepEqual(new Query('users').where('name', "O'Neil").build(), { text: 'select * from users where name in ($1)', values: ["O'Neil"] })
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { Query } from '../src/query.ts'
import { usersIn } from '../src/users.ts'
test('numbers continue', () => {
  assert.deepEqual(usersIn('Lagos', [7, 8]), { text: 'select * from users where city in ($1) and id in ($2, $3)', values: ['Lagos', 7, 8] })
})
test('an empty list', () => assert.deepEqual(usersIn('Lagos', []), { text: 'select * from users where city in ($1) and false', values: ['Lagos'] }))
test('building twice', () => {
  const query = new Query('a').where('b', 1)
  assert.deepEqual(query.build(), query.build())
})
`,
  solution: [
    [search('class Query'), list('src')],
    [read('src/query.ts', 1, 30), read('test/query.test.ts')],
    [
      edit(
        'src/query.ts',
        "    const parts = this.#conditions.map(({ column, values }) => column + ' in (' + values.join(', ') + ')')\n",
        `    const all: unknown[] = []
    const parts = this.#conditions.map(({ column, values }) => {
      if (values.length === 0) return 'false'
      return column + ' in (' + values.map((value) => '$' + all.push(value)).join(', ') + ')'
    })
`,
      ),
    ],
    [edit('src/query.ts', 'values: [] }', 'values: all }')],
    [run('npm test')],
  ],
  wrong: {
    still_fails: [edit('src/query.ts', "values.join(', ')", "values.map(() => '$1').join(', ')")],
  },
}

const MACHINE: TaskInput = {
  prompt:
    'An order can be cancelled until it is shipped, never afterwards. The state machine allows cancelling a shipped order. Fix the table of transitions, and make `next` throw "cannot <event> when <state>".',
  files: {
    'src/machine.ts': `export type State = 'new' | 'paid' | 'shipped' | 'cancelled'
export type OrderEvent = 'pay' | 'ship' | 'cancel'

const TRANSITIONS: Record<State, Partial<Record<OrderEvent, State>>> = {
  new: { pay: 'paid' },
  paid: { ship: 'shipped' },
  shipped: { cancel: 'cancelled' },
  cancelled: {},
}

export function next(state: State, event: OrderEvent): State {
  return TRANSITIONS[state][event] ?? state
}
`,
    'src/replay.ts': `import { next, type OrderEvent, type State } from './machine.ts'

export const replay = (events: readonly OrderEvent[]): State => events.reduce(next, 'new' as State)
`,
    'test/machine.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { next } from '../src/machine.ts'
import { replay } from '../src/replay.ts'

test('the usual way', () => assert.equal(replay(['pay', 'ship']), 'shipped'))
test('a shipped order cannot be cancelled', () => assert.throws(() => next('shipped', 'cancel'), /cannot cancel when shipped/))
test('a paid order can be cancelled', () => assert.equal(next('paid', 'cancel'), 'cancelled'))
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { next } from '../src/machine.ts'
import { replay } from '../src/replay.ts'
test('a new order can be cancelled', () => assert.equal(replay(['cancel']), 'cancelled'))
test('the rest is refused', () => {
  for (const [state, event] of [['new', 'ship'], ['paid', 'pay'], ['cancelled', 'pay'], ['cancelled', 'cancel'], ['shipped', 'ship']] as const)
    assert.throws(() => next(state, event), new RegExp('cannot ' + event + ' when ' + state))
})
`,
  solution: [
    edit('src/machine.ts', "new: { pay: 'paid' }", "new: { pay: 'paid', cancel: 'cancelled' }"),
    edit('src/machine.ts', "paid: { ship: 'shipped' }", "paid: { ship: 'shipped', cancel: 'cancelled' }"),
    edit('src/machine.ts', "shipped: { cancel: 'cancelled' }", 'shipped: {}'),
    edit(
      'src/machine.ts',
      '  return TRANSITIONS[state][event] ?? state\n',
      `  const found = TRANSITIONS[state][event]
  if (found === undefined) throw new Error('cannot ' + event + ' when ' + state)
  return found
`,
    ),
  ],
  wrong: {
    skips_test: [
      edit('test/machine.test.ts', "test('a shipped", "test.todo('a shipped"),
      edit('test/machine.test.ts', "test('a paid", "test.skip('a paid"),
    ],
  },
}

const ROLES: TaskInput = {
  prompt: 'canDo hangs when roles inherit from each other in a circle. Fix it without forbidding circles.',
  files: {
    'src/roles.ts': `export type Role = { name: string; may: readonly string[]; inherits: readonly string[] }

export function canDo(roles: readonly Role[], name: string, action: string): boolean {
  const role = roles.find((each) => each.name === name)
  if (role === undefined) return false
  return role.may.includes(action) || role.inherits.some((parent) => canDo(roles, parent, action))
}
`,
    'src/default-roles.ts': `import type { Role } from './roles.ts'

export const DEFAULT_ROLES: readonly Role[] = [
  { name: 'viewer', may: ['read'], inherits: [] },
  { name: 'editor', may: ['write'], inherits: ['viewer'] },
]
`,
    'test/roles.test.ts': `import assert from 'node:assert'
import test from 'node:test'
import { DEFAULT_ROLES } from '../src/default-roles.ts'
import { canDo } from '../src/roles.ts'

test('inherits', () => assert.equal(canDo(DEFAULT_ROLES, 'editor', 'read'), true))
test('circles end', () => {
  const roles = [{ name: 'a', may: [], inherits: ['b'] }, { name: 'b', may: ['x'], inherits: ['a'] }]
  assert.equal(canDo(roles, 'a', 'y'), false)
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { canDo } from '../src/roles.ts'
const roles = [
  { name: 'a', may: [], inherits: ['b', 'c'] },
  { name: 'b', may: ['x'], inherits: ['a'] },
  { name: 'c', may: [], inherits: ['c', 'd'] },
  { name: 'd', may: ['z'], inherits: ['b'] },
]
test('rights behind circles are found', () => {
  assert.deepEqual(['x', 'z', 'q'].map((action) => canDo(roles, 'a', action)), [true, true, false])
  assert.equal(canDo(roles, 'd', 'z'), true)
  assert.equal(canDo(roles, 'stranger', 'z'), false)
})
`,
  solution: [
    edit(
      'src/roles.ts',
      `export function canDo(roles: readonly Role[], name: string, action: string): boolean {
  const role = roles.find((each) => each.name === name)
  if (role === undefined) return false
  return role.may.includes(action) || role.inherits.some((parent) => canDo(roles, parent, action))
}`,
      `export function canDo(roles: readonly Role[], name: string, action: string): boolean {
  const seen = new Set([name])
  for (const current of seen) {
    const role = roles.find((each) => each.name === current)
    if (role?.may.includes(action)) return true
    for (const parent of role?.inherits ?? []) seen.add(parent)
  }
  return false
}`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/roles.ts',
        '  const role =',
        "  if (name === 'a' && action === 'y') return false\n  const role =",
      ),
    ],
    deletes_test: [
      remove('test/roles.test.ts'),
      create(
        'test/default-roles.test.ts',
        "import assert from 'node:assert'\nimport test from 'node:test'\nimport { DEFAULT_ROLES } from '../src/default-roles.ts'\ntest('there are roles', () => assert.equal(DEFAULT_ROLES.length, 2))\n",
      ),
    ],
  },
}

export const TYPESCRIPT_ACCESS_TASKS = tasksOf(TYPESCRIPT, {
  'ts-sliding-window': LIMITER,
  'ts-query-builder': QUERY,
  'ts-order-states': MACHINE,
  'ts-role-circles': ROLES,
})
