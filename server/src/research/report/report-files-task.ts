// Builds the report files on a worker thread, because verification takes time.

import type { ReportContent } from './report-document.ts'
import { composeReport, type ReportFileText } from './report-files.ts'
import { applyRepairs, verifyDraft } from './verify-draft.ts'

export type ReportFilesInput = {
  readonly report: Omit<ReportContent, 'verified'>
  /** The draft, and the repairs of its sentences. */
  readonly markdown: string
  readonly repairs: readonly (readonly [number, string])[]
}

export function run({ report, markdown, repairs }: ReportFilesInput): ReportFileText[] {
  const { findings, plan } = report
  const verified = verifyDraft(markdown, findings, plan)
  return composeReport({ ...report, verified: applyRepairs(verified, new Map(repairs), findings, plan) })
}
