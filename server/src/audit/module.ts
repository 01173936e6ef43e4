import type { Module } from '../platform/module.ts'
import { auditJobs, auditSchedules, sealedAnchors } from './anchors/anchor-job.ts'
import { anchorObjects } from './anchors/anchor-store.ts'
import { auditTenantData } from './data-export.ts'
import { auditRoutes } from './routes.ts'
import { listHeadsAfter } from './verify/verify-sql.ts'

export const audit: Module = {
  name: 'audit',
  tables: ['audit_entries', 'audit_heads', 'audit_anchors'],
  routes: auditRoutes,
  jobs: auditJobs,
  schedules: auditSchedules,
  tenantData: auditTenantData,
  storedObjects: anchorObjects,
  chains: { kind: 'audit', headsAfter: listHeadsAfter },
  sealed: [sealedAnchors],
}
