// The catalogue's face: rules that need no model, applied to files.
export { allRules } from './all-rules.ts'
export { languageOf } from './engine/skip.ts'
export type { Finding, ScannedFile, ScanReport, Skipped, Suppressed } from './finding.ts'
export type { Confidence, Rule, Severity } from './rule.ts'
export { scan } from './scan.ts'
export { ScanFinding, shownFinding } from './schema.ts'
export { maskSecrets } from './secrets/secrets.ts'
export { toSarif } from './to-sarif.ts'
