// What is said where the service's own sentence, written for programs as well, would not help a person.
import type { ApiFailure } from '../api.ts'

const WORDS: Record<string, string> = {
  rate_limited: 'Too many tries from your network.',
  too_many_attempts: 'Too many tries.',
  unauthenticated: 'Your session has ended. Sign in again.',
  sso_required: 'Your organisation asks you to sign in with single sign-on.',
  not_found: 'This is not there any more.',
  busy: 'The service is very busy right now.',
  maintenance: 'The service is being worked on and will be back soon.',
}

export const wordsFor = (failure: ApiFailure): string => WORDS[failure.code] ?? failure.message

/** "45 seconds", "10 minutes": how long to wait, in the reader's way of counting. */
export function span(seconds: number, locale?: string): string {
  const [value, unit] = seconds < 100 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** "14 Nov 2026, 10:42", in the reader's own zone. */
export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
