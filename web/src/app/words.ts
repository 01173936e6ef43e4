// What is said where the service's own sentence, written for programs as well, would not help a person.
import type { ApiFailure } from '../api.ts'

const WORDS: Record<string, string> = {
  rate_limited: 'Too many tries from your network.',
  too_many_attempts: 'Too many tries.',
  unauthenticated: 'Your session has ended. Sign in again.',
  sso_required: 'Your organisation asks you to sign in with single sign-on.',
  not_found: 'This is not there any more.',
  busy: 'The service is very busy right now.',
  idempotency_in_progress: 'This is still under way. Try again in a moment.',
  rail_unavailable:
    'The payment provider does not answer right now. Trying again goes on with the same payment; you do not pay twice.',
  payments_not_configured: 'This way to pay is not set up here. Choose another.',
  payment_refused: 'The payment provider refused this payment; nothing was paid.',
  channel_not_available: 'This way to pay does not serve your currency.',
  subscription_exists: 'You have a plan already. Load this page anew to see it.',
  plan_not_found: 'This plan is not sold any more.',
  seats_below_occupied: 'This plan has fewer seats than you have members.',
  maintenance: 'The service is being worked on and will be back soon.',
}

/** A provider's own reason says more than ours could. */
export function wordsFor({ code, message, reason }: ApiFailure): string {
  const words = WORDS[code] ?? message
  return code === 'payment_refused' && reason ? `${words} ${reason}` : words
}

/** "45 seconds", "10 minutes": how long to wait, in the reader's way of counting. */
export function span(seconds: number, locale?: string): string {
  const [value, unit] = seconds < 100 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** "14 Nov 2026, 10:42", in the reader's own zone. */
export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))

/** "14 Nov 2026": where the hour does not matter. */
export const day = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(iso))
