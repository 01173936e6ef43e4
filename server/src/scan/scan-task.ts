// Worker task: scans files.
import { languages, textRules } from '@cowrie/analysis/all-rules.ts'
import { withCustomRules } from '@cowrie/analysis/custom/compile.ts'
import type { CustomRule } from '@cowrie/analysis/custom/custom-rule.ts'
import { scanFiles } from '@cowrie/analysis/engine/scan-files.ts'
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'

export type ScanTaskInput = {
  readonly files: readonly ScannedFile[]
  /** Configuration of the project that another batch reports. */
  readonly resources: readonly ScannedFile[]
  /** Code that the files use, which another batch reports. */
  readonly shared: readonly ScannedFile[]
  /** The rules of the organisation. */
  readonly customRules: readonly CustomRule[]
  /** Leaves out the rules of the catalogue. */
  readonly isOnlyCustom: boolean
}

export function run({
  files,
  resources,
  shared,
  customRules,
  isOnlyCustom,
}: ScanTaskInput): Promise<ScanReport> {
  const catalogue = isOnlyCustom
    ? { languages: languages.map(({ model }) => ({ model, rules: [] })), textRules: [] }
    : { languages, textRules }
  const rules = withCustomRules(catalogue, customRules)
  return scanFiles(files, rules.languages, rules.textRules, { resources, shared })
}
