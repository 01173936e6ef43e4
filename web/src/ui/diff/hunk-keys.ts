// The keys n and p move to the next and the previous change, j and k to the next and the previous file. They do nothing while the
// user types, in a dialog, and on a link: lists of links have other keys.
import { useLayoutEffect } from 'preact/hooks'

const HUNKS = ':is(.diff-file[open], .diff-file:not(details)) .hunk'
const FILES = '.diff-file > :is(summary, .diff-head)'
const STEPS: Readonly<Record<string, [what: string, by: 1 | -1]>> = {
  n: [HUNKS, 1],
  p: [HUNKS, -1],
  j: [FILES, 1],
  k: [FILES, -1],
}

/** `onFile` replaces the move between files, where one file is shown at a time. */
export function useHunkKeys(onFile?: (by: 1 | -1) => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      if (!step || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const [what, by] = step
      if (!document.querySelector(what)) return
      event.preventDefault()
      // Before the keys of lists on the same screen.
      event.stopImmediatePropagation()
      if (what === FILES && onFile) onFile(by)
      else move(what, by)
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  })
}

const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('a, input, textarea, select, [contenteditable]') !== null)

function move(what: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(what)]
  const current = document.activeElement
  const inside = all.findIndex((each) => each.contains(current))
  const at = inside >= 0 ? inside : placeOf(current, all, by)
  const next = all[at < 0 && by < 0 ? all.length - 1 : at + by]
  next?.focus({ preventScroll: true })
  // A long hunk starts at the top, below headers that stay.
  const isShort = next?.matches('.hunk') && next.offsetHeight < innerHeight / 2
  next?.scrollIntoView({ block: isShort ? 'center' : 'start' })
}

/** The focus may be between two of them: on the header of a file, say. */
function placeOf(current: Element | null, all: readonly HTMLElement[], by: 1 | -1): number {
  if (!current || current === document.body) return -1
  const after = all.findIndex(
    (each) => current.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  if (after < 0) return by > 0 ? all.length - 1 : all.length
  return by > 0 ? after - 1 : after
}
