// Masks secrets before a text is stored, embedded or shown. Unlike a finding, masking may have false positives: they hardly
// affect a search. Every pattern starts with a rare prefix and has bounded repetition, so the time is linear in the text.
import { findSecrets, TOKEN_PREFIXES } from '@cowrie/analysis/secret-formats/secrets.ts'

export type MaskResult = {
  /** The number and length of lines are unchanged. */
  readonly text: string
  /** The number of masked values that are very likely secrets. */
  readonly secrets: number
}

/** `isCode`: whether a word after a colon may be an identifier instead of a value. */
export function maskText(text: string, isCode: boolean): MaskResult {
  let secrets = 0
  const mask = (secret: string) => {
    if (secret.length >= SECRET_CHARACTERS_MIN && /\d/.test(secret)) secrets += 1
    return blankOut(secret)
  }
  const masked = maskKnownFormats(maskPrivateKeys(text, mask), mask)
    .replace(PREFIXED, (secret) => (looksRandom(secret) ? mask(secret) : secret))
    .replace(IN_URL, (_, before: string, secret: string) => before + mask(secret))
    .replace(IN_HEADER, (all, before: string, secret: string) =>
      looksRandom(secret) || secret.endsWith('=') ? before + mask(secret) : all,
    )
    .replace(NAMED_QUOTED, (all, before: string, secret: string) =>
      isQuotedSecret(before, secret) ? before + mask(secret) : all,
    )
    .replace(NAMED_BARE, (all, before: string, secret: string, at: number, whole: string) =>
      isBareSecret(before, secret, isCode ? whole.slice(at + all.length, at + all.length + 1) : null)
        ? before + mask(secret)
        : all,
    )
    .replace(RANDOM, (word) => (isScrambled(word) ? blankOut(word) : word))
  return { text: masked, secrets }
}

/** Each name alone, because slashes do not make a path random. */
export const maskPath = (path: string): string =>
  path
    .split('/')
    .map((name) => maskText(name, true).text)
    .join('/')

const SECRET_CHARACTERS_MIN = 12

/** Masks secrets of known formats. */
function maskKnownFormats(text: string, mask: (secret: string) => string): string {
  let masked = ''
  let done = 0
  for (const { start, end } of findSecrets(text)) {
    masked += text.slice(done, start) + mask(text.slice(start, end))
    done = end
  }
  return masked + text.slice(done)
}

const blankOut = (secret: string): string => secret.replace(/\S/g, '•')

