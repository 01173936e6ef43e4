import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/clock.ts'
import { type CatalogueRoute, compileCatalogue, providerIdOf, routeKeyOf } from '../catalogue/catalogue.ts'
import { RouteBreakers } from './breaker.ts'
import { orderByHealth, rankRoutes } from './order.ts'

const route = (model: string, { priority = 0, weight = 100 } = {}): CatalogueRoute => ({
  key: routeKeyOf('prv_1', model),
  ...{ providerId: 'prv_1', provider: 'one', region: null, model, priority, weight },
  target: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: '' },
})

function world() {
  const clock = new ManualClock()
  return { clock, breakers: new RouteBreakers(clock) }
}

describe('the circuit breaker of a route', () => {
  test('opens after three failures in a row, and a success in between starts the count again', () => {
    const { breakers } = world()
    expect([breakers.failed('a', false), breakers.failed('a', false)]).toEqual([false, false])
    breakers.succeeded('a')
    expect([1, 2, 3].map(() => breakers.failed('a', false))).toEqual([false, false, true])
    expect([breakers.stateOf('a'), breakers.stateOf('b')]).toEqual(['open', 'closed'])
    expect(breakers.openRoutes()).toEqual(['a'])
  })

  test('opens at once when the provider rejects our account', () => {
    const { breakers } = world()
    expect(breakers.failed('a', true)).toBe(true)
    expect(breakers.stateOf('a')).toBe('open')
  })

  test('allows one trial after each pause, which doubles from 5 to 60 seconds', () => {
    const { clock, breakers } = world()
    breakers.failed('a', true)
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      clock.advance({ seconds, ms: -1 })
      expect(breakers.stateOf('a')).toBe('open')
      clock.advance({ ms: 1 })
      expect(breakers.stateOf('a')).toBe('trial')
      breakers.started('a')
      expect(breakers.stateOf('a')).toBe('open')
      expect(breakers.failed('a', false)).toBe(true)
    }
    clock.advance({ seconds: 60 })
    expect(breakers.succeeded('a')).toBe(true)
    breakers.failed('a', true)
    clock.advance({ seconds: 5 })
    expect(breakers.stateOf('a')).toBe('trial')
  })

  test('is not held open longer by calls that began before it opened or during the pause', () => {
    const { clock, breakers } = world()
    breakers.failed('a', true)
    clock.advance({ seconds: 4 })
    breakers.started('a')
    expect(breakers.failed('a', false)).toBe(false)
    clock.advance({ seconds: 1 })
    expect(breakers.stateOf('a')).toBe('trial')
  })

  test('allows another trial when the outcome of the first is never reported', () => {
    const { clock, breakers } = world()
    breakers.failed('a', true)
    clock.advance({ seconds: 5 })
    breakers.started('a')
    clock.advance({ seconds: 59 })
    expect(breakers.stateOf('a')).toBe('open')
    clock.advance({ seconds: 1 })
    expect(breakers.stateOf('a')).toBe('trial')
  })

  test('closes when the address or key of its provider changes', () => {
    const { breakers } = world()
    breakers.failed('prv_1/a', true)
    breakers.failed('prv_2/a', true)
    breakers.forget((key) => providerIdOf(key) === 'prv_1')
    expect(breakers.openRoutes()).toEqual(['prv_2/a'])
  })
})

