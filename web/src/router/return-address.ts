// The address that the user wanted before the sign-in. It travels in the query (`?next=`) of the sign-in screens.
// Mailed links lose it, so this browser also stores it while such a link may be opened.
import { readLocal, removeLocal, writeLocal } from '../data/storage/local-storage.ts'
import { appLocation } from './location.ts'

const KEY = 'cowrie.next'
const STORED_MS = 3_600_000

const requestedNext = (): string | null => appLocation.value.query.get('next')

/** The address of another sign-in screen, with the return address. */
export function withNext(path: string): string {
  const next = requestedNext()
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`
}

/** Called when a mail is requested. */
export function storeNext(): void {
  const next = requestedNext()
  if (next === null) removeLocal(KEY)
  else writeLocal(KEY, `${Date.now() + STORED_MS} ${next}`)
}

/** Not trusted: the caller checks that the address is a screen of the app. */
export function storedNext(): string | null {
  const [until, next] = readLocal(KEY)?.split(' ') ?? []
  return next !== undefined && Number(until) > Date.now() ? next : null
}

export const clearNext = (): void => removeLocal(KEY)
