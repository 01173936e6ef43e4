// JavaScript repositories of services: caches, retries and routes.
import { edit, remove, type TaskInput, tasksOf } from '../task.ts'
import { JAVASCRIPT } from './rules.ts'

const LRU: TaskInput = {
  prompt:
    'The LRU cache drops entries that were read recently. Reading an entry must make it the most recently used one.',
  files: {
    'src/lru.js': `export class LruCache {
  #entries = new Map()

  constructor(limit) {
    this.limit = limit
  }

  get(key) {
    return this.#entries.get(key)
  }

  set(key, value) {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.limit) this.#entries.delete(this.#entries.keys().next().value)
  }

  get size() {
    return this.#entries.size
  }
}
`,
    'src/memoize.js': `import { LruCache } from './lru.js'

export function memoize(work, limit = 100) {
  const cache = new LruCache(limit)
  return (key) => {
    const known = cache.get(key)
    if (known !== undefined) return known
    const value = work(key)
    cache.set(key, value)
    return value
  }
}
`,
    'test/lru.test.js': `import assert from 'node:assert'
import test from 'node:test'
import { LruCache } from '../src/lru.js'

test('forgets the oldest entry', () => {
  const cache = new LruCache(2)
  for (const key of ['a', 'b', 'c']) cache.set(key, key)
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.size, 2)
})
test('an entry that was read stays', () => {
  const cache = new LruCache(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.equal(cache.get('a'), 1)
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { LruCache } from '../src/lru.js'
import { memoize } from '../src/memoize.js'
test('a missing key is not stored by reading it', () => {
  const cache = new LruCache(2)
  cache.get('x')
  assert.equal(cache.size, 0)
})
test('falsy values are refreshed too', () => {
  const cache = new LruCache(2)
  cache.set('zero', 0)
  cache.set('b', 2)
  assert.equal(cache.get('zero'), 0)
  cache.set('c', 3)
  assert.equal(cache.get('zero'), 0)
  assert.equal(cache.get('b'), undefined)
})
test('memoize computes a hot key once', () => {
  let count = 0
  const square = memoize((n) => { count++; return n * n }, 2)
  for (const n of [1, 2, 1, 3, 1]) square(n)
  assert.equal(count, 3)
})
`,
  solution: [
    edit(
      'src/lru.js',
      '    return this.#entries.get(key)\n',
      `    if (!this.#entries.has(key)) return undefined
    const value = this.#entries.get(key)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
`,
    ),
  ],
  wrong: {
    ends_process: [
      edit('src/lru.js', 'export class LruCache {', 'process.exit(0)\n\nexport class LruCache {'),
    ],
    deletes_test: [remove('test/lru.test.js')],
  },
}

const RETRY: TaskInput = {
  prompt:
    'retry(work, { attempts, pause }) gives up one attempt too early and also pauses after the last failure. `attempts` is the total number of calls; between two calls it awaits pause(n) with n = 1, 2, … Fix it.',
  files: {
    'src/retry.js': `export async function retry(work, { attempts, pause }) {
  let failure
  for (let n = 1; n < attempts; n++) {
    try {
      return await work(n)
    } catch (error) {
      failure = error
      await pause(n)
    }
  }
  throw failure
}
`,
    'src/backoff.js': `export const doubling = (first, longest) => (n) => Math.min(longest, first * 2 ** (n - 1))
`,
    'test/retry.test.js': `import assert from 'node:assert'
import test from 'node:test'
import { doubling } from '../src/backoff.js'
import { retry } from '../src/retry.js'

test('pauses double', () => assert.deepEqual([1, 2, 3, 9].map(doubling(100, 1000)), [100, 200, 400, 1000]))
test('the third attempt may succeed', async () => {
  const pauses = []
  const work = async (n) => { if (n < 3) throw new Error('busy'); return n }
  assert.equal(await retry(work, { attempts: 3, pause: async (n) => { pauses.push(n) } }), 3)
  assert.deepEqual(pauses, [1, 2])
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { retry } from '../src/retry.js'
test('the last failure is thrown without a pause', async () => {
  const pauses = []
  let calls = 0
  const work = async () => { calls++; throw new Error('busy ' + calls) }
  await assert.rejects(retry(work, { attempts: 4, pause: async (n) => { pauses.push(n) } }), /busy 4/)
  assert.deepEqual([calls, pauses], [4, [1, 2, 3]])
})
test('one attempt', async () => {
  await assert.rejects(retry(async () => { throw new Error('no') }, { attempts: 1, pause: async () => assert.fail() }), /no/)
  assert.equal(await retry(async () => 'yes', { attempts: 1, pause: async () => {} }), 'yes')
})
`,
  solution: [
    edit('src/retry.js', 'n < attempts', 'n <= attempts'),
    edit('src/retry.js', '      await pause(n)\n', '      if (n < attempts) await pause(n)\n'),
  ],
  wrong: {
    weakens_test: [
      edit('test/retry.test.js', 'if (n < 3) throw', 'if (n < 2) throw'),
      edit('test/retry.test.js', '} }), 3)', '} }), 2)'),
      edit('test/retry.test.js', 'assert.deepEqual(pauses, [1, 2])', 'assert.deepEqual(pauses, [1])'),
    ],
  },
}

const ROUTER: TaskInput = {
  prompt:
    'The router must decode path parameters (for example %20), and must answer 405 with an `allow` list when the path exists for other methods only. Today such a request gets 404.',
  files: {
    'src/router.js': `export class Router {
  #routes = []

  add(method, pattern, handler) {
    this.#routes.push({ method, parts: pattern.split('/'), handler })
  }

  handle(method, path) {
    for (const route of this.#routes) {
      const params = match(route.parts, path.split('/'))
      if (params !== null && route.method === method) return { status: 200, body: route.handler(params) }
    }
    return { status: 404 }
  }
}

function match(parts, given) {
  if (parts.length !== given.length) return null
  const params = {}
  for (const [i, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = given[i]
    else if (part !== given[i]) return null
  }
  return params
}
`,
    'src/app.js': `import { Router } from './router.js'

export function createApp(names) {
  const router = new Router()
  router.add('GET', '/people/:name', ({ name }) => names.has(name))
  router.add('PUT', '/people/:name', ({ name }) => Boolean(names.add(name)))
  router.add('GET', '/health', () => 'ok')
  return router
}
`,
    'test/app.test.js': `import assert from 'node:assert'
import test from 'node:test'
import { createApp } from '../src/app.js'

test('finds a person', () => assert.deepEqual(createApp(new Set(['ada'])).handle('GET', '/people/ada'), { status: 200, body: true }))
test('an unknown path is 404', () => assert.equal(createApp(new Set()).handle('GET', '/nothing').status, 404))
test('a wrong method is 405', () => {
  assert.deepEqual(createApp(new Set()).handle('DELETE', '/health'), { status: 405, allow: ['GET'] })
})
`,
  },
  hidden: `import assert from 'node:assert'
import test from 'node:test'
import { createApp } from '../src/app.js'
import { Router } from '../src/router.js'
test('parameters are decoded', () => assert.equal(createApp(new Set(['Ada Obi'])).handle('GET', '/people/Ada%20Obi').body, true))
test('all other methods are named', () => {
  assert.deepEqual(createApp(new Set()).handle('DELETE', '/people/ada'), { status: 405, allow: ['GET', 'PUT'] })
})
test('a later route with the method wins over 405', () => {
  const router = new Router()
  router.add('GET', '/a', () => 1)
  router.add('POST', '/a', () => 2)
  assert.deepEqual(router.handle('POST', '/a'), { status: 200, body: 2 })
})
`,
  solution: [
    edit(
      'src/router.js',
      `    for (const route of this.#routes) {
      const params = match(route.parts, path.split('/'))
      if (params !== null && route.method === method) return { status: 200, body: route.handler(params) }
    }
    return { status: 404 }`,
      `    const allow = []
    for (const route of this.#routes) {
      const params = match(route.parts, path.split('/'))
      if (params === null) continue
      if (route.method === method) return { status: 200, body: route.handler(params) }
      allow.push(route.method)
    }
    return allow.length > 0 ? { status: 405, allow } : { status: 404 }`,
    ),
    edit(
      'src/router.js',
      'params[part.slice(1)] = given[i]',
      'params[part.slice(1)] = decodeURIComponent(given[i])',
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/router.js',
        '    return { status: 404 }',
        "    if (path === '/health') return { status: 405, allow: ['GET'] }\n    return { status: 404 }",
      ),
    ],
  },
}

export const JAVASCRIPT_SERVICES_TASKS = tasksOf(JAVASCRIPT, {
  'js-lru-cache': LRU,
  'js-retry-attempts': RETRY,
  'js-router-methods': ROUTER,
})
