// The keys n and p move to the next and the previous change, except while the user types.
import { useEffect } from 'preact/hooks'

export function useHunkKeys(): void {
  useEffect(() => {
    addEventListener('keydown', move)
    return () => removeEventListener('keydown', move)
  }, [])
}

function move(event: KeyboardEvent): void {
  if ((event.key !== 'n' && event.key !== 'p') || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target instanceof Element && event.target.closest('input, textarea, select, dialog')) return
  const hunks = [...document.querySelectorAll<HTMLElement>('.diff-file[open] .hunk')]
  const at = hunks.findIndex((hunk) => hunk.contains(document.activeElement))
  const next = event.key === 'n' ? hunks[at + 1] : hunks[at === -1 ? hunks.length - 1 : at - 1]
  next?.focus()
  next?.scrollIntoView({ block: 'center' })
}
