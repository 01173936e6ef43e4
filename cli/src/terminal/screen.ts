// Opens the screen of a session: a live one on a capable terminal, otherwise a plain one.
import { openLiveScreen } from './live/live-screen.ts'
import type { Screen, ScreenOptions, TerminalInput, TerminalOutput } from './screen-types.ts'

/** Smaller terminals have no room for a region that is redrawn. */
const COLUMNS_MIN = 20
const ROWS_MIN = 5

export async function openScreen(
  input: TerminalInput,
  output: TerminalOutput,
  options: ScreenOptions,
): Promise<Screen> {
  const { TERM = '' } = options.env ?? process.env
  const isCapable =
    input.isTTY === true &&
    output.isTTY === true &&
    TERM !== 'dumb' &&
    (output.columns || 80) >= COLUMNS_MIN &&
    (output.rows || 24) >= ROWS_MIN
  if (isCapable && !options.isPlain) return openLiveScreen(input, output, options)
  const { openPlainScreen } = await import('./plain-screen.ts')
  return openPlainScreen(input, output, options)
}
