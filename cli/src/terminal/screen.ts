// Opens the screen of a session: a live one on a capable terminal, otherwise a plain one.
import { openLiveScreen } from './live/live-screen.ts'
import { openPlainScreen } from './plain-screen.ts'
import type { Screen, ScreenOptions, TerminalInput, TerminalOutput } from './screen-types.ts'

/** Smaller terminals have no room for a region that is redrawn. */
const COLUMNS_MIN = 20
const ROWS_MIN = 5

export function openScreen(input: TerminalInput, output: TerminalOutput, options: ScreenOptions): Screen {
  const { TERM = '' } = options.env ?? process.env
  const isCapable =
    input.isTTY === true &&
    output.isTTY === true &&
    TERM !== 'dumb' &&
    (output.columns || 80) >= COLUMNS_MIN &&
    (output.rows || 24) >= ROWS_MIN
  return isCapable && !options.isPlain
    ? openLiveScreen(input, output, options)
    : openPlainScreen(input, output, options)
}
