// Why model turns of a review end before all is judged. None of it is charged, and none of it alone blocks a merge.
import { ApiError } from '../../kernel/errors.ts'
import type { ReviewProblem } from '../runs/review-context.ts'

/** Thrown where a turn cannot be begun or brought nothing. */
export class VerificationStopped extends Error {
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(`the verification of a review stops: ${reason}`)
    this.name = 'Stopped'
    this.reason = reason
  }
}

const REMAINDER = 'What was not judged is shown as the rules found it.'
const MESSAGES = {
  no_balance: 'There is not enough balance to have findings verified.',
  budget: 'The budget of this pull request for a day was reached before all findings were verified.',
  turn_limit: 'The limit of model turns was reached before all findings were verified.',
  too_slow: 'The review ran out of time before all findings were verified.',
  residency_blocked: 'No model may verify findings in the region of this organisation.',
  org_suspended: 'This organisation was suspended before all findings were verified.',
  kyc_required: 'Findings are verified once the identity of this organisation is.',
  maintenance: 'Findings were not verified because the service is under maintenance.',
  upstream: 'The model that verifies findings did not give a usable answer.',
} as const

export type StopReason = keyof typeof MESSAGES

export const problemFor = (reason: StopReason): ReviewProblem => ({
  reason,
  message: `${MESSAGES[reason]} ${REMAINDER}`,
})

const REASONS: Readonly<Record<string, StopReason>> = {
  insufficient_funds: 'no_balance',
  member_cap_reached: 'no_balance',
  budget_too_low: 'budget',
  residency_blocked: 'residency_blocked',
  inference_not_configured: 'upstream',
  upstream_failed: 'upstream',
  upstream_unavailable: 'upstream',
  upstream_refused: 'upstream',
  prompt_too_long: 'upstream',
  busy: 'upstream',
}

/** Null for what is no problem of this kind but a fault, which the job repeats. */
export function problemFromError(error: unknown): ReviewProblem | null {
  if (error instanceof VerificationStopped) return problemFor(error.reason)
  const reason = error instanceof ApiError ? REASONS[error.code] : undefined
  return reason ? problemFor(reason) : null
}
