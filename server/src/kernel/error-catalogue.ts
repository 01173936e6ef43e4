// Every error the API can return. docs/reference/errors.md, the OpenAPI document and the table of the SDK are printed from it.

/** Whether the request took effect, and whether to send it again. */
export type Outcome =
  /** The service refused or finished the request. The same request gets the same answer, or needs a change first. */
  | 'decided'
  /** The request changed nothing. The same request may succeed later. */
  | 'retry'
  /** The request may have taken effect. Send it again with the same Idempotency-Key to find out. */
  | 'unknown'

export type ErrorEntry = {
  readonly status: number
  readonly outcome: Outcome
  /** The problem, then the action of the caller. */
  readonly message: string
  /** The default Retry-After in seconds. */
  readonly retryAfter?: number
}

type Text = string | readonly [message: string, retryAfter: number]

function entries<T extends Readonly<Record<string, Text>>>(status: number, outcome: Outcome, texts: T) {
  const entryOf = (text: Text): ErrorEntry =>
    typeof text === 'string'
      ? { status, outcome, message: text }
      : { status, outcome, message: text[0], retryAfter: text[1] }
  return Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, entryOf(text)])) as {
    readonly [code in keyof T]: ErrorEntry
  }
}

export const ERRORS = {
  ...entries(400, 'decided', {
    bad_request: 'The request could not be understood. Check its syntax.',
    malformed_json: 'The body is not valid JSON. Check its syntax and encoding (UTF-8).',
    invalid_fields: 'Some fields are missing or invalid. See "fields" for each of them.',
    idempotency_key_required:
      'The Idempotency-Key header is missing. Send 1 to 255 visible ASCII characters: a new key per intent, the same key on retries.',
    idempotency_key_invalid: 'The Idempotency-Key is not valid. Send 1 to 255 visible ASCII characters.',
    link_invalid: 'This link is invalid, has expired or was already used. Request a new one.',
    weak_password: 'This password is too easy to guess. Choose one that is longer or less common.',
    access_denied: 'This request was denied. Start again if that was a mistake.',
    expired: 'This request has expired or was already used. Start again.',
    passkey_invalid: 'This passkey could not be added. Request new options and create it again.',
    invite_invalid: 'This invitation is invalid, has expired, was used or was revoked. Ask for a new one.',
    password_required: 'There is no account with this email address yet. Send a password for it.',
    channel_not_available:
      'This payment channel does not support your currency. Use one of those in "channels".',
    payment_code_refused: "The payer's network rejected this code. Request another code and send it.",
    payment_not_settled:
      'This reference is not a settled payment of the organisation. Refund a settled payment.',
    refund_exceeds_balance:
      'The refund is more than the free balance of the wallet. Refund at most "availableMinor".',
    refund_not_supported:
      'This payment cannot be refunded to the payer here. Pay it out by hand, and record that in a case.',
    refund_exceeds_captured:
      'The refund is more than what is left of the captured payment. Refund at most "remainingMinor".',
    sandbox_unavailable: 'This sandbox cannot run here. Use one of those in "sandboxes".',
    prompt_too_long: 'The prompt is longer than the model can read. Send less text or fewer files.',
    previous_response_not_found:
      'The previous response does not exist. Send `store: true` with a response that you continue, or send the whole conversation.',
    retrieval_not_vector:
      'This deployment keeps no code index. Ask its operator to set retrieval to vector mode.',
    seats_below_occupied: 'More members have a seat than that. Remove some of them first.',
    seats_not_sold:
      'This plan has a fixed number of seats. Change to the team or enterprise plan to add more.',
  }),
  ...entries(400, 'retry', {
    authorization_pending: 'This request is not approved yet. Poll again after the interval.',
    slow_down: 'You poll too often. Wait for the interval in this answer between two calls.',
  }),
  ...entries(401, 'decided', {
    unauthenticated:
      'You are not signed in, or the API key is not valid. Sign in, or send a valid key as "Authorization: Bearer <key>".',
    invalid_signature: 'The signature of this webhook does not match its body. Check the signing secret.',
    wrong_credentials: 'The email address or password is wrong. Check both, or request a sign-in link.',
    wrong_code: 'This code is wrong, too old or already used. Enter the code shown now.',
    challenge_ended:
      'This sign-in has expired or was cancelled. Start again with your password or a sign-in link.',
    passkey_refused: 'This passkey was not accepted. Try again, or sign in another way.',
    sso_failed: 'The sign-in with your identity provider failed. Start it again.',
  }),
  ...entries(402, 'decided', {
    insufficient_funds:
      'The wallet balance does not cover this work. Top up at least the missing amount, or ask for less.',
    member_cap_reached:
      'Your monthly cap does not cover this work. Ask an owner or administrator to raise it.',
    key_budget_exceeded:
      'The budget of this API key does not cover this work. Raise the budget, wait for its next period, or ask for less.',
    budget_too_low: 'Your spending limit does not cover this work. Allow at least "requiredMinor".',
    no_payment_method:
      'There is no card to charge. Add one with POST /payment-methods, or start with POST /subscription/checkout.',
    card_declined:
      'The bank declined the card, and nothing was charged. Use another card or contact the bank.',
    seats_exceeded: 'All seats of this organisation are taken. Remove a member or buy more seats.',
    payment_refused:
      'The payment provider refused this payment, and nothing was paid. See "reason", or pay another way.',
  }),
  ...entries(402, 'unknown', {
    card_challenged:
      'The bank asks you to confirm this payment, and nothing is charged until then. Open "authorizationUrl", then retry with the same Idempotency-Key.',
  }),
  ...entries(403, 'decided', {
    forbidden: 'Your role does not allow this. Ask an owner or administrator of your organisation.',
    insufficient_scope: 'This API key lacks the scope for this call. Create a key with that scope.',
    address_not_allowed:
      'This API key cannot be used from your address. Call from an allowed address, or add yours to the key.',
    org_address_not_allowed:
      'This organisation cannot be used from your address. Use an allowed network, or ask an administrator to add your address.',
    session_required: 'API keys cannot make this call. Sign in and make it from a session.',
    staff_only: 'Only staff of the platform with the right tier can do this.',
    sso_required:
      'This organisation requires single sign-on. Start at /auth/sso/initiate with your email address.',
    second_factor_required:
      'Staff access needs a second factor. Confirm it on the page that asks for it, or first set up an authenticator app or a passkey in your security settings.',
    approval_required:
      'This amount needs a second member of staff. Your request is stored: another one approves it under Approvals within 24 hours.',
    step_up_required:
      'Confirm that it is you with a code or a passkey, and send the request again. Money and access of others need a second factor of the last 10 minutes.',
    reauth_required:
      'Your session began more than 15 minutes ago. Sign in again before you change how your account is protected.',
    verification_required:
      'Your email address is not confirmed. Use the link in the email we sent you, or request a new one.',
    signups_disabled: 'New accounts are not being opened right now. Ask for an invitation.',
    cross_origin: 'This call came from another website. Use the app itself or an API key.',
    org_suspended: 'This organisation is suspended and cannot start paid work. Contact support.',
    kyc_required:
      'Paid work requires a verified business. Submit your details under Verification and wait for review.',
    unlisted_address: 'Webhooks are not accepted from this address. Ask the operator to list it.',
    installation_unproven:
      'This installation is not proven to be yours. Put .github/cowrie.json with the id of your organisation on a default branch.',
    project_editor_only:
      'You cannot change this project. Ask one of its editors, or an owner or administrator.',
    model_not_allowed:
      'The policy of your organisation or the limits of this API key do not allow this model. Use another model.',
    wrong_secret: 'The machine secret is missing or wrong. Check the secret of this call.',
  }),
  ...entries(404, 'decided', {
    not_found: 'This does not exist, or you have no access to it. Check the address.',
    model_not_found: 'There is no such model. GET /v1/models lists the models.',
    plan_not_found: 'There is no such plan. GET /plans lists the plans.',
    no_subscription: 'There is no active subscription. Start one with POST /subscription/checkout.',
    repository_not_found:
      'The installation has no such repository. Check its name, or add it to the installation on GitHub.',
    ref_not_found: 'The repository has no such branch, tag or commit. Check the name of the ref.',
  }),
  ...entries(405, 'decided', {
    method_not_allowed: 'This address does not support this method. See the Allow header.',
  }),
  ...entries(408, 'retry', {
    request_timeout: 'The request took too long to arrive. Send it again on a better connection.',
  }),
  ...entries(409, 'decided', {
    email_managed_by_sso:
      'Your organisation manages this address with single sign-on. Ask its administrator to change it there.',
    email_taken: 'Another account uses this address by now. Use another address.',
    would_lock_you_out:
      'The list lacks the address of this call, so you could not undo it from here. Add the address, or set allowLockOut.',
    research_finished: 'This run has already finished. There is nothing to cancel.',
    research_not_waiting: 'This run does not wait for this now. Its field "needs" shows what it waits for.',
    run_finished: 'This run has already finished. There is nothing to stop.',
    price_changed:
      'The price is now higher than the one you agreed to, and nothing was charged. Look at the preview again.',
    subscription_exists: 'There is already a subscription. Change it with POST /subscription/change.',
    subscription_past_due: 'The last renewal of this subscription is unpaid. Pay its open invoice first.',
    invoice_not_open: 'This invoice is not open, so there is nothing to pay. Check its status.',
    isolation_one_way: 'Data isolation cannot be lowered. Choose the same isolation or a stronger one.',
    org_not_closable: 'This organisation cannot be closed yet. See "reasons" for what to do first.',
    endpoint_disabled:
      'This webhook endpoint is disabled. Enable it with PATCH /webhook-endpoints/{id} first.',
    installation_claimed: 'Another organisation has claimed this installation. Ask its owners to release it.',
    installation_suspended:
      'This installation is suspended on GitHub. Unsuspend it there and claim it again.',
    validation_not_enabled:
      'Running the tests of pull requests is not enabled on this deployment. Ask its operator.',
    already_member: 'This person is already a member of the organisation. There is nothing to do.',
    last_owner: 'An organisation needs at least one owner. Make another member an owner first.',
    invitation_pending:
      'This person has not accepted the invitation yet. Send it again, or wait until they accept.',
    kyc_verified: 'This organisation is already verified. There is nothing to submit.',
    kyc_not_pending:
      'This organisation has no submission to review. List them with GET /admin/kyc?status=pending.',
    payment_not_in_review:
      'This payment is not under review. List those that are with GET /admin/payments?status=review.',
    refund_in_progress:
      'The provider has not decided an earlier refund of this payment. Wait for its result, then try again.',
    dispute_answer_refused:
      'The provider did not take this answer, and nothing changed there. Read "reason", and correct the answer.',
    transaction_used: "The provider's transaction already paid for another payment. Reject this one.",
    connection_exists:
      'This organisation already has a single sign-on connection. Change or delete that one.',
    domain_taken: 'Another organisation has verified this domain. Ask its owners to remove it first.',
    code_not_expected: 'This payment does not wait for a code. Check its status with POST /wallet/verify.',
    wallet_full:
      'This credit would exceed the wallet limit of 4,000,000,000,000,000,000 minor units. Credit less.',
    limit_reached: 'You have reached the limit for these. Remove one first.',
    already_decided:
      'This request was already decided. Start again in the program, or revoke its key in your settings.',
    mfa_already_enabled: 'Two-step sign-in is already on. Turn it off before you set it up again.',
    mfa_not_enabled: 'Two-step sign-in is off. Set it up first.',
    already_staff:
      'This account is already platform staff. Change its tier with PUT /admin/operators/{userId}/role.',
    unverified_account: 'This account has not confirmed its email address. Send an invitation instead.',
    root_admin: 'This is the root administrator. Change it in the configuration.',
    last_super_admin: 'The platform needs at least one super admin. Promote another account first.',
    last_operator: 'The platform needs at least one member of staff. Add another first.',
    name_taken: 'Another one has this name. Choose another name.',
    provider_in_use: 'Models have a route to this provider. Remove the routes in "models" first.',
    built_in: 'This is built in and cannot be changed here. Change the settings instead.',
    permission_missing:
      'The GitHub App lacks permissions. Grant those in "permissions" in the installation settings on GitHub. The patch stays downloadable.',
    installation_unavailable:
      'The GitHub App can no longer access this repository. Install it again, or give it access to the repository.',
    branch_exists:
      'The repository already has this branch, and its commits are not from this task. Choose another branch.',
    branch_moved:
      'Another commit was pushed to the branch of this pull request, and nothing was overwritten. Choose another branch, or merge the patch.',
    too_many_tasks: 'Your organisation has the most tasks that it can have. Delete some first.',
    too_many_turns: 'This task has the most turns that it can have. Start a new task.',
    not_client_workspace:
      'The tools of this task run on the server. Only client workspaces take tools and results.',
    is_client_workspace: 'The files of this task are on the machine of the caller. Restore them there.',
    files_changed:
      'The files have changed since you read them, and nothing was done. Read the difference again.',
    base_unknown:
      'The output of this call cannot be rebuilt from the earlier one, and nothing was stored. Send it whole.',
    not_repository_workspace: 'This task is not about a repository. Download its patch instead.',
    no_changes: 'There are no new changes to publish. Ask for a change first.',
    pull_request_closed:
      'The pull request of this task is closed or merged. Choose another branch to open a new one.',
    push_refused:
      'GitHub refused this branch or pull request. See "reason", and check the rules and branches of the repository.',
  }),
  ...entries(409, 'retry', {
    thread_busy: ['This conversation is still being answered. Wait for the answer or stop it.', 2],
    turn_running: ['This task is still working on a turn. Wait until it has finished, or stop it.', 2],
    research_running: ['This run has not finished. Cancel it and wait until its current step ends.', 2],
    change_in_progress: [
      'A change of this subscription is still being paid. Wait for its outcome and look again.',
      5,
    ],
  }),
  ...entries(409, 'unknown', {
    idempotency_in_progress: [
      'The first call with this Idempotency-Key is still running. Retry shortly with the same key.',
      1,
    ],
    work_ended: 'Another process ended this work. Retry with the same Idempotency-Key to learn the outcome.',
  }),
  ...entries(412, 'decided', {
    version_changed: 'This was changed since you read it, and nothing was done. Read it again.',
  }),
  ...entries(413, 'decided', {
    body_too_large: 'The body is larger than this call accepts. Send less at once.',
  }),
  ...entries(414, 'decided', {
    uri_too_long: 'The address is longer than 8 KiB. Put the data into the body.',
  }),
  ...entries(415, 'decided', {
    unsupported_media_type: 'The body has an unsupported type. Send it as application/json in UTF-8.',
  }),
  ...entries(421, 'decided', {
    misdirected_request:
      'This host name is not served here. Use localhost, or set SERVICE_BASE_URL to the address you want to use.',
  }),
  ...entries(422, 'decided', {
    idempotency_key_reused:
      'This Idempotency-Key was used with another body. Use a new key for a new intent.',
    unknown_setting: 'There is no setting with this key. GET /admin/settings lists them.',
    invalid_setting: 'The setting does not accept this value. GET /admin/settings describes its values.',
    invalid_connection: 'The single sign-on connection is not valid. See "fields" for what to change.',
    domain_refused: 'This domain cannot belong to a single organisation. Use a domain that you control.',
    repository_too_large:
      'This repository is larger than a workspace can be. See "limits", and use a smaller repository.',
    unknown_role: 'There is no such tier. Use support, billing, compliance, operator or super_admin.',
  }),
  ...entries(429, 'retry', {
    rate_limited: 'Too many requests from your address. Wait for the time in Retry-After.',
    key_rate_limited: [
      'This API key has reached its limit per minute. Wait for the time in Retry-After, or raise the limit.',
      5,
    ],
    too_many_attempts: ['Too many attempts. Wait for the time in Retry-After.', 60],
    too_many_loops: [
      'Your organisation runs as many loops as its plan allows. Wait until one has ended.',
      15,
    ],
    too_many_open_turns: [
      'Your organisation has too many open turns. Wait until one has finished, or stop one.',
      15,
    ],
    too_many_research_runs: [
      'Your organisation runs as many research runs as its plan allows. Wait until one has ended.',
      30,
    ],
    too_many_streams: ['You have too many open streams or calls. Close one, or wait until one has ended.', 5],
  }),
  ...entries(431, 'decided', {
    headers_too_large: 'The request headers are larger than 16 KiB. Send fewer or shorter ones.',
  }),
  ...entries(451, 'decided', {
    residency_blocked:
      'Your organisation keeps its code in one region, and no model is available there. Ask the operator for one.',
  }),
  ...entries(500, 'unknown', {
    internal:
      'An unexpected error occurred on our side. Retry with the same Idempotency-Key, and report the request id if it happens again.',
  }),
  ...entries(502, 'retry', {
    upstream_failed:
      'The model gave no usable answer, and nothing was charged. Try again, or rephrase the request.',
  }),
  ...entries(502, 'unknown', {
    answer_lost: [
      'The connection to the service broke before it answered. Retry with the same Idempotency-Key to learn the outcome.',
      1,
    ],
  }),
  ...entries(503, 'decided', {
    payments_not_configured:
      'This payment channel is not set up on this deployment. Use another, or ask its operator.',
    upstream_refused:
      'The service cannot use its model right now, and nothing was charged. Its operators have been alerted.',
    inference_not_configured: 'No model is set up on this deployment. Ask its operator.',
    not_configured: 'This deployment lacks the configuration for this call. Ask its operator.',
  }),
  ...entries(503, 'retry', {
    database_unavailable: ['The database cannot be reached right now. Retry shortly.', 2],
    storage_unavailable: ['The file storage cannot be reached right now. Retry shortly.', 5],
    isolation_unavailable: [
      'The isolated storage cannot be prepared right now, and nothing was changed. Try again later.',
      30,
    ],
    busy: ['The service is at its limit right now. Retry shortly.', 2],
    maintenance: ['The service is under maintenance. Paid calls and changes resume soon.', 60],
    sso_unreachable: ['Your identity provider does not answer right now. Try again shortly.', 5],
    research_unavailable: ['Research is not available right now. GET /research/config says why.', 300],
    forge_unavailable: ['The code host does not answer right now. Try again shortly.', 10],
    github_unavailable: ['GitHub does not answer right now. Try again shortly.', 10],
    upstream_unavailable: [
      'The model does not answer right now, and nothing was charged. Try again shortly.',
      5,
    ],
  }),
  ...entries(503, 'unknown', {
    restarting: ['The service is restarting. Connect again.', 1],
    stream_expired: ['The stream reached its time limit. Open it again.', 1],
    outcome_unknown: [
      'The database connection broke during the commit. Retry with the same Idempotency-Key to learn the outcome.',
      2,
    ],
    handler_timeout: [
      'The call did not finish within 30 seconds. Retry with the same Idempotency-Key to learn the outcome.',
      2,
    ],
    rail_unavailable: [
      'The payment provider does not answer right now. Retry with the same Idempotency-Key, or check "reference" with POST /wallet/verify.',
      5,
    ],
  }),
} as const

export type ErrorCode = keyof typeof ERRORS
