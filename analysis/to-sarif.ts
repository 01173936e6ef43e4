// A report as SARIF, with the rules of this catalogue.
import { allRules } from './all-rules.ts'
import type { ScanReport } from './finding.ts'
import { sarifOf } from './sarif.ts'

export const toSarif = (report: ScanReport, version?: string) =>
  sarifOf(report, { rules: allRules, ...(version !== undefined && { version }) })