/** Keys with a known prefix. */
const PREFIXED = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?:(?:${TOKEN_PREFIXES})[\w.-]{16,400}|\$2[aby]\$\d\d\$[\w./]{53}|(?<![\w-])eyJ[\w-]{8,4000}\.[\w-]{4,8000}(?:\.[\w-]{1,2000})?)`,
  'g',
)
const IN_URL = /(:\/\/[^\s:/@"'`<>]{0,80}:)((?!\$|\{|%s|<)[^\s@/"'`<>]{1,200})(?=@)/g
const IN_HEADER = /(\b(?:basic|bearer|token|apikey)[ \t]{1,4})([\w+/=.~-]{12,4000})/gi

const NAME =
  '(?:secret|token|passw(?:or)?d|passphrase|passkey|pwd|(?:api|access|private|auth|account|signing|encryption|master|storage)[_-]?key|credential|consumer|mnemonic|seed[_-]?phrase)[\\w.-]{0,30}'
const TYPE = '(?:[ \\t]{0,4}:[ \\t]{0,4}[\\w&?]{1,20}(?=[ \\t]{0,4}=))?'
const NAMED_QUOTED = new RegExp(
  `(${NAME}["'\`)\\]]{0,2}${TYPE}[ \\t]{0,8}(?::=|=>|={1,3}|[:,>])[ \\t]{0,8}[a-zA-Z]{0,2}["'\`])([^"'\`\\n]{4,400})`,
  'gi',
)
const NAMED_BARE = new RegExp(
  `(${NAME}["'\`)\\]]{0,2}[ \\t]{0,8}(?::=|=>|={1,3}|[:>])[ \\t]{0,8})([^\\s"'\`,;(){}<>[\\]]{4,400})`,
  'gi',
)
/** Ends with the name of a secret, not with the name of a property of it. */
const NAMES_A_SECRET =
  /(?:secret|secret_?key|passw(?:or)?d|passphrase|passkey|pwd|mnemonic|phrase)["'`)\]]{0,2}\W{1,24}$/i
const PLACEHOLDER = /^[$<{%]|\$\{|\{\{|^(?:https?:\/\/|\.{0,2}\/)/
const WORDS = /^[A-Za-z]{1,40}(?:[-_.:/ |][A-Za-z]{1,40}){0,20}$/
const UPPERCASE_NAME = /[A-Z]=$/

function isQuotedSecret(before: string, value: string): boolean {
  if (PLACEHOLDER.test(value)) return false
  // Text with spaces is a message, except for a mnemonic or passphrase.
  if (/\s/.test(value)) return /mnemonic|phrase/i.test(before)
  // In a list, a name says little about the next value.
  if (/,[ \t]*[A-Za-z]*["'`]$/.test(before)) return value.length >= SECRET_CHARACTERS_MIN && /\d/.test(value)
  return NAMES_A_SECRET.test(before) || !WORDS.test(value)
}

/** `next`: the character after the value in code, where calls and member accesses are not values; null for data. */
function isBareSecret(before: string, value: string, next: string | null): boolean {
  if (PLACEHOLDER.test(value)) return false
  if (next === null) return /[A-Za-z]/.test(value)
  const isExpression = next === '(' || next === '[' || /^[A-Za-z_$][\w$]{0,60}[.?]/.test(value)
  if (isExpression || value.length < 6) return false
  return UPPERCASE_NAME.test(before) || (/\d/.test(value) && /[A-Za-z]/.test(value))
}

const looksRandom = (text: string): boolean => /\d/.test(text) || countCaseChanges(text) >= 6

const RANDOM = /(?<![\w+/-])[\w+/-]{32,200}={0,2}(?![\w+/=-])/g
const CASE_CHANGE_SHARE = 0.4

/** Alternating letters and digits, unlike an identifier. */
const isScrambled = (word: string): boolean =>
  /\d.*\d/.test(word) && countCaseChanges(word) >= word.length * CASE_CHANGE_SHARE

/** Counts the changes between lower case, upper case and digits. */
function countCaseChanges(text: string): number {
  let changes = 0
  let last = ''
  for (const character of text) {
    const kind = character >= 'a' ? 'a' : character >= 'A' ? 'A' : '0'
    if (kind !== last) changes += 1
    last = kind
  }
  return changes
}

const KEY_BEGINS = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/
const KEY_LINE = /^[\s"'`+>#*|]{0,40}[A-Za-z0-9+/=]{20,4000}(?:\\[nr]){0,2}[\s"'`+,;\\.)]{0,20}$/
const KEY_END_LINE =
  /^[\s"'`+>#*|]{0,40}(?:[A-Za-z0-9+/=]{0,80}|(?:Proc-Type|DEK-Info|Version|Comment): .{0,200})(?:\\[nr]){0,2}[\s"'`+,;\\.)]{0,20}$/
const KEY_LINES_MAX = 400

/** Masks private keys over several lines, even without an end marker. */
function maskPrivateKeys(text: string, mask: (secret: string) => string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let left = 0
  let hasBegun = false
  const lines = text.split('\n').map((line) => {
    const begins = KEY_BEGINS.exec(line)
    if (begins) {
      left = KEY_LINES_MAX
      hasBegun = false
      return maskKeyInLine(line, begins.index + begins[0].length, mask)
    }
    if (left === 0) return line
    left -= 1
    const isKey = KEY_LINE.test(line)
    if (line.includes('-----END') || !(isKey || KEY_END_LINE.test(line))) left = 0
    if (!isKey && !(hasBegun && left > 0)) return line
    hasBegun = true
    return isKey ? mask(line) : blankOut(line)
  })
  return lines.join('\n')
}

/** Masks a key that starts on the line of its BEGIN marker, as in a string literal. */
function maskKeyInLine(line: string, from: number, mask: (secret: string) => string): string {
  const end = line.indexOf('-----END', from)
  const body = end === -1 ? line.slice(from) : line.slice(from, end)
  if (!/[A-Za-z0-9+/=]{20}/.test(body)) return line
  return line.slice(0, from) + mask(body) + (end === -1 ? '' : line.slice(end))
}
