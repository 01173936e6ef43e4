import type { Module } from '../platform/module.ts'
import { metricsRoutes } from './routes.ts'

export const metrics: Module = { name: 'metrics', routes: metricsRoutes }
