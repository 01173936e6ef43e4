// Whether a media query matches now.
import { type ReadonlySignal, signal } from '@preact/signals'

const known = new Map<string, ReadonlySignal<boolean>>()

export function useMedia(query: string): ReadonlySignal<boolean> {
  const before = known.get(query)
  if (before) return before
  const media = matchMedia(query)
  const matches = signal(media.matches)
  media.addEventListener('change', () => {
    matches.value = media.matches
  })
  known.set(query, matches)
  return matches
}
