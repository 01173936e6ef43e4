import type { Module } from '../platform/module.ts'
import { flagsData } from './data-export.ts'
import { startFlags } from './flags.ts'
import { flagRoutes } from './routes.ts'

export const flags: Module = {
  name: 'flags',
  tables: ['flags', 'flag_overrides', 'flag_revision'],
  routes: flagRoutes,
  start: startFlags,
  tenantData: flagsData,
}
