import type { Module } from '../platform/module.ts'
import { walletOwned } from './data-export.ts'
import { explainRoutes } from './explain-routes.ts'
import { lowBalanceSchedule, tellLowBalances } from './low-balance.ts'
import { walletRoutes } from './routes.ts'
import { walletSettings } from './settings.ts'
import { expireHolds, expirySchedule } from './sweep.ts'

export const wallet: Module = {
  name: 'wallet',
  tables: ['wallets', 'movements', 'holds', 'member_months'],
  routes: [...walletRoutes, ...explainRoutes],
  settings: [walletSettings],
  jobs: [expireHolds, tellLowBalances],
  schedules: [expirySchedule, lowBalanceSchedule],
  tenantData: walletOwned,
}
