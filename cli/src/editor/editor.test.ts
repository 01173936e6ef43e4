import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accept, typedWord } from './completion.ts'
import { type EditorState, type Effect, edit, messageOf, openEditor } from './editor.ts'
import { createKeyDecoder } from './keys.ts'
import { layOut } from './layout.ts'

type Typed = { state: EditorState; effects: Effect[]; text: string; shown: string }

/** Feeds characters as they come from a keyboard. `|` marks the cursor in `shown`. */
function type(bytes: string, { history = [] as string[], width = 40, from = openEditor() } = {}): Typed {
  const decoder = createKeyDecoder()
  let state = from
  const effects: Effect[] = []
  const keys = [...bytes].flatMap((character) => decoder.take(Buffer.from(character)))
  for (const key of [...keys, ...decoder.flush()]) {
    const edited = edit(state, key, { history, width })
    ;({ state } = edited)
    if (edited.effect !== 'none') effects.push(edited.effect)
  }
  const { units, cursor } = state.document
  const show = (part: typeof units) => part.map(({ text, mark }) => mark ?? text).join('')
  return {
    state,
    effects,
    text: messageOf(state).text,
    shown: `${show(units.slice(0, cursor))}|${show(units.slice(cursor))}`,
  }
}

const [LEFT, RIGHT, UP, DOWN, HOME, END] = ['\x1b[D', '\x1b[C', '\x1b[A', '\x1b[B', '\x1b[H', '\x1b[F']
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`

describe('moving and deleting', () => {
  test.for([
    [`abc${LEFT}${LEFT}X`, 'aX|bc'],
    [`abc${HOME}X${END}Y`, 'XabcY|'],
    ['one two\x01\x1bf', 'one| two'],
    ['one two\x1bb', 'one |two'],
    ['one two\x17', 'one |'],
    ['src/a.ts\x1b\x7f', 'src/a.|'],
    [`one two${HOME}\x1bd`, '| two'],
    ['one two\x15', '|'],
    [`one two${LEFT}${LEFT}\x0b`, 'one t|'],
    [`one two${LEFT}${LEFT}\x0b\x01\x19`, 'wo|one t'],
    ['one two\x17\x17\x19', 'one two|'],
    [`abc${HOME}\x1b[3~`, '|bc'],
    ['abc\x7f\x7f', 'a|'],
    [`ab${LEFT}${RIGHT}c`, 'abc|'],
  ])('%j gives %s', ([bytes = '', shown]) => expect(type(bytes).shown).toBe(shown))
})

describe('characters of several code points', () => {
  test.for([
    ['e\u0301x', 2, 'a combining mark'],
    ['👩‍👩‍👧x', 2, 'a family'],
    ['👍🏽x', 2, 'a skin tone'],
    ['🇳🇬x', 2, 'a flag'],
    ['مُx', 2, 'an Arabic vowel'],
    ['漢字', 2, 'wide letters'],
  ] as const)('%s is %i steps: %s', ([text, steps]) => {
    expect(type(text).state.document.units).toHaveLength(steps)
    expect(type(`${text}\x7f${'\x7f'.repeat(steps - 1)}`).text).toBe('')
  })

  test('a mark that is typed later joins its letter', () => {
    const { state } = type('e')
    expect(type('\u0301', { from: state }).state.document).toMatchObject({
      units: [{ text: 'e\u0301' }],
      cursor: 1,
    })
  })

  test('a wide letter that does not fit starts the next row', () => {
    const { rows, cursor } = layOut(type('abc漢d', { width: 4 }).state.document, 4)
    expect(rows.map(({ pieces }) => pieces.map(({ text }) => text).join(''))).toEqual(['abc', '漢d'])
    expect(cursor).toEqual({ row: 1, column: 3 })
  })
})

describe('several lines', () => {
  test.for([
    ['one\x1b\rtwo', 'one\ntwo|'],
    ['one\ntwo', 'one\ntwo|'],
    ['one\\\rtwo', 'one\ntwo|'],
    ['one\ntwo\x01X', 'one\nXtwo|'.replace('Xtwo|', 'X|two')],
    [`one\ntwo${UP}X`, 'oneX|\ntwo'],
    [`one\ntwo${UP}${DOWN}X`, 'one\ntwoX|'],
    ['one\ntwo\x01\x15', 'one|two'],
  ])('%j gives %j', ([bytes = '', shown]) => expect(type(bytes).shown).toBe(shown))

  test('a backslash inside a line is no continuation', () => {
    expect(type(`a\\b${LEFT}\r`).effects).toEqual(['submit'])
  })
})

describe('pasting', () => {
  test('a small paste is text; Enter in it sends nothing', () => {
    expect(type(paste('a\r\nb\n'))).toMatchObject({ effects: [], text: 'a\nb\n' })
  })

  test('a large paste is one mark and is sent whole', () => {
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n')
    const { state, shown, text } = type(`see ${paste(lines)} please`)
    expect(shown).toBe('see [pasted 120 lines] please|')
    expect(text).toBe(`see ${lines} please`)
    expect(messageOf(state).shown).toBe('see [pasted 120 lines] please')
    expect(type(`${' please'.replaceAll(/./g, '\x7f')}\x7f`, { from: state }).text).toBe('see ')
  })

  test('a long paste without marks is one mark, although it comes in several reads', () => {
    const decoder = createKeyDecoder()
    const long = 'words of a log\r'.repeat(1_000)
    let state = openEditor()
    for (let at = 0; at < long.length; at += 3_000)
      for (const key of decoder.take(Buffer.from(long.slice(at, at + 3_000))))
        ({ state } = edit(state, key, { history: [], width: 40 }))
    expect(messageOf(state)).toEqual({
      text: 'words of a log\n'.repeat(1_000),
      shown: '[pasted 1001 lines]',
    })
  })

  test('a pasted path stays text', () => {
    expect(type(paste('~/Pictures/screen shot.png')).shown).toBe('~/Pictures/screen shot.png|')
  })
})

describe('history', () => {
  const history = ['first', 'second', 'third one']
  test.for([
    [UP, 'third one|'],
    [`${UP}${UP}${UP}${UP}`, 'first|'],
    [`draft${UP}${DOWN}`, 'draft|'],
    [`${UP}!${UP}`, 'third one|'],
    ['\x12sec\r', 'second|'],
    ['\x12i\x12\x1b[C', 'first|'],
    ['own\x12third\x1b', 'own|'],
    ['own\x12zzz', 'own|'],
    ['own\x12third or so', 'third one|'],
  ])('%j gives %s', ([bytes = '', shown]) => expect(type(bytes, { history }).shown).toBe(shown))

  test('a large message of the history is a mark again', () => {
    expect(type(UP, { history: ['x\n'.repeat(50)] }).shown).toBe('[pasted 51 lines]|')
  })
})

test('typing is undone word by word, and deleting in one step', () => {
  expect(type('one two\x1f').shown).toBe('one|')
  expect(type('one two\x1f\x1f').shown).toBe('|')
  expect(type('one two\x15\x1f').shown).toBe('one two|')
  expect(type('\x1f').effects).toEqual(['bell'])
})

test('Ctrl-D quits only an empty input', () => {
  expect(type('\x04').effects).toEqual(['quit'])
  expect(type(`ab${HOME}\x04`)).toMatchObject({ effects: [], shown: '|b' })
})

test('commands and files are completed, and nothing else', () => {
  const word = (bytes: string) => typedWord(type(bytes).state)?.text ?? null
  expect(word('/co')).toBe('/co')
  expect(word('see /co')).toBeNull()
  expect(word('see @src/te')).toBe('@src/te')
  expect(word('ada@example.com')).toBeNull()
  const { state } = type('see @src/te')
  const at = typedWord(state)
  const completed = at && accept(state, at, { text: '@src/terminal/' })
  expect(completed && messageOf(completed).text).toBe('see @src/terminal/')
})

test('whatever is pressed, nothing breaks, and what is sent is what is shown', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      LEFT,
      RIGHT,
      UP,
      DOWN,
      HOME,
      END,
      '\x1b',
      '\x7f',
      '\x17',
      '\x0b',
      '\x15',
      '\x19',
      '\x1f',
      '\x1b[3~',
    ),
    fc.constantFrom(
      '\n',
      '\\',
      'e',
      '\u0301',
      '👍',
      '🏽',
      '\u200d',
      'م',
      '\u202e',
      '\x12',
      '\t',
      '\x1bb',
      '\x1bd',
    ),
    fc.string({ maxLength: 4, unit: 'binary' }),
    fc.string({ maxLength: 4, unit: 'binary' }).map(paste),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 4, max: 30 }), (pieces, width) => {
      const { state } = type(pieces.join(''), { history: ['old one', 'مرحبا\nيا عالم'], width })
      const { units, cursor } = state.document
      expect(cursor).toBeGreaterThanOrEqual(0)
      expect(cursor).toBeLessThanOrEqual(units.length)
      const { rows, cursor: place } = layOut(state.document, width)
      expect(rows[place.row]).toBeDefined()
      // Without marks, the rows joined are the text, except for line ends and hidden characters.
      const shown = rows.map(({ pieces: parts }) => parts.map(({ text }) => text).join('')).join('')
      if (/^[\x20-\x7e\n]*$/.test(messageOf(state).shown))
        expect(shown).toBe(messageOf(state).shown.replaceAll('\n', ''))
      expect(shown).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
    }),
    { numRuns: rounds(133, 5_000) },
  )
})
