// Why verification stops before all findings are judged. These problems are never charged and never block a merge by themselves.
import { ApiError } from '../../kernel/errors.ts'
import type { ReviewProblem } from '../runs/review-context.ts'

/** Thrown when a turn cannot start or gave no verdict. */
export class VerificationStopped extends Error {
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(`verification stopped: ${reason}`)
    this.name = 'VerificationStopped'
    this.reason = reason
  }
}

const REMAINDER = 'Unverified findings are shown as the rules reported them.'
const MESSAGES = {
  no_balance: 'The balance is too low to verify findings. Top up to enable verification.',
  budget: 'The daily budget of this pull request was reached before all findings were verified.',
  turn_limit: 'The limit of model turns was reached before all findings were verified.',
  too_slow: 'The review ran out of time before all findings were verified.',
  residency_blocked: 'No model is available in the data region of this organisation.',
  model_not_allowed: 'The policy of this organisation does not allow the model of reviews.',
  org_suspended: 'This organisation was suspended before all findings were verified.',
  kyc_required: 'Findings are verified only after the identity of this organisation is verified.',
  maintenance: 'Findings were not verified because the service is under maintenance.',
  upstream: 'The model gave no usable answer.',
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
  model_not_allowed: 'model_not_allowed',
  inference_not_configured: 'upstream',
  upstream_failed: 'upstream',
  upstream_unavailable: 'upstream',
  upstream_refused: 'upstream',
  prompt_too_long: 'upstream',
  busy: 'upstream',
}

/** Null for unexpected errors, which the job retries. */
export function problemFromError(error: unknown): ReviewProblem | null {
  if (error instanceof VerificationStopped) return problemFor(error.reason)
  const reason = error instanceof ApiError ? REASONS[error.code] : undefined
  return reason ? problemFor(reason) : null
}
