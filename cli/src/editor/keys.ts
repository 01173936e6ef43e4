// Turns the bytes of a keyboard into keys. Keys, characters and pastes may be split over any number of reads.
import { StringDecoder } from 'node:string_decoder'

export type Key =
  /** Printable characters that arrived together. */
  | { readonly kind: 'text'; readonly text: string }
  /** Text between the marks of a bracketed paste, or several lines in one read. `isPart`: more of it may follow. */
  | { readonly kind: 'paste'; readonly text: string; readonly isCut: boolean; readonly isPart?: true }
  | { readonly kind: 'key'; readonly name: KeyName }

export type KeyName =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'shift-tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | 'word-left'
  | 'word-right'
  | 'word-delete'
  | 'word-backspace'
  | `ctrl-${string}`

export type KeyDecoder = {
  take(bytes: Uint8Array): Key[]
  /** Whether an Esc waits for the rest of its sequence. After a short pause it was the Esc key. */
  readonly isWaiting: boolean
  /** Ends the waiting. */
  flush(): Key[]
}

/** The rest of a longer paste is dropped, and the key has `isCut`. */
export const PASTE_CHARACTERS_MAX = 1024 * 1024
const SEQUENCE_CHARACTERS_MAX = 64
const PASTE_END = '\x1b[201~'

