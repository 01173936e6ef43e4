import type { Module } from '../platform/module.ts'
import { catalogueRoutes } from './routes.ts'

export const catalogue: Module = { name: 'catalogue', routes: catalogueRoutes }
