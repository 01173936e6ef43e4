// Makes the files of a report on a thread: a long text is compared with many findings.
import { composeReport, type ReportText } from './compose.ts'
import type { Report } from './document.ts'
import { verifyReport, withRepairs } from './verify.ts'

export type FilesInput = {
  readonly report: Omit<Report, 'verified'>
  /** What was written, and what of it was written anew. */
  readonly markdown: string
  readonly repairs: readonly (readonly [number, string])[]
}

export function run({ report, markdown, repairs }: FilesInput): ReportText[] {
  const { findings, plan } = report
  const verified = verifyReport(markdown, findings, plan)
  return composeReport({ ...report, verified: withRepairs(verified, new Map(repairs), findings, plan) })
}
