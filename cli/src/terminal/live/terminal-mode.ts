// Raw mode with bracketed paste. It is left on every way out of the process: exit, error, signal and suspension.
import type { TerminalInput, TerminalOutput } from '../screen-types.ts'
import type { Host } from './host.ts'

export type TerminalMode = {
  readonly isSuspended: boolean
  /** Gives the terminal to the shell until it continues this process. */
  suspend(): void
  leave(): void
}

const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'
const SHOW_CURSOR = '\x1b[?25h'
/** A fixed title: nothing from outside is ever part of it. The former one comes back at the end. */
const TITLE_ON = '\x1b[22;0t\x1b]0;cowrie\x07'
const TITLE_OFF = '\x1b[23;0t'

export function enterTerminal(
  input: TerminalInput,
  output: TerminalOutput,
  host: Host,
  {
    hasTitle,
    erase,
    onContinue,
    onInterrupt,
  }: { hasTitle: boolean; erase: () => string; onContinue: () => void; onInterrupt: () => void },
): TerminalMode {
  let isIn = false
  let isSuspended = false

  function enter(): void {
    isIn = true
    input.setRawMode?.(true)
    output.write((hasTitle ? TITLE_ON : '') + PASTE_ON)
  }

  function restore(): void {
    if (!isIn) return
    isIn = false
    output.write(erase() + SHOW_CURSOR + PASTE_OFF + (hasTitle ? TITLE_OFF : ''))
    input.setRawMode?.(false)
  }

  enter()
  const offs = [
    host.onExit(restore),
    host.onInterrupt(onInterrupt),
    host.onContinue(() => {
      // Also after a stop from outside, which left the terminal in any state.
      if (isIn) restore()
      isSuspended = false
      enter()
      onContinue()
    }),
  ]
  return {
    get isSuspended() {
      return isSuspended
    },
    suspend() {
      if (!host.suspend) return
      restore()
      isSuspended = true
      host.suspend()
    },
    leave() {
      restore()
      for (const off of offs) off()
    },
  }
}
