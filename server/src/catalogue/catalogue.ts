// The catalogue's face: rules that need no model, applied to files.
export type { Finding, ScannedFile, ScanReport, Skipped, Suppressed } from './finding.ts'
export type { Confidence, Rule, Severity } from './rule.ts'
