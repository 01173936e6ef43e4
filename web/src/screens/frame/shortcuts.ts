// Keyboard shortcuts. They can be switched off and never act while the user types.

import { hasShortcuts } from '../../data/preferences/switches.ts'
import { session } from '../../data/session.ts'
import { navigate } from '../../router/location.ts'

/** The longest time between the two keys of `g h`. */
const CHORD_MS = 1_500
const GO: Readonly<Record<string, string>> = {
  h: '/app',
  a: '/app/tasks/new',
  t: '/app/tasks',
  c: '/app/chat',
  w: '/app/wallet',
  r: '/app/research',
}
const CAN_TAKE_FOCUS = 'a[href], button:not(:disabled), input, select, textarea, summary, [tabindex="0"]'

export function watchShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (!hasShortcuts.peek() || session.peek().state !== 'in' || event.defaultPrevented || event.isComposing)
      return
    if (!document.querySelector('dialog[open]') && handleKey(event)) event.preventDefault()
  })
}

/** Until when the second key of a pair is accepted. */
let chordUntil = 0

function handleKey(event: KeyboardEvent): boolean {
  const letter = letterOf(event)
  if (event.altKey) return false
  if (event.ctrlKey || event.metaKey) return letter === 'k' && !event.shiftKey && openDialog('openPalette')
  if (isTyping(event.target)) return false
  if (event.timeStamp < chordUntil) {
    chordUntil = 0
    return navigateIf(GO[letter])
  }
  if (letter === 'g') chordUntil = event.timeStamp + CHORD_MS
  if (letter === '/') return focusOn(document.querySelector<HTMLElement>('[data-search]'))
  if (letter === '?') return openDialog('openHelp')
  if (letter === 'j' || letter === 'k') return focusOn(neighbourRow(letter === 'j' ? 1 : -1))
  return false
}

/** The physical key, where the keyboard writes another alphabet. */
const letterOf = ({ key, code }: KeyboardEvent): string =>
  key.length === 1 && key > '~' ? code.replace(/^Key/, '').toLowerCase() : key.toLowerCase()

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'))

function navigateIf(address: string | undefined): boolean {
  if (address !== undefined) navigate(address)
  return address !== undefined
}

function focusOn(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return Boolean(element)
}

/** The first focusable element of the next or previous row. */
function neighbourRow(by: 1 | -1): HTMLElement | null | undefined {
  const rows = [...document.querySelectorAll('main .rows > *')].filter((row) =>
    row.querySelector(CAN_TAKE_FOCUS),
  )
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by
  return rows[next]?.querySelector<HTMLElement>(CAN_TAKE_FOCUS)
}

/** Loads the palette on first use. */
export function openDialog(which: 'openPalette' | 'openHelp'): true {
  // Offline the palette is missing. Every screen can be reached without it.
  void import('../palette/palette.tsx').then(
    (opened) => opened[which](),
    () => undefined,
  )
  return true
}
