// Worker task: scans files.
import { languages, textRules } from '@cowrie/analysis/all-rules.ts'
import { scanFiles } from '@cowrie/analysis/engine/scan-files.ts'
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'

export type ScanTaskInput = { readonly files: readonly ScannedFile[]; readonly msMax: number }

export const run = ({ files, msMax }: ScanTaskInput): Promise<ScanReport> =>
  scanFiles(files, languages, textRules, { msMax })
