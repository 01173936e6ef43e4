// Nothing that opens a door is stored, embedded or shown: it is struck out before anything else is done with a text. Unlike a
// finding, which must be right, this may be wrong: what is struck out in vain is missed by nobody who searches.
// Each pattern begins where little can begin, and repeats nothing without a bound: a text takes as long as it is.
import { findSecrets, TOKEN_PREFIXES } from '@cowrie/analysis/secret-formats/secrets.ts'

export type MaskResult = {
  /** Lines are as many and as long as they were. */
  readonly text: string
  /** How many of them hardly were anything else. */
  readonly secrets: number
}

/** `isCode`: whether a word behind a colon may be the name of something, and not the thing itself. */
export function maskText(text: string, isCode: boolean): MaskResult {
  let secrets = 0
  const strike = (secret: string) => {
    if (secret.length >= SECRET_CHARACTERS_MIN && /\d/.test(secret)) secrets += 1
    return blankOut(secret)
  }
  const masked = maskKnownFormats(maskPrivateKeys(text, strike), strike)
    .replace(PREFIXED, (secret) => (looksRandom(secret) ? strike(secret) : secret))
    .replace(IN_URL, (_, before: string, secret: string) => before + strike(secret))
    .replace(IN_HEADER, (all, before: string, secret: string) =>
      looksRandom(secret) || secret.endsWith('=') ? before + strike(secret) : all,
    )
    .replace(NAMED_QUOTED, (all, before: string, secret: string) =>
      isQuotedSecret(before, secret) ? before + strike(secret) : all,
    )
    .replace(NAMED_BARE, (all, before: string, secret: string, at: number, whole: string) =>
      isBareSecret(before, secret, isCode ? whole.slice(at + all.length, at + all.length + 1) : null)
        ? before + strike(secret)
        : all,
    )
    .replace(RANDOM, (word) => (isScrambled(word) ? blankOut(word) : word))
  return { text: masked, secrets }
}

const SECRET_CHARACTERS_MIN = 12

/** Without the secrets of known formats. */
function maskKnownFormats(text: string, strike: (secret: string) => string): string {
  let masked = ''
  let done = 0
  for (const { start, end } of findSecrets(text)) {
    masked += text.slice(done, start) + strike(text.slice(start, end))
    done = end
  }
  return masked + text.slice(done)
}

const blankOut = (secret: string): string => secret.replace(/\S/g, '•')

/** Keys that say by their first characters what they are. */
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
/** Ends in what opens something, and not in what is said about it. */
const NAMES_A_SECRET =
  /(?:secret|secret_?key|passw(?:or)?d|passphrase|passkey|pwd|mnemonic|phrase)["'`)\]]{0,2}\W{1,24}$/i
const PLACEHOLDER = /^[$<{%]|\$\{|\{\{|^(?:https?:\/\/|\.{0,2}\/)/
const WORDS = /^[A-Za-z]{1,40}(?:[-_.:/ |][A-Za-z]{1,40}){0,20}$/
const UPPERCASE_NAME = /[A-Z]=$/

function isQuotedSecret(before: string, value: string): boolean {
  if (PLACEHOLDER.test(value)) return false
  // A sentence is a message, except where words are the key.
  if (/\s/.test(value)) return /mnemonic|phrase/i.test(before)
  // In a list a name says little about what comes next.
  if (/,[ \t]*[A-Za-z]*["'`]$/.test(before)) return value.length >= SECRET_CHARACTERS_MIN && /\d/.test(value)
  return NAMES_A_SECRET.test(before) || !WORDS.test(value)
}

/** `next`: the character behind it in code, where a call or a member of something is no value. */
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

/** Letters and digits in turn, as nobody writes a name. */
const isScrambled = (word: string): boolean =>
  /\d.*\d/.test(word) && countCaseChanges(word) >= word.length * CASE_CHANGE_SHARE

/** How often a text goes over from small letters to large ones, to digits, and back. */
function countCaseChanges(text: string): number {
  let turns = 0
  let last = ''
  for (const character of text) {
    const kind = character >= 'a' ? 'a' : character >= 'A' ? 'A' : '0'
    if (kind !== last) turns += 1
    last = kind
  }
  return turns
}

const KEY_BEGINS = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/
const KEY_LINE = /^[\s"'`+>#*|]{0,40}[A-Za-z0-9+/=]{20,4000}(?:\\[nr]){0,2}[\s"'`+,;\\.)]{0,20}$/
const KEY_END_LINE =
  /^[\s"'`+>#*|]{0,40}(?:[A-Za-z0-9+/=]{0,80}|(?:Proc-Type|DEK-Info|Version|Comment): .{0,200})(?:\\[nr]){0,2}[\s"'`+,;\\.)]{0,20}$/
const KEY_LINES_MAX = 400

/** A key of several lines, whether or not its end is there. */
function maskPrivateKeys(text: string, strike: (secret: string) => string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let left = 0
  let hasBegun = false
  const lines = text.split('\n').map((line) => {
    const begins = KEY_BEGINS.exec(line)
    if (begins) {
      left = KEY_LINES_MAX
      hasBegun = false
      return maskKeyInLine(line, begins.index + begins[0].length, strike)
    }
    if (left === 0) return line
    left -= 1
    const isKey = KEY_LINE.test(line)
    if (line.includes('-----END') || !(isKey || KEY_END_LINE.test(line))) left = 0
    if (!isKey && !(hasBegun && left > 0)) return line
    hasBegun = true
    return isKey ? strike(line) : blankOut(line)
  })
  return lines.join('\n')
}

/** What stands behind the beginning in the same line, where a key is written as a string. */
function maskKeyInLine(line: string, from: number, strike: (secret: string) => string): string {
  const end = line.indexOf('-----END', from)
  const body = end === -1 ? line.slice(from) : line.slice(from, end)
  if (!/[A-Za-z0-9+/=]{20}/.test(body)) return line
  return line.slice(0, from) + strike(body) + (end === -1 ? '' : line.slice(end))
}