describe('the order of routes', () => {
  const keys = Array.from({ length: 4_000 }, (_, n) => `conversation ${n}`)

  test('follows the priority, then the shares of the weights', () => {
    const routes = [route('c', { priority: 1 }), route('a', { weight: 300 }), route('b', { weight: 100 })]
    const ranked = keys.map((key) => rankRoutes(routes, key).map(({ model }) => model))
    expect(ranked.every(([, , last]) => last === 'c')).toBe(true)
    const share = ranked.filter(([first]) => first === 'a').length / keys.length
    expect(share).toBeGreaterThan(0.72)
    expect(share).toBeLessThan(0.78)
  })

  test('never has a route of weight 0, unless all have it', () => {
    const idle = route('idle', { weight: 0 })
    expect(rankRoutes([idle, route('a', { priority: 9 })], 'x').map(({ model }) => model)).toEqual(['a'])
    expect(rankRoutes([idle], 'x')).toEqual([idle])
    expect(rankRoutes([idle, route('other', { weight: 0 })], 'x')).toHaveLength(2)
  })

  const anyRoutes = fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 8 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc
            .record({ priority: fc.integer({ min: 0, max: 2 }), weight: fc.integer({ min: 1, max: 1_000 }) })
            .map((fields) => route(name, fields)),
        ),
      ),
    )

  test('is the same on every replica, whatever the order of the list', () => {
    fc.assert(
      fc.property(anyRoutes, fc.string(), (routes, key) => {
        expect(rankRoutes(routes.toReversed(), key)).toEqual(rankRoutes(routes, key))
      }),
    )
  })

  test('moves only the conversations of a failed route, and they return when it is healthy again', () => {
    fc.assert(
      fc.property(anyRoutes, fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (routes, sticky) => {
        const { clock, breakers } = world()
        const firsts = () => sticky.map((key) => orderByHealth(breakers, routes, key)[0])
        const before = firsts()
        const failed = before[0]
        if (!failed) throw new Error('there is a first route')
        breakers.failed(failed.key, true)
        for (const [index, now] of firsts().entries())
          if (before[index] === failed) expect(now).not.toBe(failed)
          else expect(now).toBe(before[index])
        clock.advance({ seconds: 5 })
        breakers.succeeded(failed.key)
        expect(firsts()).toEqual(before)
      }),
    )
  })

  test('puts routes with an open circuit last, also before their priority, and gives a trial to one call that starts', () => {
    const { clock, breakers } = world()
    const routes = [route('a'), route('b', { priority: 1 }), route('c', { priority: 2 })]
    const models = () => orderByHealth(breakers, routes, 'x').map(({ model }) => model)
    breakers.failed(routeKeyOf('prv_1', 'a'), true)
    breakers.failed(routeKeyOf('prv_1', 'b'), true)
    expect(models()).toEqual(['c', 'a', 'b'])
    clock.advance({ seconds: 5 })
    for (let quotes = 0; quotes < 3; quotes++) expect(models()).toEqual(['a', 'b', 'c'])
    breakers.started(routeKeyOf('prv_1', 'a'))
    expect(models()).toEqual(['b', 'c', 'a'])
    breakers.started(routeKeyOf('prv_1', 'b'))
    expect(models()).toEqual(['c', 'a', 'b'])
    breakers.succeeded(routeKeyOf('prv_1', 'a'))
    expect(models()).toEqual(['a', 'c', 'b'])
  })

  test('keeps every route when all circuits are open', () => {
    const { breakers } = world()
    const routes = [route('a'), route('b')]
    for (const { key } of routes) breakers.failed(key, true)
    expect(orderByHealth(breakers, routes, 'x')).toHaveLength(2)
  })
})

test('a route of the built-in provider is left out while no model service is configured', () => {
  const model = {
    ...{ id: 'm', title: 'M', lane: 'open' as const, contextTokens: 10, outputTokens: 5 },
    ...{ capabilities: [], aliases: [], enabled: true },
  }
  const price = {
    modelId: 'm',
    version: 1,
    since: new Date(0),
    input: 1n,
    output: 1n,
    cachedInput: 1n,
    cacheWrite: 1n,
  }
  const routes = [{ modelId: 'm', providerId: null, upstreamModel: 'u', priority: 0, weight: 1 }]
  const catalogue = compileCatalogue({ providers: [], models: [model], routes, prices: [price] }, null)
  expect(catalogue.find('m')?.routes).toEqual([])
})
