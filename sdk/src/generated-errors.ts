// Printed from the error catalogue by `npm run print`; do not edit.

/**
 * The outcome of a failed request. `decided`: the service refused or finished it. `retry`: it changed nothing, and
 * the same request may succeed later. `unknown`: it may have taken effect; send it again with the same Idempotency-Key to find out.
 */
export type Outcome = 'decided' | 'retry' | 'unknown'

export type ErrorCode =
  | 'access_denied'
  | 'already_decided'
  | 'already_member'
  | 'already_staff'
  | 'answer_lost'
  | 'authorization_pending'
  | 'bad_request'
  | 'body_too_large'
  | 'budget_too_low'
  | 'busy'
  | 'card_challenged'
  | 'card_declined'
  | 'challenge_ended'
  | 'change_in_progress'
  | 'channel_not_available'
  | 'code_not_expected'
  | 'connection_exists'
  | 'cross_origin'
  | 'database_unavailable'
  | 'domain_refused'
  | 'domain_taken'
  | 'endpoint_disabled'
  | 'expired'
  | 'forbidden'
  | 'github_unavailable'
  | 'handler_timeout'
  | 'headers_too_large'
  | 'idempotency_in_progress'
  | 'idempotency_key_invalid'
  | 'idempotency_key_required'
  | 'idempotency_key_reused'
  | 'inference_not_configured'
  | 'installation_claimed'
  | 'installation_suspended'
  | 'installation_unproven'
  | 'insufficient_funds'
  | 'insufficient_scope'
  | 'internal'
  | 'invalid_connection'
  | 'invalid_fields'
  | 'invalid_setting'
  | 'invalid_signature'
  | 'invitation_pending'
  | 'invite_invalid'
  | 'invoice_not_open'
  | 'isolation_one_way'
  | 'isolation_unavailable'
  | 'kyc_not_pending'
  | 'kyc_required'
  | 'kyc_verified'
  | 'last_operator'
  | 'last_owner'
  | 'last_super_admin'
  | 'limit_reached'
  | 'link_invalid'
  | 'maintenance'
  | 'malformed_json'
  | 'member_cap_reached'
  | 'method_not_allowed'
  | 'mfa_already_enabled'
  | 'mfa_not_enabled'
  | 'misdirected_request'
  | 'model_not_found'
  | 'no_payment_method'
  | 'no_subscription'
  | 'not_configured'
  | 'not_found'
  | 'org_not_closable'
  | 'org_suspended'
  | 'outcome_unknown'
  | 'passkey_invalid'
  | 'passkey_refused'
  | 'password_required'
  | 'payment_code_refused'
  | 'payment_not_in_review'
  | 'payment_not_settled'
  | 'payment_refused'
  | 'payments_not_configured'
  | 'plan_not_found'
  | 'price_changed'
  | 'project_editor_only'
  | 'prompt_too_long'
  | 'rail_unavailable'
  | 'rate_limited'
  | 'reauth_required'
  | 'refund_exceeds_captured'
  | 'request_timeout'
  | 'research_finished'
  | 'research_running'
  | 'research_unavailable'
  | 'residency_blocked'
  | 'restarting'
  | 'retrieval_not_vector'
  | 'root_admin'
  | 'sandbox_unavailable'
  | 'seats_below_occupied'
  | 'seats_exceeded'
  | 'seats_not_sold'
  | 'session_required'
  | 'signups_disabled'
  | 'slow_down'
  | 'sso_failed'
  | 'sso_required'
  | 'sso_unreachable'
  | 'staff_only'
  | 'storage_unavailable'
  | 'stream_expired'
  | 'subscription_exists'
  | 'subscription_past_due'
  | 'thread_busy'
  | 'too_many_attempts'
  | 'too_many_loops'
  | 'too_many_research_runs'
  | 'too_many_streams'
  | 'transaction_used'
  | 'unauthenticated'
  | 'unknown_role'
  | 'unknown_setting'
  | 'unlisted_address'
  | 'unsupported_media_type'
  | 'unverified_account'
  | 'upstream_failed'
  | 'upstream_refused'
  | 'upstream_unavailable'
  | 'uri_too_long'
  | 'validation_not_enabled'
  | 'verification_required'
  | 'wallet_full'
  | 'weak_password'
  | 'work_ended'
  | 'wrong_code'
  | 'wrong_credentials'
  | 'wrong_secret'

/** The codes of each status and outcome, separated by spaces. Codes below 500 that are not here are decided. */
export const errorTable: readonly (readonly [status: number, outcome: Outcome, codes: string])[] = [
  [400, 'decided', 'bad_request idempotency_key_invalid invalid_fields malformed_json prompt_too_long sandbox_unavailable'],
  [400, 'retry', 'authorization_pending slow_down'],
  [401, 'decided', 'unauthenticated'],
  [402, 'decided', 'budget_too_low insufficient_funds member_cap_reached'],
  [402, 'unknown', 'card_challenged'],
  [403, 'decided', 'cross_origin insufficient_scope kyc_required org_suspended sso_required'],
  [404, 'decided', 'model_not_found not_found'],
  [408, 'retry', 'request_timeout'],
  [409, 'decided', 'limit_reached'],
  [409, 'retry', 'change_in_progress research_running thread_busy'],
  [409, 'unknown', 'idempotency_in_progress work_ended'],
  [413, 'decided', 'body_too_large'],
  [415, 'decided', 'unsupported_media_type'],
  [422, 'decided', 'idempotency_key_reused'],
  [429, 'retry', 'rate_limited too_many_attempts too_many_loops too_many_research_runs too_many_streams'],
  [451, 'decided', 'residency_blocked'],
  [500, 'unknown', 'internal'],
  [502, 'retry', 'upstream_failed'],
  [502, 'unknown', 'answer_lost'],
  [503, 'decided', 'inference_not_configured not_configured payments_not_configured upstream_refused'],
  [503, 'retry', 'busy database_unavailable github_unavailable isolation_unavailable maintenance research_unavailable sso_unreachable storage_unavailable upstream_unavailable'],
  [503, 'unknown', 'handler_timeout outcome_unknown rail_unavailable restarting stream_expired'],
]
