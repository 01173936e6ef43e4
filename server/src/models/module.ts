import type { Module } from '../platform/module.ts'
import { sealedProviderKeys } from './catalogue/store.ts'
import { providerFigures } from './health/figures.ts'
import { probeProviders, probeProvidersSchedule } from './health/probe.ts'
import { modelRoutes } from './routes.ts'
import { startModels } from './routing/routing.ts'
import { inferenceSettings } from './settings.ts'

export const models: Module = {
  name: 'models',
  tables: ['providers', 'models', 'model_routes', 'model_prices', 'model_revision', 'provider_health'],
  routes: modelRoutes,
  settings: [inferenceSettings],
  jobs: [probeProviders],
  schedules: [probeProvidersSchedule],
  figures: [providerFigures],
  start: startModels,
  sealed: [sealedProviderKeys],
}
