import { describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { attemptsFor, eachRoute, type Kind, SHARES, type Target } from './attempt.ts'

const targets = Array.from({ length: 7 }, (_, n) => ({ route: { name: `route ${n}` } as Route }) as Target)

/** A kind with `variants(n)` attempts for target n. */
const kindOf = (variants: (n: number) => number): Kind => ({
  name: 'a kind',
  alike: eachRoute,
  attempts: (target) =>
    Array.from({ length: variants(targets.indexOf(target)) }, (_, i) => ({ bytes: Buffer.from([i]) })),
})
const routesIn = (tries: ReturnType<typeof attemptsFor>) => tries.map(({ target }) => target.route.name)
const variantsIn = (tries: ReturnType<typeof attemptsFor>) => tries.map(({ attempt }) => attempt.bytes[0])

describe('npm test', () => {
  test.for([1, 3, 7, 20])('calls every route and sends each of %i variants', (variants) => {
    const tries = attemptsFor(
      kindOf(() => variants),
      targets,
      0,
      false,
    )
    expect(new Set(routesIn(tries)).size).toBe(targets.length)
    expect(new Set(variantsIn(tries)).size).toBe(variants)
    expect(tries).toHaveLength(targets.length * Math.ceil(variants / targets.length))
  })

  test('calls every route that has attempts, whatever their number', () => {
    const tries = attemptsFor(
      kindOf((n) => n),
      targets,
      0,
      false,
    )
    expect(new Set(routesIn(tries))).toEqual(new Set(targets.slice(1).map(({ route }) => route.name)))
  })

  describe('with many routes', () => {
    const many = Array.from(
      { length: 5 * SHARES },
      (_, n) => ({ route: { name: `route ${n}` } as Route }) as Target,
    )
    const kind: Kind = {
      name: 'a kind',
      alike: eachRoute,
      attempts: () => Array.from({ length: 20 }, (_, i) => ({ bytes: Buffer.from([i]) })),
    }

    test('sends each variant to a share of the routes, and calls every route within a few kinds', () => {
      const each = Array.from({ length: SHARES }, (_, place) => attemptsFor(kind, many, place, false))
      for (const tries of each) {
        expect(new Set(routesIn(tries)).size).toBe(many.length / SHARES)
        expect(new Set(variantsIn(tries)).size).toBe(20)
      }
      expect(new Set(each.flatMap(routesIn)).size).toBe(many.length)
    })

    test('calls every route for a kind that protects money or secrets', () => {
      const tries = attemptsFor({ ...kind, everyRoute: true }, many, 0, false)
      expect(new Set(routesIn(tries)).size).toBe(many.length)
    })
  })

  test('sends every attempt of a kind with `allAttempts`', () => {
    expect(attemptsFor({ ...kindOf(() => 20), allAttempts: true }, targets, 0, false)).toHaveLength(140)
  })
})

test('the soak sends every attempt to every route', () => {
  expect(
    attemptsFor(
      kindOf(() => 20),
      targets,
      0,
      true,
    ),
  ).toHaveLength(140)
})
