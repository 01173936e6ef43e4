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

export const run = (input: ReportFilesInput): ReportFileText[] => composeReport(verifiedContent(input))

/** Verifies the draft with its repairs. */
export function verifiedContent({ report, markdown, repairs }: ReportFilesInput): ReportContent {
  const { findings, plan } = report
  const verified = verifyDraft(markdown, findings, plan)
  return { ...report, verified: applyRepairs(verified, new Map(repairs), findings, plan) }
}
