// Makes foreign text safe to show: no terminal commands, no invisible characters, and a prefix on every line, so that no
// file, file name or output can imitate the lines that a tool itself writes.
import { printablePath } from '../paths/clean-path.ts'

const TERMINAL =
  /\x1b\[[0-?]{0,40}[ -/]{0,8}[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,4000}(?:\x07|\x1b\\|(?=\n)|$)|\x1b[ -/]{0,4}[0-~]/g
/** Visible signs that Unicode calls format characters. */
const VISIBLE_FORMAT = '\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2'
/** Control and format characters, line separators, and selectors that can carry hidden text. Not tab and line feed. */
const UNSEEN = new RegExp(
  `(?![\\t\\n\\u200c\\u200d${VISIBLE_FORMAT}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u{e0100}-\\u{e01ef}\\u115f\\u1160\\u3164\\uffa0]|(?<=[\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]`,
  'gu',
)
/** Joiners belong between the letters of some scripts and in emoji. Elsewhere they are only invisible. */
const JOINED = String.raw`\p{L}|\p{M}|\p{Extended_Pictographic}`
const LOOSE_JOINER = new RegExp(`(?<!${JOINED})[\u200c\u200d]|[\u200c\u200d](?!${JOINED})`, 'gu')

/** Most texts have none of these and need no copy. */
const SUSPECT = /[^\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u05ff]/

/** Removes terminal commands and writes invisible characters as `\u{202e}`. The number of lines is unchanged. */
export function toPlainText(text: string): string {
  const lines = text.replace(/\r\n/g, '\n')
  if (!SUSPECT.test(lines)) return lines
  return lines.toWellFormed().replace(TERMINAL, '').replace(UNSEEN, spellOut).replace(LOOSE_JOINER, spellOut)
}

/** The output of a command as plain text. A progress bar overwrites its line; only the last state counts. */
export const toPlainOutput = (output: string): string =>
  toPlainText(
    output
      .replace(/\r\n/g, '\n')
      .replace(TERMINAL, '')
      .replace(/\r+$/gm, '')
      .replace(/^[^\n]*\r/gm, ''),
  )

const spellOut = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** The original of a text that was copied from the result of a tool. */
export const fromPlainText = (text: string): string =>
  text.replace(/\\u\{([0-9a-f]{1,6})\}/g, (all, hex: string) => {
    const code = Number.parseInt(hex, 16)
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : all
    return spellOut(character) === all && toPlainText(character) === all ? character : all
  })

/** A path in a line of a tool. Unusual names are quoted, so that a name cannot look like a sentence of the tool. */
export function showPath(path: string): string {
  const shown = printablePath(path)
  return /^[\w@+./()[\]$~-]+$/.test(shown) ? shown : JSON.stringify(shown)
}

/** Each line of the text with a prefix. */
export const prefixLines = (text: string, prefix = '| '): string =>
  text
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n')

/** Cuts a line, never inside a surrogate pair. */
export function cutLine(line: string, charactersMax: number): string {
  if (line.length <= charactersMax) return line
  const cut = line.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '')
  return `${cut}… (${line.length - cut.length} more characters)`
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

export function showBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

const COUNT = new Intl.NumberFormat('en')

/** `1 file`, `2,000 files`. */
export const showCount = (count: number, noun: string): string =>
  `${COUNT.format(count)} ${noun}${count === 1 ? '' : noun.endsWith('tch') ? 'es' : 's'}`
