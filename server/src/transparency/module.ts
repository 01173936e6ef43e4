import type { Module } from '../platform/module.ts'
import { logIdentity } from './checkpoint.ts'
import { transparencyFigures } from './figures.ts'
import { transparencyJobs, transparencySchedules } from './publish.ts'
import { transparencyRoutes } from './routes.ts'
import { proveChain } from './transparency.ts'

export const transparency: Module = {
  name: 'transparency',
  tables: ['transparency_log', 'transparency_entries', 'transparency_tiles', 'transparency_chains'],
  routes: transparencyRoutes,
  jobs: transparencyJobs,
  schedules: transparencySchedules,
  figures: [transparencyFigures],
  tenantData: { facts: { transparency: (app, tx, org) => proveChain(app, tx, 'wallet', org) } },
  async start(app) {
    if (logIdentity(app) === null) app.log.warn({}, 'transparency.log.off')
    return () => undefined
  },
}
