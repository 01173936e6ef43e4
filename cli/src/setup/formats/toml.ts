// TOML: values are set by editing their text. Tables are found by their headers.
import {
  type Change,
  endOfLine,
  type Format,
  labelOf,
  lineAt,
  splice,
  startOfLine,
  UneditableError,
  withFinalLineEnd,
} from './format.ts'

type Path = readonly string[]
type Entry = {
  /** From the top of the file. */
  readonly path: Path
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
  /** After the line end. */
  readonly end: number
}
type Table = {
  readonly path: Path
  readonly isArray: boolean
  readonly start: number
  /** After the line of the header; the start of the file for the top level. */
  readonly bodyStart: number
  readonly entries: Entry[]
}

const KEY = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([\w-]+))[ \t]*/y
const VALUES = [
  /"""[\s\S]*?(?<!\\)"{3,5}/y,
  /'''[\s\S]*?'{3,5}/y,
  /"(?:[^"\\\n]|\\.)*"/y,
  /'[^'\n]*'/y,
  /[\w.:+-]+(?:[ ]\d\d:[\w.:+-]+)?/y,
]

export const tomlFormat: Format = {
  merge(text, snippet, defaults) {
    let merged = withFinalLineEnd(text)
    const changes: Change[] = []
    for (const wanted of parse(snippet)) {
      for (const { path, valueStart, valueEnd } of wanted.entries) {
        const value = snippet.slice(valueStart, valueEnd)
        const isDefault = defaults.includes(path[0] ?? '')
        const present = find(merged, path)
        const before = present ? merged.slice(present.valueStart, present.valueEnd) : null
        if (present && (isDefault || before === value)) continue
        const existing = parse(merged).some((table) => isSame(table.path, wanted.path))
          ? wanted.path.length
          : 0
        merged = present
          ? splice(merged, present.valueStart, present.valueEnd, value)
          : insert(merged, wanted.path, `${path.slice(wanted.path.length).join('.')} = ${value}\n`)
        changes.push({ path, before, after: value, existing, ...(isDefault && { isDefault }) })
      }
    }
    return { text: merged, changes }
  },

  revert(text, changes) {
    let reverted = text
    const kept: string[] = []
    for (const { path, before, after, existing } of changes.toReversed()) {
      const keys = path.map(String)
      const present = find(reverted, keys)
      if (!present) continue
      if (reverted.slice(present.valueStart, present.valueEnd) !== after) kept.push(labelOf(path))
      else if (before !== null) reverted = splice(reverted, present.valueStart, present.valueEnd, before)
      else {
        reverted = splice(reverted, present.start, present.end, '')
        if (existing === 0 && keys.length > 1) reverted = removeEmptyTable(reverted, keys.slice(0, -1))
      }
    }
    return { text: reverted, kept, isEmpty: reverted.trim() === '' }
  },

  differing: (text, changes) =>
    changes
      .filter(({ path, after }) => {
        const present = find(text, path.map(String))
        return !present || text.slice(present.valueStart, present.valueEnd) !== after
      })
      .map(({ path }) => labelOf(path)),
}

/** The entry at the path. A parent that is a value or a list of tables cannot be edited. */
function find(text: string, path: Path): Entry | undefined {
  const tables = parse(text)
  const isParent = (other: Path) => other.length < path.length && isSame(other, path.slice(0, other.length))
  const blocking =
    tables.find((table) => table.isArray && table.path.length > 0 && isParent(table.path))?.path ??
    tables.flatMap(({ entries }) => entries).find((entry) => isParent(entry.path))?.path
  if (blocking)
    throw new UneditableError(`defines ${labelOf(blocking)} in a form that cannot be edited safely`)
  return tables.flatMap(({ entries }) => entries).find((entry) => isSame(entry.path, path))
}

function insert(text: string, table: Path, line: string): string {
  const present = parse(text).find(({ path, isArray }) => !isArray && isSame(path, table))
  if (!present) {
    const gap = text.trim() === '' || text.endsWith('\n\n') ? '' : '\n'
    return `${text}${gap}[${table.join('.')}]\n${line}`
  }
  const position = present.entries.at(-1)?.end ?? present.bodyStart
  // Separate the first values at the top from a table that follows.
  const gap = present.entries.length === 0 && table.length === 0 && text.trim() !== '' ? '\n' : ''
  return splice(text, position, position, `${line}${gap}`)
}

function removeEmptyTable(text: string, path: Path): string {
  const table = parse(text).find((each) => !each.isArray && isSame(each.path, path))
  if (!table || table.entries.length > 0) return text
  const before = text.slice(0, table.start)
  const start = before.endsWith('\n\n') ? table.start - 1 : table.start
  return splice(text, start, table.bodyStart, '')
}

const isSame = (a: Path, b: Path): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

/** The top level and all tables in order. */
function parse(text: string): Table[] {
  const tables: Table[] = [{ path: [], isArray: false, start: 0, bodyStart: 0, entries: [] }]
  const reader = createReader(text)
  for (let start = reader.nextStatement(); start < text.length; start = reader.nextStatement()) {
    const header = reader.header()
    if (header) {
      tables.push({ ...header, start, bodyStart: reader.endStatement(), entries: [] })
      continue
    }
    const key = reader.key()
    reader.expect('=')
    const { start: valueStart, end: valueEnd } = reader.value()
    const table = tables.at(-1)
    table?.entries.push({
      path: [...table.path, ...key],
      start,
      valueStart,
      valueEnd,
      end: reader.endStatement(),
    })
  }
  return tables
}

function createReader(text: string) {
  let at = 0
  const error = () => new UneditableError(`is not valid TOML at line ${lineAt(text, at)}`)
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const skip = () => match(/[ \t]*/y)
  const skipLines = () => match(/(?:\s|#[^\n]*)*/y)
  const take = (character: string): boolean => {
    if (!text.startsWith(character, at)) return false
    at += character.length
    return true
  }
  const expect = (character: string) => {
    if (!take(character)) throw error()
  }

  function key(): string[] {
    const keys: string[] = []
    do {
      const found = match(KEY)
      if (!found) throw error()
      keys.push(found[1] ?? found[2] ?? found[3] ?? '')
    } while (take('.'))
    return keys
  }

  function value(): { start: number; end: number } {
    skip()
    const start = at
    if (take('[')) {
      for (skipLines(); !take(']'); skipLines()) {
        value()
        skipLines()
        if (!take(',') && text[at] !== ']') throw error()
      }
    } else if (take('{')) {
      for (skipLines(); !take('}'); skipLines()) {
        key()
        expect('=')
        value()
        skipLines()
        if (!take(',') && text[at] !== '}') throw error()
      }
    } else if (!VALUES.some((pattern) => match(pattern))) throw error()
    return { start, end: at }
  }

  return {
    key,
    value,
    expect,
    /** The start of the line of the next header or value; the length of the text at its end. */
    nextStatement(): number {
      skipLines()
      return at < text.length ? startOfLine(text, at) : at
    },
    header(): { path: Path; isArray: boolean } | null {
      if (!take('[')) return null
      const isArray = take('[')
      const path = key()
      expect(isArray ? ']]' : ']')
      return { path, isArray }
    },
    /** Only a comment may follow on the line. */
    endStatement(): number {
      match(/[ \t]*(?:#[^\n]*)?/y)
      if (at < text.length && text[at] !== '\n') throw error()
      at = endOfLine(text, at)
      return at
    },
  }
}
