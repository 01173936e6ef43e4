import type { Module } from '../platform/module.ts'
import { walletTenantData } from './data-export.ts'
import { expiryJob, expirySchedule } from './holds/expire-holds.ts'
import { lowBalanceJob, lowBalanceSchedule } from './low-balance/low-balance.ts'
import { walletRoutes } from './routes.ts'
import { walletSettings } from './settings.ts'

export const wallet: Module = {
  name: 'wallet',
  tables: ['wallets', 'movements', 'holds', 'member_months', 'key_spend'],
  routes: walletRoutes,
  settings: [walletSettings],
  jobs: [expiryJob, lowBalanceJob],
  schedules: [expirySchedule, lowBalanceSchedule],
  tenantData: walletTenantData,
}
