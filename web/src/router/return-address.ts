// Where somebody wanted to be before they were asked to sign in. It stands in the address of the screens that ask
// (`?next=`). A mailed link does not bring it back, so this browser remembers it while such a link may be opened.
import { forget, recall, remember } from '../data/storage/local-storage.ts'
import { place } from './location.ts'

const KEY = 'cowrie.next'
const REMEMBERED_MS = 3_600_000

const wanted = (): string | null => place.value.query.get('next')

/** The address of another screen on the way in, which then knows it as well. */
export function withNext(path: string): string {
  const next = wanted()
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`
}

/** When a mail is asked for. */
export function rememberNext(): void {
  const next = wanted()
  if (next === null) forget(KEY)
  else remember(KEY, `${Date.now() + REMEMBERED_MS} ${next}`)
}

/** An address like one from a link, anybody's word: whoever goes there looks first whether it is ours. */
export function rememberedNext(): string | null {
  const [until, next] = recall(KEY)?.split(' ') ?? []
  return next !== undefined && Number(until) > Date.now() ? next : null
}

export const forgetNext = (): void => forget(KEY)
