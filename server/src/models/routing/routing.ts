// Finds models and orders their routes, and learns from the outcome of calls.
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/db/tx.ts'
import {
  type CatalogueModel,
  type CatalogueRoute,
  DEFAULT_PROVIDER_ID,
  type Provider,
  providerIdOf,
} from '../catalogue/catalogue.ts'
import { catalogueOf, openCatalogueStore, setStore } from '../catalogue/store.ts'
import { recordCall } from '../health/health.ts'
import type { Lane } from '../sql.ts'
import { hasUpstream } from '../upstream.ts'
import { RouteBreakers } from './breaker.ts'
import { orderByHealth } from './order.ts'

const breakersByDb = new WeakMap<Db, RouteBreakers>()
const breakersOf = (app: App): RouteBreakers =>
  present(breakersByDb.get(app.db), 'the circuit breakers exist from the start')

/** Loads the catalogue and follows its changes. */
export async function startModels(app: App): Promise<() => void> {
  const breakers = new RouteBreakers(app.clock)
  breakersByDb.set(app.db, breakers)
  const store = await openCatalogueStore({
    db: app.db,
    secrets: app.secrets,
    log: app.log,
    onProvidersChanged: (ids) => breakers.forget((key) => ids.includes(providerIdOf(key))),
  })
  setStore(app, store)
  app.metrics.watchProviders(() => openCircuits(app, breakers))
  return () => store.close()
}

/** An enabled model by its id, by an alias, or by the longest alias that ends in `*` and matches. */
export const findModel = (app: App, name: string): CatalogueModel | undefined => catalogueOf(app).find(name)

/** The enabled models, ordered by id. */
export const listCatalogue = (app: App): readonly CatalogueModel[] => catalogueOf(app).models

/** The further routes of a lane, tried after the route of the settings. */
export const laneRoutes = (app: App, lane: Lane): readonly CatalogueRoute[] => catalogueOf(app).lanes[lane]

/** A provider by its id, with its key. Also a disabled one. */
export const getProvider = (app: App, id: string): Provider | undefined => catalogueOf(app).providers.get(id)

/**
 * The routes in the order in which they are tried: by priority, then by a weighted hash of the sticky key. Routes with an open
 * circuit come last.
 */
export const orderRoutes = (
  app: App,
  routes: readonly CatalogueRoute[],
  stickyKey: string,
): CatalogueRoute[] => orderByHealth(breakersOf(app), routes, stickyKey)

/** A call on the route starts. With an open circuit it is the trial, and other calls use other routes meanwhile. */
export const recordRouteStart = (app: App, routeKey: string): void => breakersOf(app).started(routeKey)

/** The route answered: closes its circuit. */
export function recordRouteSuccess(app: App, routeKey: string): void {
  if (breakersOf(app).succeeded(routeKey)) app.log.info({ route: routeKey }, 'models.breaker.closed')
  if (hasHealth(app, routeKey)) recordCall(app, providerIdOf(routeKey), { ok: true, isCall: true })
}

/** The route failed. Three failures in a row open its circuit, and a rejection of our key or account opens it at once. */
export function recordRouteFailure(app: App, routeKey: string, isRejected = false): void {
  const providerId = providerIdOf(routeKey)
  app.metrics.routeFailed(getProvider(app, providerId)?.name ?? 'unknown')
  if (breakersOf(app).failed(routeKey, isRejected))
    app.log.warn({ route: routeKey, isRejected }, 'models.breaker.opened')
  const error = isRejected
    ? 'The provider rejects our key or account.'
    : 'A call of a customer failed at the provider.'
  if (hasHealth(app, routeKey)) recordCall(app, providerId, { ok: false, isRejected, error })
}

/** The development model and deleted providers have no health. */
function hasHealth(app: App, routeKey: string): boolean {
  const id = providerIdOf(routeKey)
  return id === DEFAULT_PROVIDER_ID ? hasUpstream(app) : getProvider(app, id) !== undefined
}

/** The number of open circuits of every provider by name. */
function openCircuits(app: App, breakers: RouteBreakers): Map<string, number> {
  const byProvider = Map.groupBy(breakers.openRoutes(), providerIdOf)
  const providers = [...catalogueOf(app).providers.values()]
  return new Map(providers.map(({ id, name }) => [name, byProvider.get(id)?.length ?? 0]))
}
