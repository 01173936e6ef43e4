// Whether there is room for two columns.
import { type ReadonlySignal, signal } from '@preact/signals'

let known: ReadonlySignal<boolean> | null = null

export function useWide(): ReadonlySignal<boolean> {
  known ??= watched('(min-width: 900px)')
  return known
}

function watched(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query)
  const matches = signal(media.matches)
  media.addEventListener('change', () => {
    matches.value = media.matches
  })
  return matches
}
