import type { Module } from '../platform/module.ts'
import { startFlags } from './flags.ts'
import { flagsOwned } from './owned.ts'
import { flagRoutes } from './routes.ts'

export const flags: Module = {
  name: 'flags',
  tables: ['flags', 'flag_overrides', 'flag_revision'],
  routes: flagRoutes,
  start: startFlags,
  owned: flagsOwned,
}
