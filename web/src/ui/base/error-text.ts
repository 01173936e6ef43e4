// Error messages for users, where the message of the service is written for programs.
import type { CowrieError } from '@cowrie/sdk'
import { isOnline } from '../../data/network.ts'
import { errorTranslation, msg, t } from '../../i18n/t.ts'

const TEXTS: Record<string, string> = {
  rate_limited: msg('Too many tries from your network.'),
  too_many_attempts: msg('Too many tries.'),
  unauthenticated: msg('Your session has ended. Sign in again.'),
  elsewhere: msg('You switched to another organisation in another tab. Nothing was sent; look again.'),
  sso_required: msg('Your organisation asks you to sign in with single sign-on.'),
  not_found: msg('This is not there any more.'),
  busy: msg('The service is very busy right now.'),
  idempotency_in_progress: msg('This is still under way. Try again in a moment.'),
  rail_unavailable: msg(
    'The payment provider does not answer right now. Trying again goes on with the same payment; you do not pay twice.',
  ),
  payments_not_configured: msg('This way to pay is not set up here. Choose another.'),
  payment_refused: msg('The payment provider refused this payment; nothing was paid.'),
  channel_not_available: msg('This way to pay does not serve your currency.'),
  subscription_exists: msg('You have a plan already. Load this page anew to see it.'),
  plan_not_found: msg('This plan is not sold any more.'),
  no_subscription: msg('There is no plan to change. Choose one first.'),
  subscription_past_due: msg('The last renewal is unpaid. Pay its open invoice first.'),
  change_in_progress: msg('Another change of the plan is still under way. Wait a moment and look again.'),
  price_changed: msg('The price has changed since you were told, and nothing was charged. Look at it again.'),
  card_declined: msg('The bank declined the card, and nothing was charged.'),
  card_challenged: msg('The bank wants to hear from you first. Nothing is charged until then.'),
  no_payment_method: msg('There is no card to charge.'),
  invoice_not_open: msg('This invoice is not open any more. Load this page anew to see it.'),
  seats_exceeded: msg('All seats are taken.'),
  seats_not_sold: msg('This plan has the seats it comes with. Change to Team or Enterprise for more.'),
  already_member: msg('This person is a member already.'),
  last_owner: msg('A team keeps at least one owner. Make somebody else an owner first.'),
  invitation_pending: msg('This person has not accepted the invitation yet.'),
  member_cap_reached: msg('Your monthly cap is used up.'),
  seats_below_occupied: msg('This plan has fewer seats than you have members.'),
  org_suspended: msg(
    'Your organisation is suspended and cannot start paid work. You can still read and export everything, and your money stays yours.',
  ),
  kyc_required: msg('Paid work needs a verified business. Send us your details under Organisation.'),
  org_not_closable: msg('This organisation cannot be closed yet.'),
  staff_only: msg('Your staff tier may not do this.'),
  sandbox_unavailable: msg('The tests cannot be run there right now. Choose another place for them.'),
  maintenance: msg('The service is being worked on and will be back soon.'),
  network_error: msg('The service does not answer.'),
  timeout: msg('The service does not answer.'),
  stream_cut: msg('The connection broke.'),
  malformed_reply: msg('Something else answered in place of the service. Check your network.'),
}

/** Errors where the reason of the provider is shown as well. */
const WITH_REASON = new Set(['payment_refused', 'card_declined'])

export function errorText({ code, message, detail }: CowrieError): string {
  if (code === 'network_error' && !isOnline.value) return t('You are offline.')
  const words = Object.hasOwn(TEXTS, code) ? t(TEXTS[code] ?? '') : (errorTranslation(code) ?? message)
  return WITH_REASON.has(code) && typeof detail.reason === 'string' ? `${words} ${detail.reason}` : words
}
