import type { Module } from '../platform/module.ts'
import { walletTenantData } from './data-export.ts'
import { expiryJob, expirySchedule } from './holds/expire-holds.ts'
import { holdFigures } from './holds/figures.ts'
import { repairCopiesJob, repairCopiesSchedule } from './integrity/copies.ts'
import { listHeadsAfter } from './integrity/proof-sql.ts'
import { lowBalanceJob, lowBalanceSchedule } from './low-balance/low-balance.ts'
import { walletRoutes } from './routes.ts'
import { walletSettings } from './settings.ts'
import { expireTrialsJob, expireTrialsSchedule } from './trial/expire-trials.ts'
import { grantTrial } from './trial/grant-trial.ts'
import { trialSettings } from './trial/settings.ts'

export const wallet: Module = {
  name: 'wallet',
  tables: ['wallets', 'movements', 'holds', 'member_months', 'key_spend', 'trial_credits', 'wallet_accruals'],
  routes: walletRoutes,
  settings: [walletSettings, trialSettings],
  jobs: [expiryJob, lowBalanceJob, expireTrialsJob, repairCopiesJob],
  schedules: [expirySchedule, lowBalanceSchedule, expireTrialsSchedule, repairCopiesSchedule],
  figures: [holdFigures],
  verificationHandler: grantTrial,
  tenantData: walletTenantData,
  chains: { kind: 'wallet', headsAfter: listHeadsAfter },
}
