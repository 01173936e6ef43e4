// Reads a small part of YAML: maps, lists, texts, numbers and booleans. Anchors, aliases, tags and several documents are refused,
// so a text cannot grow while it is read.

export class YamlError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`)
    this.name = 'YamlError'
  }
}

export type YamlValue = string | number | boolean | null | YamlValue[] | { [key: string]: YamlValue }

type Line = { readonly number: number; readonly indent: number; readonly text: string }
type Reader = { readonly raw: readonly string[]; lines: Line[]; at: number }

const DEPTH_MAX = 10

/** Throws a `YamlError` with the line. */
export function parseYaml(text: string): YamlValue {
  const raw = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const reader: Reader = { raw, lines: readLines(raw), at: 0 }
  const [first] = reader.lines
  if (!first) throw new YamlError(1, 'the text is empty')
  const value = readBlock(reader, first.indent, 0)
  const rest = reader.lines[reader.at]
  if (rest) throw new YamlError(rest.number, 'the indentation does not match the lines above')
  return value
}

function readLines(raw: readonly string[]): Line[] {
  return raw.flatMap((written, index) => {
    const text = written.trim()
    if (text === '' || text.startsWith('#') || (index === 0 && text === '---')) return []
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(written))
      throw new YamlError(index + 1, 'only one document is allowed')
    const indent = written.search(/\S/)
    if (written.slice(0, indent).includes('\t'))
      throw new YamlError(index + 1, 'indent with spaces, not tabs')
    return [{ number: index + 1, indent, text }]
  })
}

function readBlock(reader: Reader, indent: number, depth: number): YamlValue {
  const line = reader.lines[reader.at]
  if (!line) return null
  if (depth > DEPTH_MAX) throw new YamlError(line.number, `more than ${DEPTH_MAX} levels are not allowed`)
  if (isItem(line)) return readList(reader, indent, depth)
  if (splitKey(line)) return readMap(reader, indent, depth)
  reader.at++
  return readInline(line.text, line.number)
}

const isItem = ({ text }: Line): boolean => text === '-' || text.startsWith('- ')

function readList(reader: Reader, indent: number, depth: number): YamlValue[] {
  const items: YamlValue[] = []
  for (
    let line = reader.lines[reader.at];
    line && line.indent === indent && isItem(line);
    line = reader.lines[reader.at]
  ) {
    const rest = line.text.slice(1).trim()
    if (rest === '' || rest.startsWith('#')) {
      reader.at++
      items.push(readNested(reader, indent, depth))
    } else {
      // The rest of the line is the first line of the item.
      const inner = { ...line, indent: line.indent + line.text.indexOf(rest, 1), text: rest }
      if (splitKey(inner) || isItem(inner)) {
        reader.lines = reader.lines.with(reader.at, inner)
        items.push(readBlock(reader, inner.indent, depth + 1))
      } else {
        reader.at++
        items.push(readValue(reader, rest, line))
      }
    }
  }
  return items
}

function readMap(reader: Reader, indent: number, depth: number): { [key: string]: YamlValue } {
  const entries = new Map<string, YamlValue>()
  for (let line = reader.lines[reader.at]; line && line.indent === indent; line = reader.lines[reader.at]) {
    const pair = isItem(line) ? null : splitKey(line)
    if (!pair) break
    if (entries.has(pair.key)) throw new YamlError(line.number, `"${pair.key}" occurs twice`)
    reader.at++
    const isEmpty = pair.value === '' || pair.value.startsWith('#')
    entries.set(pair.key, isEmpty ? readNested(reader, indent, depth) : readValue(reader, pair.value, line))
  }
  return Object.fromEntries(entries)
}

/** The deeper lines that follow. The items of a list may have the same indentation as its key. */
function readNested(reader: Reader, indent: number, depth: number): YamlValue {
  const next = reader.lines[reader.at]
  if (!next || next.indent < indent || (next.indent === indent && !isItem(next))) return null
  return readBlock(reader, next.indent, depth + 1)
}

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[A-Za-z0-9_][\w.-]*)\s*:(?:\s+(.*))?$/s

function splitKey({ text, number }: Line): { readonly key: string; readonly value: string } | null {
  const [, key, value = ''] = KEY.exec(text) ?? []
  return key === undefined ? null : { key: String(/^["']/.test(key) ? readInline(key, number) : key), value }
}

function readValue(reader: Reader, text: string, line: Line): YamlValue {
  const block = /^([|>])([+-]?)\s*(?:#.*)?$/.exec(text)
  return block ? readTextBlock(reader, line, block[1] === '>') : readInline(text, line.number)
}

/** The deeper lines as one text. Folded lines are joined by spaces. */
function readTextBlock(reader: Reader, { number, indent }: Line, isFolded: boolean): string {
  const lines: string[] = []
  let at = number
  for (; at < reader.raw.length; at++) {
    const written = reader.raw[at] ?? ''
    if (written.trim() !== '' && written.search(/\S/) <= indent) break
    lines.push(written)
  }
  while ((reader.lines[reader.at]?.number ?? Number.POSITIVE_INFINITY) <= at) reader.at++
  const inner = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  const text = lines
    .map((line) => line.slice(inner))
    .join('\n')
    .trimEnd()
  return isFolded ? text.replace(/\n(\n*)(?=\S)/g, (_, more: string) => more || ' ') : text
}

function readInline(text: string, line: number): YamlValue {
  const scanner = new InlineScanner(text, line)
  const value = scanner.value(false, 0)
  scanner.end()
  return value
}

/** Values within a line: quoted and plain texts, `[a, b]` and `{a: b}`. */
class InlineScanner {
  private readonly text: string
  private readonly line: number
  private at = 0

  constructor(text: string, line: number) {
    this.text = text
    this.line = line
  }

  value(isInside: boolean, depth: number): YamlValue {
    this.spaces()
    const first = this.text[this.at] ?? ''
    if (depth > DEPTH_MAX) throw this.error(`more than ${DEPTH_MAX} levels are not allowed`)
    if (first === '[') return this.list(depth)
    if (first === '{') return this.map(depth)
    if (first === '"' || first === "'") return this.quoted(first)
    if (/[&*!%@`|>]/.test(first)) throw this.error(`put values that begin with ${first} in quotes`)
    return this.plain(isInside)
  }

  end(): void {
    const rest = this.text.slice(this.at).trim()
    if (rest !== '' && !rest.startsWith('#')) throw this.error(`"${rest.slice(0, 40)}" is not expected here`)
  }

  private list(depth: number): YamlValue[] {
    const items: YamlValue[] = []
    this.at++
    for (;;) {
      this.spaces()
      if (this.take(']')) return items
      items.push(this.value(true, depth + 1))
      this.spaces()
      if (!this.take(',') && this.text[this.at] !== ']') throw this.error('a list in brackets is not closed')
    }
  }

  private map(depth: number): YamlValue {
    const entries = new Map<string, YamlValue>()
    this.at++
    for (;;) {
      this.spaces()
      if (this.take('}')) return Object.fromEntries(entries)
      const key = String(this.value(true, depth + 1))
      this.spaces()
      if (!this.take(':')) throw this.error('a map in braces needs "key: value"')
      if (entries.has(key)) throw this.error(`"${key}" occurs twice`)
      entries.set(key, this.value(true, depth + 1))
      this.spaces()
      if (!this.take(',') && this.text[this.at] !== '}') throw this.error('a map in braces is not closed')
    }
  }

  private quoted(quote: string): string {
    const pattern = quote === '"' ? /"((?:[^"\\]|\\.)*)"/sy : /'((?:[^']|'')*)'/sy
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) throw this.error('a quoted text is not closed')
    this.at = pattern.lastIndex
    if (quote === "'") return (found[1] ?? '').replaceAll("''", "'")
    const text = readEscapes(found[1] ?? '')
    if (text === null) throw this.error('a text in double quotes has an unknown escape; use single quotes')
    return text
  }

  private plain(isInside: boolean): YamlValue {
    const rest = this.text.slice(this.at)
    const end = isInside ? rest.search(/[,\]}]|:(?=\s|$)|\s#/) : rest.search(/\s#/)
    const written = (end === -1 ? rest : rest.slice(0, end)).trim()
    this.at += end === -1 ? rest.length : end
    if (!isInside && /:(?:\s|$)/.test(written)) throw this.error('put texts that contain ": " in quotes')
    if (written === '' && isInside) throw this.error('a value is missing')
    return scalarOf(written)
  }

  private spaces(): void {
    while (this.text[this.at] === ' ') this.at++
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private error = (message: string): YamlError => new YamlError(this.line, message)
}

/** Null also for characters that cannot be stored. */
function readEscapes(quoted: string): string | null {
  try {
    const text = String(JSON.parse(`"${quoted}"`))
    return text.isWellFormed() && !/(?![\t\n])\p{Cc}/u.test(text) ? text : null
  } catch {
    return null
  }
}

function scalarOf(text: string): YamlValue {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null' || text === '~' || text === '') return null
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
}
