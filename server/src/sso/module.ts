import type { Module } from '../platform/module.ts'
import { sealedClientSecrets } from './connections.ts'
import { ssoData } from './data-export.ts'
import { ssoJobs, ssoSchedules } from './jobs.ts'
import { ssoRoutes } from './routes.ts'

export const sso: Module = {
  name: 'sso',
  tables: [
    'sso_connections',
    'sso_domains',
    'sso_identities',
    'sso_flows',
    'saml_assertions',
    'saml_tickets',
  ],
  routes: ssoRoutes,
  jobs: ssoJobs,
  schedules: ssoSchedules,
  tenantData: ssoData,
  sealed: [sealedClientSecrets],
}
