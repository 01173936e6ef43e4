// JavaScript repositories about events and settings.
import { create, edit, list, read, remove, run, type TaskInput, tasksOf } from '../task.ts'
import { JAVASCRIPT } from './rules.ts'

const EVENTS: TaskInput = {
  prompt:
    'Subscribers of orders need a way to hear an event only once. Add `once(name, handler)` to src/order-events.js; it returns a function that cancels. The handler must not be called again even if it emits the same event itself.',
  packages: ['event-bus-lite'],
  files: {
    'src/order-events.js': `import { createBus } from 'event-bus-lite'

export function createOrderEvents() {
  const bus = createBus()
  return {
    on: bus.on,
    emit: bus.emit,
    count: bus.count,
  }
}
`,
    'src/orders.js': `import { createOrderEvents } from './order-events.js'

export const events = createOrderEvents()
export const placeOrder = (order) => events.emit('placed', order)
`,
    'test/order-events.test.js': `import assert from 'node:assert'
import test from 'node:test'
import { createOrderEvents } from '../src/order-events.js'

test('hears every event', () => {
  const events = createOrderEvents()
  const heard = []
  events.on('placed', (order) => heard.push(order))
  events.emit('placed', 1)
  events.emit('placed', 2)
  assert.deepEqual(heard, [1, 2])
})
test('hears one event', () => {
  const events = createOrderEvents()
  const heard = []
  events.once('placed', (order) => heard.push(order))
  events.emit('placed', 1)
  events.emit('placed', 2)
  assert.deepEqual(heard, [1])
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { createOrderEvents } from '../src/order-events.js'
test('a handler that emits is called once', () => {
  const events = createOrderEvents()
  let count = 0
  events.once('placed', () => { if (++count < 5) events.emit('placed') })
  events.emit('placed')
  assert.equal(count, 1)
  assert.equal(events.count('placed'), 0)
})
test('can be cancelled', () => {
  const events = createOrderEvents()
  const cancel = events.once('placed', () => assert.fail())
  cancel()
  events.emit('placed')
})
`,
  solution: [
    edit(
      'src/order-events.js',
      '    on: bus.on,\n',
      `    on: bus.on,
    once(name, handler) {
      const cancel = bus.on(name, (value) => {
        cancel()
        handler(value)
      })
      return cancel
    },
`,
    ),
  ],
  wrong: {
    deletes_test: [
      remove('test/order-events.test.js'),
      create(
        'test/smoke.test.js',
        "import test from 'node:test'\ntest('loads', () => import('../src/orders.js'))\n",
      ),
    ],
    still_fails: [edit('src/order-events.js', '    on: bus.on,\n', '    on: bus.on,\n    once: bus.on,\n')],
  },
}

const MERGE: TaskInput = {
  prompt:
    'mergeSettings must not let a settings file change Object.prototype: keys named __proto__, constructor and prototype have to be ignored at every level. Add a test for it in a new file.',
  before: 'passes',
  files: {
    'src/settings.js': `const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Later settings win. Objects are merged, everything else is replaced. */
export function mergeSettings(base, ...others) {
  const merged = structuredClone(base)
  for (const other of others) mergeInto(merged, other)
  return merged
}

function mergeInto(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (isObject(value) && isObject(target[key])) mergeInto(target[key], value)
    else target[key] = value
  }
}
`,
    'src/load.js': `import { readFileSync } from 'node:fs'
import { mergeSettings } from './settings.js'

export const loadSettings = (defaults, ...files) =>
  mergeSettings(defaults, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))))
`,
    'test/settings.test.js': `import assert from 'node:assert'
import test from 'node:test'
import { mergeSettings } from '../src/settings.js'

test('merges objects', () => {
  assert.deepEqual(mergeSettings({ log: { level: 'info', file: 'a' } }, { log: { level: 'warn' } }), { log: { level: 'warn', file: 'a' } })
})
test('replaces lists', () => assert.deepEqual(mergeSettings({ hosts: [1, 2] }, { hosts: [3] }), { hosts: [3] }))
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { mergeSettings } from '../src/settings.js'
test('the prototype is safe', () => {
  mergeSettings({}, JSON.parse('{"__proto__":{"bad":1}}'))
  mergeSettings({ a: {} }, JSON.parse('{"a":{"constructor":{"prototype":{"bad":1}}}}'))
  assert.equal({}.bad, undefined)
  assert.equal(Object.keys(mergeSettings({}, JSON.parse('{"a":{"__proto__":{"x":1},"y":2}}')).a).join(), 'y')
})
test('other keys are merged', () => assert.deepEqual(mergeSettings({ a: 1 }, { b: { c: 2 } }), { a: 1, b: { c: 2 } }))
`,
  solution: [
    [list(), read('src/settings.js'), read('test/settings.test.js')],
    [
      edit(
        'src/settings.js',
        `function mergeInto(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (isObject(value) && isObject(target[key])) mergeInto(target[key], value)
    else target[key] = value
  }
}`,
        `const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

function mergeInto(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (UNSAFE.has(key)) continue
    if (!isObject(value)) target[key] = value
    else {
      if (!isObject(target[key])) target[key] = {}
      mergeInto(target[key], value)
    }
  }
}`,
      ),
    ],
    [
      create(
        'test/settings-safety.test.js',
        `import assert from 'node:assert'
import test from 'node:test'
import { mergeSettings } from '../src/settings.js'

test('a settings file cannot change the prototype of all objects', () => {
  const merged = mergeSettings({ log: {} }, JSON.parse('{"log":{"__proto__":{"level":"x"}}}'))
  assert.deepEqual(Object.keys(merged.log), [])
  assert.equal(merged.log.level, undefined)
  assert.equal({}.level, undefined)
})
`,
      ),
    ],
    [run('npm test')],
  ],
  wrong: {
    empty_test: [
      edit('src/settings.js', '/** Later settings win.', '/** Safe. Later settings win.'),
      create(
        'test/settings-safety.test.js',
        "import test from 'node:test'\ntest('the prototype is safe', () => {})\n",
      ),
    ],
    passes_before: [
      edit(
        'src/settings.js',
        'Object.entries(source)) {',
        "Object.entries(source)) {\n    if (key === 'prototype') continue",
      ),
    ],
  },
}

export const JAVASCRIPT_EVENTS_TASKS = tasksOf(JAVASCRIPT, {
  'js-order-events': EVENTS,
  'js-settings-prototype': MERGE,
})
