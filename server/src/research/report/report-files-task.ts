// Makes the files of a report on a thread: a long text is compared with many findings.

import type { ReportContent } from './report-document.ts'
import { composeReport, type ReportFileText } from './report-files.ts'
import { applyRepairs, verifyDraft } from './verify-draft.ts'

export type ReportFilesInput = {
  readonly report: Omit<ReportContent, 'verified'>
  /** What was written, and what of it was written anew. */
  readonly markdown: string
  readonly repairs: readonly (readonly [number, string])[]
}

export function run({ report, markdown, repairs }: ReportFilesInput): ReportFileText[] {
  const { findings, plan } = report
  const verified = verifyDraft(markdown, findings, plan)
  return composeReport({ ...report, verified: applyRepairs(verified, new Map(repairs), findings, plan) })
}
