// The order in which routes are tried. It depends only on the routes and the sticky key, so every replica computes the same.
import { hash } from 'node:crypto'
import type { CatalogueRoute } from '../catalogue/catalogue.ts'
import type { RouteBreakers } from './breaker.ts'

/**
 * By priority, then by weighted rendezvous hashing of the sticky key: a conversation stays on its route, and a failed route
 * moves only its own conversations. Routes with an open circuit come last. A weight of 0 excludes a route unless no route has
 * another weight.
 */
export function orderByHealth(
  breakers: RouteBreakers,
  routes: readonly CatalogueRoute[],
  stickyKey: string,
): CatalogueRoute[] {
  const ranked = rankRoutes(routes, stickyKey)
  const open = new Set(ranked.filter(({ key }) => breakers.stateOf(key) === 'open'))
  return [...ranked.filter((route) => !open.has(route)), ...open]
}

/** The order of healthy routes. */
export function rankRoutes(routes: readonly CatalogueRoute[], stickyKey: string): CatalogueRoute[] {
  const weighted = routes.filter(({ weight }) => weight > 0)
  const usable = weighted.length > 0 ? weighted : routes
  if (usable.length < 2) return [...usable]
  const scored = usable.map((route) => ({ route, score: scoreOf(route, stickyKey) }))
  scored.sort((a, b) => a.route.priority - b.route.priority || b.score - a.score)
  return scored.map(({ route }) => route)
}

/** Of several routes, each has the highest score for a share of all sticky keys that is proportional to its weight. */
function scoreOf({ key, weight }: CatalogueRoute, stickyKey: string): number {
  const uniform = (hash48(`${stickyKey}\n${key}`) + 0.5) / 2 ** 48
  return Math.max(weight, 1) / -Math.log(uniform)
}

const hash48 = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, 6)
