// Refusals that are ours: 500 and above. By status.
import type { ErrorEntry } from './error-entry.ts'

export const REFUSED_BY_US = {
  internal: {
    status: 500,
    message: 'Something broke on our side; nothing was charged. Retry, and quote the request id if it stays.',
  },
  upstream_failed: {
    status: 502,
    message: 'The model gave no usable answer; nothing was charged. Try again, or ask in another way.',
  },
  answer_lost: {
    status: 502,
    message:
      'The connection to the service broke before it answered; retry with the same Idempotency-Key to learn the outcome.',
    retryAfter: 1,
  },
  restarting: {
    status: 503,
    message: 'The service is restarting; connect again.',
    retryAfter: 1,
  },
  database_unavailable: {
    status: 503,
    message: 'The database cannot be reached right now; retry shortly.',
    retryAfter: 2,
  },
  storage_unavailable: {
    status: 503,
    message: 'The file storage cannot be reached right now; retry shortly.',
    retryAfter: 5,
  },
  outcome_unknown: {
    status: 503,
    message:
      'The connection to the database broke while committing; retry with the same Idempotency-Key to learn the outcome.',
    retryAfter: 2,
  },
  isolation_unavailable: {
    status: 503,
    message:
      'The place for this content cannot be made ready right now, and nothing was changed; try again later.',
    retryAfter: 30,
  },
  busy: { status: 503, message: 'The service is at its limit right now; retry shortly.', retryAfter: 2 },
  maintenance: {
    status: 503,
    message: 'The service is under maintenance; paid and changing calls resume soon.',
    retryAfter: 60,
  },
  handler_timeout: {
    status: 503,
    message: 'The call took longer than 30 seconds and was given up; retry with the same Idempotency-Key.',
    retryAfter: 2,
  },
  sso_unreachable: {
    status: 503,
    message: 'Your identity provider does not answer right now; try again shortly.',
    retryAfter: 5,
  },
  research_unavailable: {
    status: 503,
    message: 'Research is not available here right now; GET /research/config says why.',
    retryAfter: 300,
  },
  github_unavailable: {
    status: 503,
    message: 'GitHub does not answer right now; try again shortly.',
    retryAfter: 10,
  },
  rail_unavailable: {
    status: 503,
    message:
      'The payment provider does not answer right now; retry with the same Idempotency-Key, or ask about "reference" with POST /wallet/verify.',
    retryAfter: 5,
  },
  payments_not_configured: {
    status: 503,
    message: 'This way to pay is not set up on this deployment; use another, or ask its operator.',
  },
  upstream_unavailable: {
    status: 503,
    message: 'The model does not answer right now; nothing was charged. Try again shortly.',
    retryAfter: 5,
  },
  upstream_refused: {
    status: 503,
    message:
      'The service cannot reach its model right now; nothing was charged. Its operators have been alerted.',
  },
  inference_not_configured: {
    status: 503,
    message: 'No model is set up on this deployment; ask its operator.',
  },
  not_configured: {
    status: 503,
    message: 'This deployment has not configured what this call needs; ask its operator.',
  },
} as const satisfies Record<string, ErrorEntry>
