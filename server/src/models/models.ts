// The public API of models: the providers, the model catalogue, and the choice among routes.
export {
  type CatalogueModel,
  type CatalogueRoute,
  DEFAULT_PROVIDER_ID,
  type Provider,
  routeKeyOf,
} from './catalogue/catalogue.ts'
export { type UnhealthyProvider, unhealthyProviders } from './health/unhealthy.ts'
export {
  findModel,
  getProvider,
  laneRoutes,
  listCatalogue,
  orderRoutes,
  recordRouteFailure,
  recordRouteStart,
  recordRouteSuccess,
} from './routing/routing.ts'
export { inferenceSettings } from './settings.ts'
export { hasUpstream, upstreamTarget } from './upstream.ts'
