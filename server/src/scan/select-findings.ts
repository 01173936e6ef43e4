// Limits the findings of a report. Every file keeps its most severe finding, so that no file looks clean.
import type { Finding } from '@cowrie/analysis/report/finding.ts'

export type FindingLimits = { readonly perFile?: number; readonly total: number }

/** Orders by severity, then by confidence. */
export const severityRank = ({ severity, confidence }: Finding): number =>
  ['error', 'warn', 'note'].indexOf(severity) * 3 + ['high', 'medium', 'low'].indexOf(confidence)

/** The selected findings in their given order. */
export function selectFindings(
  findings: readonly Finding[],
  { perFile = Number.POSITIVE_INFINITY, total }: FindingLimits,
): Finding[] {
  const countByFile = new Map<string, number>()
  const firsts: Finding[] = []
  const others: Finding[] = []
  for (const finding of findings.toSorted((one, other) => severityRank(one) - severityRank(other))) {
    const count = countByFile.get(finding.path) ?? 0
    countByFile.set(finding.path, count + 1)
    if (count === 0) firsts.push(finding)
    else if (count < perFile) others.push(finding)
  }
  const selected = new Set([...firsts, ...others].slice(0, total))
  return findings.filter((finding) => selected.has(finding))
}