export function createKeyDecoder(): KeyDecoder {
  const utf8 = new StringDecoder('utf8')
  /** An incomplete sequence that starts with Esc. */
  let pending = ''
  let pasted: { text: string; tail: string; isCut: boolean } | null = null

  function take(bytes: Uint8Array): Key[] {
    const keys: Key[] = []
    let rest = pending + utf8.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    pending = ''
    while (rest !== '') rest = pasted ? takePasted(rest, keys) : takeTyped(rest, keys)
    return keys
  }

  function takePasted(text: string, keys: Key[]): string {
    if (!pasted) return text
    const joined = pasted.tail + text
    const end = joined.indexOf(PASTE_END)
    // The end mark itself may be split.
    const settled = end < 0 ? Math.max(0, joined.length - PASTE_END.length + 1) : end
    const room = PASTE_CHARACTERS_MAX - pasted.text.length
    if (settled > room) pasted.isCut = true
    pasted.text += joined.slice(0, Math.min(settled, room))
    pasted.tail = joined.slice(settled)
    if (end < 0) return ''
    keys.push(pasteOf(pasted.text, pasted.isCut))
    pasted = null
    return joined.slice(end + PASTE_END.length)
  }

  function takeTyped(text: string, keys: Key[]): string {
    if (text[0] === '\x1b') return takeSequence(text, keys)
    // A terminal without bracketed paste sends lines faster than anyone types.
    const [lines = ''] = (text.length < READ_LENGTH ? LINES : LONG_LINES).exec(text) ?? []
    if (lines !== '') {
      const isPart = text.length >= READ_LENGTH && { isPart: true as const }
      const isCut = lines.length > PASTE_CHARACTERS_MAX
      keys.push({ ...pasteOf(lines.slice(0, PASTE_CHARACTERS_MAX), isCut), ...isPart })
      return text.slice(lines.length)
    }
    const [run = ''] = PRINTABLE.exec(text) ?? []
    if (run !== '') {
      keys.push({ kind: 'text', text: run })
      return text.slice(run.length)
    }
    const name = CONTROLS[text[0] ?? '']
    if (name) keys.push({ kind: 'key', name })
    return text.slice(1)
  }

  function takeSequence(text: string, keys: Key[]): string {
    const [sequence] = SEQUENCE.exec(text) ?? []
    if (sequence !== undefined) {
      if (sequence === PASTE_START) pasted = { text: '', tail: '', isCut: false }
      else {
        const name = nameOf(sequence)
        if (name) keys.push({ kind: 'key', name })
      }
      return text.slice(sequence.length)
    }
    if (UNFINISHED.test(text) && text.length < SEQUENCE_CHARACTERS_MAX) {
      pending = text
      return ''
    }
    // A second Esc, or a sequence that makes no sense: the first Esc stands alone.
    if (text[1] === '\x1b' || text.length === 1) keys.push({ kind: 'key', name: 'escape' })
    const [broken = '\x1b'] = /^\x1b(?:[[O][ -?]*)?/.exec(text) ?? []
    return text.slice(broken.length)
  }

  return {
    take,
    get isWaiting() {
      return pending !== ''
    },
    flush() {
      const waited = pending
      pending = ''
      if (waited === '') return []
      return [{ kind: 'key', name: 'escape' }]
    },
  }
}

const pasteOf = (text: string, isCut: boolean): Extract<Key, { kind: 'paste' }> => ({
  kind: 'paste',
  text: text.replace(/\r\n?/g, '\n'),
  isCut,
})

const PASTE_START = '\x1b[200~'
/** A longer read was pasted. Its line end is not the Enter key either. */
const READ_LENGTH = 1_000
const PRINTABLE = /^[^\x00-\x1f\x7f-\x9f]+/
/** Lines that another line follows in the same read. */
const LINES =
  /^[^\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[\r\n](?=[^\x00-\x1f\x7f-\x9f])[^\x00-\x1f\x7f-\x9f]*/
const LONG_LINES = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+/
/** CSI and SS3 sequences, and Alt with a key. */
const SEQUENCE = /^\x1b(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-~]|O[0-9;]*[A-Za-z]|[^\x1b[O\x80-\x9f])/u
const UNFINISHED = /^\x1b(?:\[\[?[0-?]*[ -/]*|O[0-9;]*)?$/

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x1f': 'ctrl-_',
  ...Object.fromEntries(
    [...'abcdefgklnopqrstuvwxyz'].map((letter) => [
      String.fromCharCode(letter.charCodeAt(0) - 96),
      `ctrl-${letter}` as const,
    ]),
  ),
}

const FINALS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift-tab',
  M: 'enter',
}
const NUMBERED: Readonly<Record<string, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
}
const ALT: Readonly<Record<string, KeyName>> = {
  b: 'word-left',
  f: 'word-right',
  d: 'word-delete',
  '\r': 'newline',
  '\n': 'newline',
  '\x7f': 'word-backspace',
  '\b': 'word-backspace',
}
const WORDWISE: Readonly<Record<string, KeyName>> = {
  left: 'word-left',
  right: 'word-right',
  delete: 'word-delete',
  backspace: 'word-backspace',
}

function nameOf(sequence: string): KeyName | null {
  const body = sequence.slice(1)
  if (body[0] !== '[' && body[0] !== 'O') return ALT[body.toLowerCase()] ?? null
  const final = body.at(-1) ?? ''
  const [code = '', modifier = '1'] = body.slice(1, -1).split(';')
  // Shift is bit 0, Alt bit 1, Ctrl bit 2, each plus one.
  const bits = Math.max(0, Number.parseInt(modifier, 10) - 1) || 0
  // Enter with Shift, Alt or Ctrl, in the two ways terminals report it.
  if ((final === 'u' && code === '13') || /^\[27;\d+;13~$/.test(body)) return bits > 0 ? 'newline' : 'enter'
  if (final === 'u') return reported(code, bits)
  // Replies of the terminal to questions.
  if (/^\[[<=>?]/.test(body)) return null
  const name = final === '~' ? NUMBERED[code] : body[0] === 'O' || final !== 'M' ? FINALS[final] : undefined
  if (!name) return null
  return (bits & 6) !== 0 ? (WORDWISE[name] ?? name) : name
}

/** Keys with modifiers as code points, from terminals that report them so. */
function reported(code: string, bits: number): KeyName | null {
  const character = String.fromCharCode(Number.parseInt(code, 10) || 0)
  if (code === '27') return 'escape'
  if (code === '9') return (bits & 1) !== 0 ? 'shift-tab' : 'tab'
  if (code === '127') return (bits & 6) !== 0 ? 'word-backspace' : 'backspace'
  if ((bits & 4) !== 0) return CONTROLS[String.fromCharCode(character.charCodeAt(0) & 31)] ?? null
  if ((bits & 2) !== 0) return ALT[character] ?? null
  return null
}
