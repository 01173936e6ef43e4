// YAML at its top level: values of keys, and elements of lists that have a name. Anything unusual is left to the user.
import {
  type Change,
  endOfLine,
  type Format,
  labelOf,
  lineAt,
  type Segment,
  splice,
  UneditableError,
  withFinalLineEnd,
} from './format.ts'

type Entry = {
  readonly key: string
  readonly start: number
  /** After the colon. */
  readonly keyEnd: number
  /** The value on the line of the key, without a comment. */
  readonly valueStart: number
  readonly valueEnd: number
  /** After the last line of the value, comments behind it excluded. */
  readonly end: number
  readonly items: readonly Item[]
}
type Item = {
  readonly name: string | null
  readonly indent: string
  readonly start: number
  readonly end: number
}
type Edit = { readonly path: readonly Segment[]; readonly value: string }

const KEY_LINE = /^(?:"([^"\\]+)"|'([^']+)'|([A-Za-z_][\w.-]*))[ \t]*:(?=[ \t]|$)[ \t]*(.*)$/
const VALUE = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?!["'#])(?:(?![ \t]#).)+?|)[ \t]*(?:(?<=[ \t]|^)#.*)?$/

export const yamlFormat: Format = {
  merge(text, snippet, defaults) {
    let merged = withFinalLineEnd(text)
    const changes: Change[] = []
    for (const { path, value } of editsOf(snippet)) {
      const [key = '', element] = path
      const isDefault = defaults.includes(String(key))
      const present = find(merged, path)
      if (present !== null && (isDefault || isSame(present, value))) continue
      const existing = parse(merged).some((entry) => entry.key === key) ? 1 : 0
      merged =
        typeof element === 'object'
          ? setItem(merged, String(key), element.name, value)
          : setValue(merged, String(key), value)
      changes.push({ path, before: present, after: value, existing, ...(isDefault && { isDefault }) })
    }
    return { text: merged, changes }
  },

  revert(text, changes) {
    let reverted = text
    const kept: string[] = []
    for (const { path, before, after, existing, isDefault } of changes.toReversed()) {
      const present = find(reverted, path)
      if (present === null || isDefault) continue
      const [key = '', element] = path
      if (!isSame(present, after)) kept.push(labelOf(path))
      else if (typeof element === 'object')
        reverted =
          before === null
            ? removeItem(reverted, String(key), element.name, existing)
            : setItem(reverted, String(key), element.name, before)
      else
        reverted =
          before === null ? removeEntry(reverted, String(key)) : setValue(reverted, String(key), before)
    }
    const defaults = changes.filter(({ isDefault }) => isDefault).map(({ path }) => path[0])
    return { text: reverted, kept, isEmpty: parse(reverted).every(({ key }) => defaults.includes(key)) }
  },

  differing: (text, changes) =>
    changes
      .filter(({ path, after }) => {
        const present = find(text, path)
        return present === null || !isSame(present, after)
      })
      .map(({ path }) => labelOf(path)),
}

/** Items are compared and stored without their indentation. */
const isSame = (a: string, b: string): boolean => outdented(a) === outdented(b)

function editsOf(snippet: string): Edit[] {
  return parse(snippet).flatMap(({ key, valueStart, valueEnd, items }): Edit[] =>
    items.length === 0
      ? [{ path: [key], value: snippet.slice(valueStart, valueEnd) }]
      : items.map(({ name, start, end }) => ({
          path: [key, { name: name ?? '' }],
          value: outdented(snippet.slice(start, end)),
        })),
  )
}

/** The text of a value or item; null when it is absent. */
function find(text: string, [key, element]: readonly Segment[]): string | null {
  const entry = parse(text).find((each) => each.key === key)
  if (!entry) return null
  if (typeof element !== 'object') return text.slice(entry.valueStart, entry.valueEnd)
  const item = entry.items.find(({ name }) => name === element.name)
  return item ? outdented(text.slice(item.start, item.end)) : null
}

function setValue(text: string, key: string, value: string): string {
  const entry = parse(text).find((each) => each.key === key)
  if (!entry) return `${text}${key}: ${value}\n`
  if (entry.end > endOfLine(text, entry.start))
    throw new UneditableError(`has a value of several lines for ${key}`)
  return entry.valueStart === entry.valueEnd
    ? splice(text, entry.keyEnd, entry.keyEnd, ` ${value}`)
    : splice(text, entry.valueStart, entry.valueEnd, value)
}

function removeEntry(text: string, key: string): string {
  const entry = parse(text).find((each) => each.key === key)
  return entry ? splice(text, entry.start, entry.end, '') : text
}

function setItem(text: string, key: string, name: string, value: string): string {
  const entry = parse(text).find((each) => each.key === key)
  if (!entry) return `${text}${key}:\n${indented(value, '  ')}`
  const present = entry.items.find((item) => item.name === name)
  if (present) return splice(text, present.start, present.end, indented(value, present.indent))
  const [last] = entry.items.slice(-1)
  if (last) return splice(text, last.end, last.end, indented(value, last.indent))
  if (!/^(?:|\[[ \t]*\]|~|null)$/.test(text.slice(entry.valueStart, entry.valueEnd)))
    throw new UneditableError(`has a list at ${key} that cannot be edited safely`)
  const emptied = splice(text, entry.keyEnd, entry.valueEnd, '')
  const lineEnd = endOfLine(emptied, entry.start)
  return splice(emptied, lineEnd, lineEnd, indented(value, '  '))
}

/** A list that becomes empty is removed, or written as an empty list if it existed before. */
function removeItem(text: string, key: string, name: string, existing: number): string {
  const entry = parse(text).find((each) => each.key === key)
  const item = entry?.items.find((each) => each.name === name)
  if (!entry || !item) return text
  if (entry.items.length === 1 && existing === 0) return removeEntry(text, key)
  const left = splice(text, item.start, item.end, '')
  return entry.items.length === 1 ? splice(left, entry.keyEnd, entry.keyEnd, ' []') : left
}

/** All keys at the top. Throws for forms that this module does not edit. */
function parse(text: string): Entry[] {
  const entries: { entry: Entry; itemLines: Item[] }[] = []
  let hasDocumentMark = false
  for (let start = 0; start < text.length; start = endOfLine(text, start)) {
    const end = endOfLine(text, start)
    const line = text.slice(start, end).replace(/\n$/, '')
    const refuse = () =>
      new UneditableError(`has a form of YAML at line ${lineAt(text, start)} that cannot be edited safely`)
    if (/^[ \t]*(?:#.*)?$/.test(line)) continue
    if (/^[ ]*\t/.test(line)) throw new UneditableError(`is not valid YAML at line ${lineAt(text, start)}`)
    if (/^---[ \t]*$/.test(line) && entries.length === 0 && !hasDocumentMark) {
      hasDocumentMark = true
      continue
    }
    const current = entries.at(-1)
    if (/^(?:[ ]|- |-$)/.test(line)) {
      if (!current) throw refuse()
      addLine(current, line, start, end)
      continue
    }
    const entry = entryAt(line, start, end)
    if (!entry) throw refuse()
    entries.push({ entry, itemLines: [] })
  }
  return entries.map(({ entry, itemLines }) => ({ ...entry, items: itemLines }))
}

function entryAt(line: string, start: number, end: number): Entry | null {
  const [, quoted, single, bare, rest = ''] = KEY_LINE.exec(line) ?? []
  const key = quoted ?? single ?? bare
  if (key === undefined) return null
  const [, value] = VALUE.exec(rest) ?? []
  if (value === undefined) return null
  const valueStart = start + line.length - rest.length
  const keyEnd = start + line.slice(0, line.length - rest.length).trimEnd().length
  return { key, start, keyEnd, valueStart, valueEnd: valueStart + value.length, end, items: [] }
}

/** Adds an indented line to the value, as a new item or as a part of the last one. */
function addLine(to: { entry: Entry; itemLines: Item[] }, line: string, start: number, end: number): void {
  const { entry, itemLines } = to
  const isList = entry.valueStart === entry.valueEnd
  to.entry = { ...entry, end }
  const [, indent = '', content] = /^([ ]*)-(?:[ ]+(.*))?$/.exec(line) ?? []
  const [first] = itemLines
  if (isList && content !== undefined && (first === undefined || first.indent === indent)) {
    itemLines.push({ name: nameIn(content), indent, start, end })
    return
  }
  const last = itemLines.pop()
  if (last) itemLines.push({ ...last, end, name: last.name ?? nameIn(line.trim()) })
}

function nameIn(content: string): string | null {
  const [, value = ''] = /^name:[ \t]+(.*)$/.exec(content) ?? []
  const [, name = ''] = VALUE.exec(value) ?? []
  return name === '' ? null : name.replace(/^(["'])(.*)\1$/, '$2')
}

const indented = (lines: string, indent: string): string => lines.replace(/^(?=.)/gm, indent)

/** Removes the indentation of the first line from all lines. */
function outdented(lines: string): string {
  const [indent = ''] = /^[ ]*/.exec(lines) ?? []
  return indent === '' ? lines : lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}
