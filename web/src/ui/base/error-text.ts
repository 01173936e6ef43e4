// Error messages for users, where the message of the service is written for programs. The others come in their language.
import type { CowrieError } from '@cowrie/sdk'
import { isOnline } from '../../data/network.ts'
import { msg, t } from '../../i18n/t.ts'

const TEXTS: Record<string, string> = {
  rate_limited: msg('Too many attempts from your network.'),
  too_many_attempts: msg('Too many attempts.'),
  unauthenticated: msg('Your session has ended. Sign in again.'),
  elsewhere: msg(
    'You switched organisation in another tab. Nothing was sent. Check this page and try again.',
  ),
  sso_required: msg('Your organisation requires single sign-on.'),
  not_found: msg('This no longer exists.'),
  busy: msg('The service is very busy. Try again soon.'),
  idempotency_in_progress: msg('This is still in progress. Try again in a moment.'),
  rail_unavailable: msg('The payment provider does not respond. Try again: you will not pay twice.'),
  payments_not_configured: msg('This payment method is not available. Choose another.'),
  payment_refused: msg('The payment provider refused this payment. Nothing was paid.'),
  channel_not_available: msg('This payment method does not support your currency.'),
  subscription_exists: msg('You already have a plan. Reload the page.'),
  plan_not_found: msg('This plan is no longer sold.'),
  no_subscription: msg('You have no plan. Choose one first.'),
  subscription_past_due: msg('The last renewal is unpaid. Pay its open invoice first.'),
  change_in_progress: msg('Another plan change is in progress. Try again in a moment.'),
  price_changed: msg('The price has changed. Nothing was charged. Check the new price.'),
  card_declined: msg('The bank declined the card. Nothing was charged.'),
  card_challenged: msg('Your bank asks you to confirm this payment. Nothing is charged until then.'),
  no_payment_method: msg('No card is stored. Add a card first.'),
  invoice_not_open: msg('This invoice is no longer open. Reload the page.'),
  seats_exceeded: msg('All seats are taken.'),
  seats_not_sold: msg('This plan has a fixed number of seats. Change to Team or Enterprise for more.'),
  already_member: msg('This person is already a member.'),
  last_owner: msg('A team needs at least one owner. Make another member an owner first.'),
  invitation_pending: msg('This person has not accepted the invitation yet.'),
  member_cap_reached: msg('Your monthly cap is used up.'),
  seats_below_occupied: msg('This plan has fewer seats than you have members.'),
  org_suspended: msg(
    'Your organisation is suspended and cannot start paid work. You can still read and export your data, and your balance stays yours.',
  ),
  kyc_required: msg('Paid work needs a verified business. Send your details under Organisation.'),
  org_not_closable: msg('This organisation cannot be closed yet.'),
  staff_only: msg('Only staff with the right tier can do this.'),
  sandbox_unavailable: msg('Tests cannot run there now. Choose another sandbox.'),
  maintenance: msg('The service is under maintenance and will be back soon.'),
  network_error: msg('The service does not respond.'),
  timeout: msg('The service does not respond.'),
  stream_cut: msg('The connection was lost.'),
  malformed_reply: msg('The response did not come from Cowrie. Check your network.'),
}

/** Errors where the reason of the provider is shown as well. */
const WITH_REASON = new Set(['payment_refused', 'card_declined'])

export function errorText({ code, message, detail }: CowrieError): string {
  if (code === 'network_error' && !isOnline.value) return t('You are offline.')
  const words = Object.hasOwn(TEXTS, code) ? t(TEXTS[code] ?? '') : message
  return WITH_REASON.has(code) && typeof detail.reason === 'string' ? `${words} ${detail.reason}` : words
}
