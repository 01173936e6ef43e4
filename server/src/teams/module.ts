import type { Module } from '../platform/module.ts'
import { teamsOwned } from './owned.ts'
import { teamsRoutes } from './routes.ts'

export const teams: Module = { name: 'teams', routes: teamsRoutes, owned: teamsOwned }
