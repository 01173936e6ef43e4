// Secret values that were found in one text and are hidden in all others.
import { createPartFinder, createValueFinder, type FoundValue } from './value-finder.ts'

/** Shorter values also occur by chance. */
const CHARACTERS_MIN = 8
const NAMED_CHARACTERS_MIN = 6
/** The values that were learned first stay: those are the values of files that hold secrets. */
const VALUES_MAX = 10_000
const FORMS_MAX = 2_000

export type KnownValues = {
  /** False if there is no room for it. */
  add(value: string, charactersMin?: number): boolean
  all(): readonly string[]
  find(text: string): FoundValue[]
  /** Also finds their usual encodings and long parts of them, for texts that a command printed. */
  findForms(text: string): FoundValue[]
}

export function createKnownValues(): KnownValues {
  const values = new Set<string>()
  const plain = createValueFinder()
  const encoded = createValueFinder()
  const parts = createPartFinder()
  let waiting: string[] = []
  return {
    add: (value, charactersMin = CHARACTERS_MIN) => {
      if (value.length < charactersMin || values.has(value)) return true
      if (values.size >= VALUES_MAX) return false
      values.add(value)
      plain.add(value)
      parts.add(value)
      if (values.size <= FORMS_MAX) waiting.push(value)
      return true
    },
    all: () => [...values],
    find: (text) => plain.find(text),
    findForms: (text) => {
      for (const form of waiting.flatMap(encodingsOf)) encoded.add(form)
      waiting = []
      return [...plain.find(text), ...encoded.find(text), ...parts.find(text)]
    },
  }
}

/** The forms in which a command prints a value when it does not print it verbatim. */
function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const forms = [
    ...[0, 1, 2].flatMap((shift) => base64Core(bytes, shift)),
    hex,
    hex.toUpperCase(),
    [...value].reverse().join(''),
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
  ]
  return [...new Set(forms)].filter((form) => form !== value && form.length >= CHARACTERS_MIN)
}

/** The characters of the Base64 encoding that depend only on the value, when `shift` other bytes precede it. */
function base64Core(bytes: Buffer, shift: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const isCutAtEnd = (shift + bytes.length) % 3 !== 0
  const core = encoded.slice(Math.ceil((shift * 8) / 6), isCutAtEnd ? -1 : undefined)
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?["']?([\w.-]{1,100})["']?[ \t]*[=:][ \t]*["']?([^"'\s,;]{6,4000})/
const SECRET_NAME = /secret|token|passw|pwd|key|auth|cred|private|salt|dsn/i
const ORDINARY = /^(?:true|false|null|[\d.]+|[a-z]+|[A-Z]+|[\w.-]+:\d+|https?:\/\/[^@]*|\.{0,2}\/[\w./-]*)$/
const KEY_LINE = /^[A-Za-z0-9+/=]{24,4000}$/
const LINES_MAX = 2_000

/** All values of a file that exists to hold secrets: its names, not its formats, show which they are. */
export function learnSecretFile(values: KnownValues, text: string): void {
  for (const line of text.split('\n', LINES_MAX)) {
    if (KEY_LINE.test(line.trim())) values.add(line.trim())
    const [, name = '', value = ''] = ASSIGNMENT.exec(line) ?? []
    if (SECRET_NAME.test(name)) values.add(value, NAMED_CHARACTERS_MIN)
    else if (!ORDINARY.test(value)) values.add(value)
  }
}
