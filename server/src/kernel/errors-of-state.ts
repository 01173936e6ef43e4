// Refusals because of how things stand: 404 to 499. By status.
import type { ErrorEntry } from './error-entry.ts'

export const REFUSED_STATES = {
  not_found: { status: 404, message: 'There is nothing here, or it is not yours.' },
  model_not_found: {
    status: 404,
    message: 'There is no such model here; GET /v1/models lists those there are.',
  },
  plan_not_found: { status: 404, message: 'There is no such plan; GET /plans lists those there are.' },
  no_subscription: {
    status: 404,
    message: 'There is no active subscription; begin one with POST /subscription/checkout.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address exists but does not take this method; see the Allow header.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive; send it again on a better connection.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first call with this Idempotency-Key is still running; retry shortly with the same key.',
    retryAfter: 1,
  },
  thread_busy: {
    status: 409,
    message: 'This conversation is still being answered; wait for the answer or stop it.',
    retryAfter: 2,
  },
  research_finished: {
    status: 409,
    message: 'This run has already finished, so there is nothing to cancel.',
  },
  research_running: {
    status: 409,
    message: 'This run has not finished; cancel it first and wait until the step in progress is over.',
    retryAfter: 2,
  },
  change_in_progress: {
    status: 409,
    message: 'A change of this subscription is still being paid; wait until it is decided and look again.',
    retryAfter: 5,
  },
  price_changed: {
    status: 409,
    message: 'This costs more by now than you were told, and nothing was charged; look at the preview again.',
  },
  subscription_exists: {
    status: 409,
    message: 'There is a subscription already; change it with POST /subscription/change.',
  },
  subscription_past_due: {
    status: 409,
    message: 'The last renewal of this subscription is unpaid; pay its open invoice first.',
  },
  invoice_not_open: {
    status: 409,
    message: 'This invoice is not open, so there is nothing to pay; look at its status.',
  },
  isolation_one_way: {
    status: 409,
    message:
      'Content that has a place of its own does not go back; choose the same isolation or a stronger one.',
  },
  org_not_closable: {
    status: 409,
    message: 'This organisation cannot be closed yet; `reasons` says what to do first.',
  },
  endpoint_disabled: {
    status: 409,
    message: 'This webhook endpoint is disabled; enable it with PATCH /webhook-endpoints/{id} first.',
  },
  installation_claimed: {
    status: 409,
    message: 'Another organisation has claimed this installation; ask its owners to release it.',
  },
  installation_suspended: {
    status: 409,
    message: 'This installation is suspended on GitHub; unsuspend it there and claim it again.',
  },
  validation_not_enabled: {
    status: 409,
    message: 'Running the tests of pull requests is not enabled on this deployment; ask its operator.',
  },
  already_member: { status: 409, message: 'This person is a member of the organisation already.' },
  last_owner: {
    status: 409,
    message: 'An organisation keeps at least one owner; make another member an owner first.',
  },
  invitation_pending: {
    status: 409,
    message: 'This person has not accepted the invitation yet; send it again or wait until they have.',
  },
  kyc_verified: {
    status: 409,
    message: 'This organisation is verified already; there is nothing to submit.',
  },
  kyc_not_pending: {
    status: 409,
    message:
      'Nothing of this organisation waits for review; list what does with GET /admin/kyc?status=pending.',
  },
  payment_not_in_review: {
    status: 409,
    message: 'This payment is not under review; list what is with GET /admin/payments?status=review.',
  },
  transaction_used: {
    status: 409,
    message: "The provider's transaction has paid for another payment already; reject this one.",
  },
  work_ended: {
    status: 409,
    message: 'This work was begun before and is over; start it anew with a new Idempotency-Key.',
  },
  connection_exists: {
    status: 409,
    message: 'This organisation has a single sign-on connection already; change or delete that one.',
  },
  domain_taken: {
    status: 409,
    message: 'Another organisation has verified this domain; it has to remove it first.',
  },
  code_not_expected: {
    status: 409,
    message: 'This payment does not wait for a code; ask how it stands with POST /wallet/verify.',
  },
  wallet_full: {
    status: 409,
    message: 'A wallet holds at most 4,000,000,000,000,000,000 minor units, and this credit would pass that.',
  },
  limit_reached: { status: 409, message: 'You have as many of these as is allowed; remove one first.' },
  already_decided: {
    status: 409,
    message: 'This was decided already; start again in the program, or revoke its key in your settings.',
  },
  mfa_already_enabled: {
    status: 409,
    message: 'Two-step sign-in is on already; turn it off before you set it up anew.',
  },
  mfa_not_enabled: { status: 409, message: 'Two-step sign-in is not on; set it up first.' },
  already_staff: {
    status: 409,
    message:
      'This account is platform staff already; change its tier with PUT /admin/operators/{userId}/role.',
  },
  unverified_account: {
    status: 409,
    message: 'This account has not confirmed its email address; send an invitation instead.',
  },
  root_admin: {
    status: 409,
    message: 'This is the root administrator, who is named in the configuration and changed only there.',
  },
  last_super_admin: {
    status: 409,
    message: 'The platform keeps at least one super admin; make another account one first.',
  },
  last_operator: {
    status: 409,
    message: 'The platform keeps at least one member of staff; add another first.',
  },
  body_too_large: { status: 413, message: 'The body is larger than this call accepts; send less at once.' },
  uri_too_long: { status: 414, message: 'The address is longer than 8 KiB; put the data into the body.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json in UTF-8.',
  },
  misdirected_request: {
    status: 421,
    message:
      'This host name is not served here; use localhost, or set SERVICE_BASE_URL to the address you want to use.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another body; use a new key for a new intent.',
  },
  unknown_setting: {
    status: 422,
    message: 'There is no setting with this key; GET /admin/settings lists them.',
  },
  invalid_setting: { status: 422, message: 'The setting does not accept this value.' },
  invalid_connection: {
    status: 422,
    message: 'The single sign-on connection cannot work like this; see "fields" for what to change.',
  },
  domain_refused: {
    status: 422,
    message: 'This domain cannot belong to one organisation; give a domain of your own.',
  },
  unknown_role: {
    status: 422,
    message: 'There is no such tier; it is support, billing, compliance, operator or super_admin.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests from your address; wait for the time in Retry-After.',
  },
  too_many_attempts: {
    status: 429,
    message: 'Too many attempts; wait for the time in Retry-After.',
    retryAfter: 60,
  },
  too_many_loops: {
    status: 429,
    message: 'Your organisation has as many loops under way as its plan allows; wait until one has ended.',
    retryAfter: 15,
  },
  too_many_research_runs: {
    status: 429,
    message:
      'Your organisation has as many research runs under way as its plan allows; wait until one has ended.',
    retryAfter: 30,
  },
  too_many_streams: {
    status: 429,
    message: 'You have too many streams or calls under way; close one, or wait until one has ended.',
    retryAfter: 5,
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are larger than 16 KiB; send fewer or shorter ones.',
  },
  residency_blocked: {
    status: 451,
    message:
      'Your organisation keeps its code in one region, and no model is set up there; ask the operator for one.',
  },
} as const satisfies Record<string, ErrorEntry>
