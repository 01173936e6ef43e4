import type { Module } from '../platform/module.ts'
import { meteringRoutes } from './routes.ts'
import { inferenceSettings, pricingSettings } from './settings.ts'

export const metering: Module = {
  name: 'metering',
  routes: meteringRoutes,
  settings: [pricingSettings, inferenceSettings],
}
