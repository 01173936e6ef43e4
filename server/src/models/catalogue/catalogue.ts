// The catalogue as requests use it: compiled once per change, so that finding a model is a lookup.
import type { Target } from '../../platform/inference/inference.ts'
import type { ClassPrices } from '../../wallet/wallet.ts'
import type { Capability, Lane, StoredModel, StoredPrice, StoredProvider, StoredRoute } from '../sql.ts'

/** A way to call a model: a provider and the name of the model there. */
export type CatalogueRoute = {
  /** Identifies the route on every replica. Models with the same provider and upstream model share it. */
  readonly key: string
  readonly providerId: string
  /** The name of the provider. */
  readonly provider: string
  readonly region: string | null
  readonly target: Target
  /** The name of the model at the provider. */
  readonly model: string
  /** Lower ones are tried first. */
  readonly priority: number
  /** The share among routes of the same priority: the weight of the route times that of its provider. */
  readonly weight: number
}

export type CatalogueModel = {
  readonly id: string
  readonly title: string
  readonly lane: Lane
  readonly contextTokens: number
  readonly outputTokens: number
  readonly capabilities: readonly Capability[]
  readonly price: ClassPrices
  readonly aliases: readonly string[]
  /** Only routes of enabled providers. Empty when none is left. */
  readonly routes: readonly CatalogueRoute[]
}

/** A provider with its decrypted key. */
export type Provider = Omit<StoredProvider, 'sealedKey'> & { readonly target: Target }

/** All rows, as they were read. */
export type CatalogueRows = {
  readonly providers: readonly Provider[]
  readonly models: readonly StoredModel[]
  readonly routes: readonly StoredRoute[]
  readonly prices: readonly StoredPrice[]
}

export type Catalogue = {
  /** Enabled models by id. */
  readonly models: readonly CatalogueModel[]
  readonly lanes: Readonly<Record<Lane, readonly CatalogueRoute[]>>
  readonly providers: ReadonlyMap<string, Provider>
  find(name: string): CatalogueModel | undefined
}

/** The id of the provider that the settings configure. */
export const DEFAULT_PROVIDER_ID = 'prv_default'

export const routeKeyOf = (providerId: string, model: string): string => `${providerId}/${model}`
export const providerIdOf = (routeKey: string): string => routeKey.slice(0, routeKey.indexOf('/'))

/** `builtIn` is null while no model service is configured. Its routes are left out then. */
export function compileCatalogue(rows: CatalogueRows, builtIn: Provider | null): Catalogue {
  const providers = new Map(rows.providers.map((provider) => [provider.id, provider]))
  if (builtIn) providers.set(builtIn.id, builtIn)
  const routes = Map.groupBy(rows.routes, ({ modelId }) => modelId)
  const routesOf = (id: string) => (routes.get(id) ?? []).flatMap((route) => compileRoute(providers, route))
  const prices = new Map(rows.prices.map((price) => [price.modelId, price]))
  const models = rows.models.flatMap((model) => {
    const price = prices.get(model.id)
    return model.enabled && price ? [compileModel(model, price, routesOf(model.id))] : []
  })
  return {
    models,
    lanes: { open: routesOf('open'), frontier: routesOf('frontier') },
    providers,
    find: compileNames(models),
  }
}

function compileRoute(providers: ReadonlyMap<string, Provider>, route: StoredRoute): CatalogueRoute[] {
  const provider = providers.get(route.providerId ?? DEFAULT_PROVIDER_ID)
  if (!provider?.enabled) return []
  return [
    {
      key: routeKeyOf(provider.id, route.upstreamModel),
      providerId: provider.id,
      provider: provider.name,
      region: provider.region,
      target: provider.target,
      model: route.upstreamModel,
      priority: route.priority,
      weight: route.weight * provider.weight,
    },
  ]
}

function compileModel(
  { enabled: _, ...model }: StoredModel,
  { input, output, cachedInput, cacheWrite }: StoredPrice,
  routes: readonly CatalogueRoute[],
): CatalogueModel {
  return { ...model, price: { input, output, cachedInput, cacheWrite }, routes }
}

/** Finds a model by its id, by an alias, or by the longest alias that ends in `*` and matches. */
function compileNames(models: readonly CatalogueModel[]): Catalogue['find'] {
  const exact = new Map<string, CatalogueModel>()
  const prefixes = new Map<string, CatalogueModel>()
  for (const model of models)
    for (const alias of model.aliases)
      if (alias.endsWith('*')) prefixes.set(alias.slice(0, -1), model)
      else exact.set(alias, model)
  for (const model of models) exact.set(model.id, model)
  const lengths = [...new Set([...prefixes.keys()].map(({ length }) => length))].sort((a, b) => b - a)
  return (name) => {
    const found = exact.get(name)
    if (found) return found
    const length = lengths.find((each) => each <= name.length && prefixes.has(name.slice(0, each)))
    return length === undefined ? undefined : prefixes.get(name.slice(0, length))
  }
}
