// The results of a scan.

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
  /** The reported line. The enclosing statement spans `startLine` to `endLine`. */
  readonly line: number
  readonly startLine: number
  readonly endLine: number
  readonly message: string
  readonly fix: string
  /** The source line, shortened, with secrets masked. */
  readonly snippet: string
  readonly flow: readonly Step[]
  /** Stable when lines move. */
  readonly fingerprint: string
  /** Equal for findings of the same rule whose code differs only in identifiers and literals. */
  readonly shape: string
}

export type SkippedFile = { readonly path: string; readonly reason: string }

/** A finding silenced by a comment with a reason. It does not count as a finding. */
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
  /** With changed lines: the number of findings outside them, which are left out. */
  readonly preexisting?: number
}
