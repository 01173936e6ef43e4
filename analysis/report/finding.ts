// What a scan has to say, and about what.

import type { Step } from '../abstract-value.ts'
import type { Confidence, Severity } from '../rule.ts'

export type ScannedFile = { readonly path: string; readonly content: string }

export type Finding = {
  readonly ruleId: string
  readonly title: string
  readonly cwe: number
  readonly severity: Severity
  readonly confidence: Confidence
  readonly path: string
  /** The line it is about; the statement it belongs to spans `startLine` to `endLine`. */
  readonly line: number
  readonly startLine: number
  readonly endLine: number
  readonly message: string
  readonly fix: string
  /** The line as it stands, shortened; secrets in it are masked. */
  readonly snippet: string
  readonly flow: readonly Step[]
  /** The same for the same fault after lines moved. */
  readonly fingerprint: string
  /** The same for faults of the same shape anywhere: identifiers and literals do not count. */
  readonly shape: string
}

export type SkippedFile = { readonly path: string; readonly reason: string }

/** Silenced by a comment with a reason: not counted as findings. */
export type SuppressedFinding = {
  readonly ruleId: string
  readonly path: string
  readonly line: number
  readonly reason: string
}

export type ScanReport = {
  readonly findings: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly skipped: readonly SkippedFile[]
  readonly files: number
  readonly lines: number
  /** With changed lines: how many findings have nothing to do with them, and were left out. */
  readonly preexisting?: number
}
