import type { Module } from '../platform/module.ts'
import { teamsTenantData } from './data-export.ts'
import { teamsRoutes } from './routes.ts'

export const teams: Module = { name: 'teams', routes: teamsRoutes, tenantData: teamsTenantData }
