// Figures of the ledger checks and of backups.
import { type Figure, type FigureSource, inSeconds } from '../../platform/log/figures.ts'
import { findArchive, listBackups, listResults } from './checks-sql.ts'

export const ledgerFigures: FigureSource = {
  name: 'ledger',
  metrics: {
    ledger_check_violations: 'Violations that the last finished run of each ledger check found.',
    ledger_check_timestamp_seconds: 'When each ledger check last finished.',
  },
  async read(tx) {
    const results = await listResults(tx)
    return results.flatMap(({ name, violations, checkedAt }): Figure[] => [
      ['ledger_check_violations', Number(violations), { check: name }],
      ['ledger_check_timestamp_seconds', inSeconds(checkedAt), { check: name }],
    ])
  },
}

export const backupFigures: FigureSource = {
  name: 'backups',
  metrics: {
    backup_timestamp_seconds: 'When a base backup or a restore drill last succeeded, as its script reported.',
    wal_archive_timestamp_seconds: 'When the database server last archived a WAL file.',
    wal_archive_failing: '1 while the newest attempt of the database server to archive a WAL file failed.',
  },
  async read(tx) {
    const reports = await listBackups(tx)
    const archive = await findArchive(tx)
    const backups = reports.map(
      ({ kind, succeededAt }): Figure => ['backup_timestamp_seconds', inSeconds(succeededAt), { kind }],
    )
    if (!archive) return backups
    const { archivedAt, failedAt } = archive
    const isFailing = failedAt !== null && (archivedAt === null || failedAt > archivedAt)
    const archived: Figure[] =
      archivedAt === null ? [] : [['wal_archive_timestamp_seconds', inSeconds(archivedAt)]]
    return [...backups, ...archived, ['wal_archive_failing', isFailing ? 1 : 0]]
  },
}
