// Every refusal the API can give, by name. ERRORS.md and the OpenAPI document are printed from this table.

export type ErrorEntry = {
  readonly status: number
  /** One plain sentence that says what to do. */
  readonly message: string
  /** Set on refusals that say "try again later": the default Retry-After in seconds. */
  readonly retryAfter?: number
}

export const ERRORS = {
  bad_request: { status: 400, message: 'The request could not be understood; check its syntax.' },
  malformed_json: {
    status: 400,
    message: 'The body is not valid JSON; check its syntax and encoding (UTF-8).',
  },
  invalid_fields: {
    status: 400,
    message: 'Some fields are missing or wrong; see "fields" for each of them.',
  },
  idempotency_key_required: {
    status: 400,
    message:
      'Send an Idempotency-Key header of 1 to 255 visible ASCII characters, new for each intent and repeated on retries.',
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  },
  link_invalid: {
    status: 400,
    message: 'This link is wrong, has expired or was used already; ask for a new one.',
  },
  weak_password: {
    status: 400,
    message: 'This password is too easy to guess; choose one that is longer or less common.',
  },
  authorization_pending: {
    status: 400,
    message: 'Nobody has decided on this request yet; ask again after the interval.',
  },
  slow_down: {
    status: 400,
    message: 'You ask too often; wait for the interval in this answer between two calls.',
  },
  access_denied: { status: 400, message: 'This request was refused; start again if that was a mistake.' },
  expired: { status: 400, message: 'This request has expired or was used already; start again.' },
  passkey_invalid: {
    status: 400,
    message: 'This passkey could not be added; ask for new options and create it again.',
  },
  invite_invalid: {
    status: 400,
    message: 'This invitation is wrong, has expired, was used or was taken back; ask for a new one.',
  },
  password_required: {
    status: 400,
    message: 'There is no account with this address yet; send the password that it should have.',
  },
  channel_not_available: {
    status: 400,
    message: 'This way to pay does not serve your currency; use one of those in "channels".',
  },
  payment_code_refused: {
    status: 400,
    message: 'The network of the payer did not take this code; ask it for another, and send that.',
  },
  payment_not_settled: {
    status: 400,
    message: 'A refund cites a settled payment of the organisation, and this reference is none.',
  },
  refund_exceeds_captured: {
    status: 400,
    message:
      'This is more than the payment captured, net of earlier refunds; refund at most "remainingMinor".',
  },
  unauthenticated: {
    status: 401,
    message: 'Sign in, or send a valid API key as "Authorization: Bearer <key>".',
  },
  invalid_signature: { status: 401, message: 'The signature of this notification does not match its body.' },
  wrong_credentials: {
    status: 401,
    message: 'The email address or the password is wrong; check both, or ask for a sign-in link.',
  },
  wrong_code: {
    status: 401,
    message: 'This code is wrong, too old or was used already; enter the one shown now.',
  },
  challenge_ended: {
    status: 401,
    message: 'This sign-in has expired or was ended; begin again with your password or a sign-in link.',
  },
  passkey_refused: {
    status: 401,
    message: 'This passkey was not accepted; try again, or sign in another way.',
  },
  sso_failed: {
    status: 401,
    message: 'The sign-in with your identity provider did not succeed; start it again.',
  },
  insufficient_funds: {
    status: 402,
    message: 'The wallet does not cover this work; top it up with at least what is missing, or ask for less.',
  },
  member_cap_reached: {
    status: 402,
    message: 'Your monthly cap does not cover this work; ask an owner or administrator to raise it.',
  },
  seats_exceeded: {
    status: 402,
    message: 'All seats of this organisation are taken; remove a member or buy more seats.',
  },
  payment_refused: {
    status: 402,
    message: 'The payment provider refused this payment; nothing was paid. See "reason", or pay another way.',
  },
  forbidden: {
    status: 403,
    message: 'Your account may not do this; ask an owner or administrator of your organisation.',
  },
  insufficient_scope: {
    status: 403,
    message: 'This API key lacks the scope for this call; create a key that has it.',
  },
  session_required: { status: 403, message: 'This call needs a signed-in person; API keys cannot make it.' },
  staff_only: { status: 403, message: 'Only platform staff of the right tier may do this.' },
  sso_required: {
    status: 403,
    message:
      'This organisation requires single sign-on; start at /auth/sso/initiate with your email address.',
  },
  reauth_required: {
    status: 403,
    message:
      'Sign in again before you change how your account is protected; your session began more than 15 minutes ago.',
  },
  verification_required: {
    status: 403,
    message: 'Confirm your email address first; use the link in the mail we sent you, or ask for a new one.',
  },
  signups_disabled: {
    status: 403,
    message: 'New accounts are not being opened right now; ask for an invitation.',
  },
  cross_origin: {
    status: 403,
    message: 'This call came from another website and was refused; use the app itself or an API key.',
  },
  org_suspended: {
    status: 403,
    message: 'This organisation is suspended and cannot start paid work; contact support.',
  },
  kyc_required: {
    status: 403,
    message:
      'Paid work needs a verified business; submit your details under Verification and wait for review.',
  },
  unlisted_address: {
    status: 403,
    message: 'Notifications are not taken from this address; ask the operator to list it.',
  },
  wrong_secret: { status: 403, message: 'The machine secret of this call is missing or wrong.' },
  not_found: { status: 404, message: 'There is nothing here, or it is not yours.' },
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
    message: 'Send the body as application/json in UTF-8 without content encoding.',
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
  too_many_streams: {
    status: 429,
    message: 'You have too many streams open; close one first.',
    retryAfter: 5,
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are larger than 16 KiB; send fewer or shorter ones.',
  },
  internal: {
    status: 500,
    message: 'Something broke on our side; nothing was charged. Retry, and quote the request id if it stays.',
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
  not_configured: {
    status: 503,
    message: 'This deployment has not configured what this call needs; ask its operator.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS
export type Field = { path: string; message: string }

/** A refusal: the caller did or met something we foresaw. Bugs are never ApiErrors. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Further fields of the answer, such as `fields` or `requiredMinor`. Never secrets. */
  readonly detail: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined

  /** `detail.error` replaces the catalogue's sentence where a more helpful one is known. */
  constructor(code: ErrorCode, detail: Record<string, unknown> = {}) {
    const entry: ErrorEntry = ERRORS[code]
    const { error, retryAfter, ...rest } = detail
    super(typeof error === 'string' ? error : entry.message)
    this.name = 'ApiError'
    this.code = code
    this.status = entry.status
    this.detail = rest
    this.retryAfter = typeof retryAfter === 'number' ? retryAfter : entry.retryAfter
  }
}

export const invalidFields = (...fields: Field[]): ApiError => new ApiError('invalid_fields', { fields })
