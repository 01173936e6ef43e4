// A scan on a thread of its own.
import { languages, textRules } from './all-rules.ts'
import { scanFiles } from './engine/scan-files.ts'
import type { ScannedFile, ScanReport } from './finding.ts'

export type ScanInput = { readonly files: readonly ScannedFile[]; readonly msMax: number }

export const run = ({ files, msMax }: ScanInput): Promise<ScanReport> =>
  scanFiles(files, languages, textRules, { msMax })
