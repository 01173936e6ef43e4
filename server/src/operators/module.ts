import type { Module } from '../platform/module.ts'
import { checkLedgerJob, checkLedgerSchedule } from './ledger/check-ledger.ts'
import { backupFigures, ledgerFigures } from './ledger/figures.ts'
import { rotationJobs, rotationSchedules } from './rotation/reseal-job.ts'
import { operatorRoutes } from './routes.ts'

export const operators: Module = {
  name: 'operators',
  tables: ['staff_invites', 'ledger_checks', 'backup_reports', 'secret_rotations'],
  routes: operatorRoutes,
  jobs: [checkLedgerJob, ...rotationJobs],
  schedules: [checkLedgerSchedule, ...rotationSchedules],
  figures: [ledgerFigures, backupFigures],
}
