// Refusals of what was asked, or of who asked: 400 to 403. By status.
import type { ErrorEntry } from './error-entry.ts'

export const REFUSED_REQUESTS = {
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
  sandbox_unavailable: {
    status: 400,
    message: 'This sandbox cannot run here; use one of those in "sandboxes".',
  },
  prompt_too_long: {
    status: 400,
    message: 'This is more than the model can read at once; send less text or fewer files.',
  },
  retrieval_not_vector: {
    status: 400,
    message: 'This deployment keeps no index of code: retrieval is not in vector mode.',
  },
  seats_below_occupied: {
    status: 400,
    message: 'More members have a seat than that; remove some of them first.',
  },
  seats_not_sold: {
    status: 400,
    message: 'This plan has the seats it comes with; change to the team or enterprise plan for more.',
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
  budget_too_low: {
    status: 402,
    message: 'The most that you allow does not cover this work; allow at least "requiredMinor".',
  },
  no_payment_method: {
    status: 402,
    message:
      'There is no card to charge; add one with POST /payment-methods, or begin with POST /subscription/checkout.',
  },
  card_declined: {
    status: 402,
    message: 'The bank declined the card and nothing was charged; use another card or ask the bank.',
  },
  card_challenged: {
    status: 402,
    message:
      'The bank wants to hear from you before it pays, and nothing is charged until then; open "authorizationUrl".',
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
  installation_unproven: {
    status: 403,
    message:
      'Prove that this installation is yours: put .github/cowrie.json with the id of your organisation on a default branch.',
  },
  project_editor_only: {
    status: 403,
    message: 'You may not change this project; ask one of its editors, or an owner or administrator.',
  },
  wrong_secret: { status: 403, message: 'The machine secret of this call is missing or wrong.' },
} as const satisfies Record<string, ErrorEntry>
