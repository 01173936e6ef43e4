// Single keys that do something on a screen. They are silent while somebody types, is asked, or holds another key.
import { useLayoutEffect } from 'preact/hooks'

type Keys = Readonly<Record<string, () => void>>

export function useKeys(keys: Keys): void {
  // They work as soon as what they are about can be seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const act = keys[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null)
