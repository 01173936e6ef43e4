// Code generated from openapi.json by `npm run print`. DO NOT EDIT.

package cowrie

// The codes of each status and outcome, separated by spaces. Codes below 500 that are not here are decided.
var errorTable = []errorRow{
	{400, "decided", "bad_request idempotency_key_invalid invalid_fields malformed_json previous_response_not_found prompt_too_long sandbox_unavailable"},
	{400, "retry", "authorization_pending slow_down"},
	{401, "decided", "unauthenticated"},
	{402, "decided", "budget_too_low insufficient_funds key_budget_exceeded member_cap_reached"},
	{402, "unknown", "card_challenged"},
	{403, "decided", "address_not_allowed cross_origin insufficient_scope kyc_required model_not_allowed org_address_not_allowed org_suspended sso_required"},
	{404, "decided", "model_not_found not_found"},
	{408, "retry", "request_timeout"},
	{409, "decided", "limit_reached"},
	{409, "retry", "change_in_progress research_running thread_busy turn_running"},
	{409, "unknown", "idempotency_in_progress work_ended"},
	{413, "decided", "body_too_large"},
	{415, "decided", "unsupported_media_type"},
	{422, "decided", "idempotency_key_reused"},
	{429, "retry", "key_rate_limited rate_limited too_many_attempts too_many_loops too_many_open_turns too_many_research_runs too_many_streams"},
	{451, "decided", "residency_blocked"},
	{500, "unknown", "internal"},
	{502, "retry", "upstream_failed"},
	{502, "unknown", "answer_lost"},
	{503, "decided", "inference_not_configured not_configured payments_not_configured upstream_refused"},
	{503, "retry", "busy database_unavailable forge_unavailable github_unavailable isolation_unavailable maintenance research_unavailable sso_unreachable storage_unavailable upstream_unavailable"},
	{503, "unknown", "handler_timeout outcome_unknown rail_unavailable restarting stream_expired"},
}
