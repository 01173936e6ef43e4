// Whether a review stops a merge. What is wrong with us never does; it only keeps us from saying that all is well.
import type { Finding } from '@cowrie/analysis/report/finding.ts'

export type Policy = 'off' | 'errors' | 'strict'
export type ConclusionInput = {
  readonly findings: readonly Pick<Finding, 'severity' | 'confidence'>[]
  /** A step that the owners require has failed. */
  readonly hasFailedValidation: boolean
  /** Our own work is incomplete: budget, time, permissions, an upstream, files that could not be looked at. */
  readonly isIncomplete: boolean
}

export function decideConclusion(
  policy: Policy,
  standing: ConclusionInput,
): 'success' | 'neutral' | 'failure' {
  const { findings, hasFailedValidation, isIncomplete } = standing
  const blocks = hasFailedValidation || findings.some((finding) => isBlocking(policy, finding))
  if (policy !== 'off' && blocks) return 'failure'
  return findings.length > 0 || hasFailedValidation || isIncomplete ? 'neutral' : 'success'
}

const isBlocking = (
  policy: Policy,
  { severity, confidence }: ConclusionInput['findings'][number],
): boolean => (policy === 'strict' ? severity !== 'note' : severity === 'error' && confidence === 'high')
