// Worker task: scans files.
import { languages, textRules } from '@cowrie/analysis/all-rules.ts'
import { type CompiledRules, withCustomRules } from '@cowrie/analysis/custom/compile.ts'
import type { CustomRule } from '@cowrie/analysis/custom/custom-rule.ts'
import { hashOf, ReuseCache } from '@cowrie/analysis/engine/reuse-cache.ts'
import { type LoweredCode, scanFiles } from '@cowrie/analysis/engine/scan-files.ts'
import type { StoredUnit } from '@cowrie/analysis/engine/units/run-units.ts'
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'

export type ScanTaskInput = {
  readonly files: readonly ScannedFile[]
  /** Configuration of the project that another batch reports. */
  readonly resources: readonly ScannedFile[]
  /** Code that the files use, which another batch reports. */
  readonly shared: readonly ScannedFile[]
  /** The paths of copied and compiled files, decided by the whole scan. */
  readonly builtFiles: readonly string[]
  /** The rules of the organisation. */
  readonly customRules: readonly CustomRule[]
  /** Leaves out the rules of the catalogue. */
  readonly isOnlyCustom: boolean
  /** Files of earlier scans for the same owner are not parsed again. Null for a scan on its own. */
  readonly owner: string | null
}

/** By characters of code: a parsed file takes up to 16 bytes of memory for each. */
const PARSED_CODE = { sizeMax: 2_500_000, ageMsMax: 15 * 60_000 }

/** By characters of the results and of their files, whose parsed code they refer to. */
const UNITS = { sizeMax: 3_000_000, ageMsMax: 15 * 60_000 }
/** Equal rules must be the same objects, or results of earlier scans are not used. */
const COMPILED = { sizeMax: 1_000_000, ageMsMax: 15 * 60_000 }
/** Each thread has its own, and tasks of a project usually return to the same thread. */
const parsed = new ReuseCache<LoweredCode>(PARSED_CODE)
const units = new ReuseCache<StoredUnit>(UNITS)
const compiled = new ReuseCache<CompiledRules>(COMPILED)

export function run({
  files,
  resources,
  shared,
  builtFiles,
  customRules,
  isOnlyCustom,
  owner,
}: ScanTaskInput): Promise<ScanReport> {
  const rules = rulesOf({ customRules, isOnlyCustom, owner })
  return scanFiles(files, rules.languages, rules.textRules, {
    resources,
    shared,
    builtFiles: new Set(builtFiles),
    ...(owner !== null && { reuse: { owner, files: parsed, units } }),
  })
}

function rulesOf({
  customRules,
  isOnlyCustom,
  owner,
}: Pick<ScanTaskInput, 'customRules' | 'isOnlyCustom' | 'owner'>): CompiledRules {
  const written = JSON.stringify(customRules)
  const key = owner !== null && hashOf([owner, String(isOnlyCustom), written])
  const known = key ? compiled.get(key) : undefined
  if (known) return known
  const catalogue = isOnlyCustom
    ? { languages: languages.map(({ model }) => ({ model, rules: [] })), textRules: [] }
    : { languages, textRules }
  const rules = withCustomRules(catalogue, customRules)
  if (key) compiled.set(key, rules, written.length + 1_000)
  return rules
}
