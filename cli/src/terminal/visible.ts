// Text from outside on a terminal: characters that move the cursor, reorder the line or cannot be seen become escapes.
import { isSimple } from './width.ts'

const TAB = '    '
/** Control characters, direction overrides and isolates, and characters that hide text. */
const HIDDEN =
  /[\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/gu
/** In a path these can only deceive: joiners, direction marks, spaces that are not a space, empty letters. */
const HIDDEN_IN_PATHS =
  /[\u00a0\u061c\u115f\u1160\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\uffa0]|[\ufe00-\ufe0f]/gu

/** One line of text. Joiners and direction marks stay: Persian, Arabic and emoji need them. */
export const visible = (text: string): string =>
  isSimple(text) ? text : text.replaceAll('\t', TAB).replace(HIDDEN, escapeOf)

/** A file name or a command, where every invisible character is shown. */
export const visiblePath = (path: string): string =>
  isSimple(path)
    ? path
    : path.replaceAll('\t', '\\t').replace(HIDDEN, escapeOf).replace(HIDDEN_IN_PATHS, escapeOf)

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' }

function escapeOf(character: string): string {
  const named = NAMED[character]
  if (named !== undefined) return named
  const code = (character.codePointAt(0) ?? 0).toString(16)
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`
}
