import type { Module } from '../platform/module.ts'
import { checkLedgerJob, checkLedgerSchedule } from './ledger/check-ledger.ts'
import { backupFigures, ledgerFigures } from './ledger/figures.ts'
import { operatorRoutes } from './routes.ts'

export const operators: Module = {
  name: 'operators',
  tables: ['staff_invites', 'ledger_checks', 'backup_reports'],
  routes: operatorRoutes,
  jobs: [checkLedgerJob],
  schedules: [checkLedgerSchedule],
  figures: [ledgerFigures, backupFigures],
}
