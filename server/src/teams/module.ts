import type { Module } from '../platform/module.ts'
import { teamsOwned } from './data-export.ts'
import { teamsRoutes } from './routes.ts'

export const teams: Module = { name: 'teams', routes: teamsRoutes, tenantData: teamsOwned }
