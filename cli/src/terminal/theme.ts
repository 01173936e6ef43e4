// Colours for dark and light backgrounds.
import type { Style } from './line.ts'

export type Theme = 'dark' | 'light' | 'none'

type Environment = Readonly<Record<string, string | undefined>>

/** Terminals without colours, unless COLORTERM says otherwise. */
const COLOURLESS = /^(?:|dumb|unknown|vt\d+.*|ansi-mono|.*-m)$/
/** White and bright white. */
const LIGHT_BACKGROUNDS: ReadonlySet<string> = new Set(['7', '15'])

/** `setting` is the user's choice. Only COLORFGBG tells the background: asking the terminal delays the start. */
export function chooseTheme(env: Environment, setting: Theme | 'auto' = 'auto'): Theme {
  // https://no-color.org: any non-empty value.
  if (setting === 'none' || env.NO_COLOR) return 'none'
  if (setting !== 'auto') return setting
  if (COLOURLESS.test(env.TERM ?? '') && !env.COLORTERM) return 'none'
  return LIGHT_BACKGROUNDS.has(env.COLORFGBG?.split(';').at(-1) ?? '') ? 'light' : 'dark'
}

const DARK: Readonly<Record<Style, string>> = {
  bold: '1',
  dim: '2',
  italic: '3',
  underline: '4',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '94',
  magenta: '35',
  cyan: '36',
}
/** Yellow and cyan cannot be read on white. */
const LIGHT: Readonly<Record<Style, string>> = { ...DARK, yellow: '35', blue: '34', cyan: '34' }

/** The parameters of the colour code; empty for plain text. */
export const codeOf = (theme: Theme, style: Style | undefined): string =>
  style === undefined || theme === 'none' ? '' : (theme === 'dark' ? DARK : LIGHT)[style]
