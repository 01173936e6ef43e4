// Decides the conclusion of the check. Only findings and failed tests block a merge. An incomplete review never passes.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { BlockingPolicy } from '../installations/installations-sql.ts'

export type ConclusionInput = {
  readonly findings: readonly Pick<Finding, 'severity' | 'confidence'>[]
  /** The project's tests fail because of the change. */
  readonly hasFailedValidation: boolean
  /** Because of budget, time, permissions, the model provider or files that could not be read. */
  readonly isIncomplete: boolean
}

export function decideConclusion(
  policy: BlockingPolicy,
  input: ConclusionInput,
): 'success' | 'neutral' | 'failure' {
  const { findings, hasFailedValidation, isIncomplete } = input
  const blocks = hasFailedValidation || findings.some((finding) => isBlocking(policy, finding))
  if (policy !== 'off' && blocks) return 'failure'
  return findings.length > 0 || hasFailedValidation || isIncomplete ? 'neutral' : 'success'
}

const isBlocking = (
  policy: BlockingPolicy,
  { severity, confidence }: ConclusionInput['findings'][number],
): boolean => (policy === 'strict' ? severity !== 'note' : severity === 'error' && confidence === 'high')
