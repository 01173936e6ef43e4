// Single-key shortcuts of a screen. They do nothing while the user types, a dialog is open, or a modifier is held.
import { useLayoutEffect } from 'preact/hooks'

type Keys = Readonly<Record<string, () => void>>

export function useKeys(keys: Keys): void {
  // Register in the frame that shows the screen.
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
