// The address that the user wanted before the sign-in. It travels in the query (`?next=`) of the sign-in screens.
// Mailed links lose it, so this browser also stores it while such a link may be opened.
import { forget, recall, remember } from '../data/storage/local-storage.ts'
import { place } from './location.ts'

const KEY = 'cowrie.next'
const REMEMBERED_MS = 3_600_000

const wanted = (): string | null => place.value.query.get('next')

/** The address of another sign-in screen, with the return address. */
export function withNext(path: string): string {
  const next = wanted()
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`
}

/** Called when a mail is requested. */
export function rememberNext(): void {
  const next = wanted()
  if (next === null) forget(KEY)
  else remember(KEY, `${Date.now() + REMEMBERED_MS} ${next}`)
}

/** Not trusted: the caller checks that the address is a screen of the app. */
export function rememberedNext(): string | null {
  const [until, next] = recall(KEY)?.split(' ') ?? []
  return next !== undefined && Number(until) > Date.now() ? next : null
}

export const forgetNext = (): void => forget(KEY)
