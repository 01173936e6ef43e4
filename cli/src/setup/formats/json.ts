// JSON with comments: values are set and removed by editing the text around them.
import { isDeepStrictEqual } from 'node:util'
import {
  type Change,
  endOfLine,
  type Format,
  labelOf,
  type Segment,
  splice,
  startOfLine,
  UneditableError,
} from './format.ts'
import { type ArrayNode, type Node, type ObjectNode, parseJsonc, toValue } from './jsonc.ts'

type Edit = { readonly path: readonly Segment[]; readonly value: unknown }

export const jsonFormat: Format = {
  merge(text, snippet, defaults) {
    const wanted = toValue(parseJsonc(snippet))
    let merged = text.trim() === '' ? (Array.isArray(wanted) ? '[]\n' : '{}\n') : text
    const changes: Change[] = []
    for (const { path, value } of editsOf(wanted, [])) {
      const isDefault = typeof path[0] === 'string' && defaults.includes(path[0])
      const { node, existing } = walk(merged, path)
      if (node && (isDefault || isDeepStrictEqual(toValue(node), value))) continue
      const before = node ? merged.slice(node.start, node.end) : null
      merged = node ? replace(merged, node, value) : insert(merged, path, existing, value)
      changes.push({ path, before, after: JSON.stringify(value), existing, ...(isDefault && { isDefault }) })
    }
    return { text: merged, changes }
  },

  revert(text, changes) {
    let reverted = text
    const kept: string[] = []
    for (const { path, before, after, existing, isDefault } of changes.toReversed()) {
      const { node } = walk(reverted, path)
      if (!node || isDefault) continue
      if (!isDeepStrictEqual(toValue(node), JSON.parse(after))) kept.push(labelOf(path))
      else if (before !== null) reverted = splice(reverted, node.start, node.end, before)
      else reverted = removeWithEmptyParents(reverted, path, existing)
    }
    const defaults = changes.filter(({ isDefault }) => isDefault).map(({ path }) => path[0])
    const root = parseJsonc(reverted)
    const isEmpty =
      root.kind === 'array'
        ? root.items.length === 0
        : root.kind === 'object' && root.properties.every(({ key }) => defaults.includes(key))
    return { text: reverted, kept, isEmpty }
  },

  differing: (text, changes) =>
    changes
      .filter(({ path, after }) => {
        const { node } = walk(text, path)
        return !node || !isDeepStrictEqual(toValue(node), JSON.parse(after))
      })
      .map(({ path }) => labelOf(path)),
}

/** One edit per value. Elements of lists that have a name are edited alone; other lists are one value. */
function editsOf(value: unknown, path: readonly Segment[]): Edit[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isNamed))
    return value.map((item) => ({ path: [...path, { name: item.name }], value: item }))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }]
  const entries = Object.entries(value)
  return entries.length === 0
    ? [{ path, value }]
    : entries.flatMap(([key, each]) => editsOf(each, [...path, key]))
}

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'

/** The value at the path, or null and the number of segments that exist. */
function walk(text: string, path: readonly Segment[]): { node: Node | null; existing: number } {
  let node = parseJsonc(text)
  for (const [existing, segment] of path.entries()) {
    const kind = typeof segment === 'string' ? 'object' : 'array'
    if (node.kind !== kind)
      throw new UneditableError(
        `has no ${kind === 'object' ? 'object' : 'list'} at ${labelOf(path.slice(0, existing)) || 'its top'}`,
      )
    const next: Node | undefined =
      typeof segment === 'string' ? childOf(node, segment) : elementOf(node, segment.name)
    if (!next) return { node: null, existing }
    node = next
  }
  return { node, existing: path.length }
}

/** Of repeated keys, the last one counts. */
const childOf = (node: Node, key: string): Node | undefined =>
  node.kind === 'object' ? node.properties.findLast((property) => property.key === key)?.value : undefined

const elementOf = (node: Node, name: string): Node | undefined =>
  node.kind === 'array'
    ? node.items.findLast((item) => {
        const own = childOf(item, 'name')
        return own?.kind === 'scalar' && own.value === name
      })
    : undefined

const replace = (text: string, { start, end }: Node, value: unknown): string =>
  splice(text, start, end, written(value, indentAt(text, start), unitOf(text)))

/** Adds the first missing segment, with everything below it, to its container. */
function insert(text: string, path: readonly Segment[], existing: number, value: unknown): string {
  const { node: container } = walk(text, path.slice(0, existing))
  if (container?.kind !== 'object' && container?.kind !== 'array') return text
  const [segment = '', ...below] = path.slice(existing)
  const content = below.reduceRight<unknown>(
    (inner, each) => (typeof each === 'string' ? { [each]: inner } : [inner]),
    value,
  )
  const entries = entriesOf(container)
  const isInline = entries.length > 0 && !text.slice(container.start, entries[0]?.start).includes('\n')
  const unit = unitOf(text)
  const indent =
    entries.length > 0 && !isInline
      ? indentAt(text, entries[0]?.start ?? 0)
      : indentAt(text, container.start) + unit
  const label = typeof segment === 'string' ? `${JSON.stringify(segment)}: ` : ''
  if (isInline) return append(text, container, ` ${label}${written(content, '', '')}`, true)
  return append(text, container, `\n${indent}${label}${written(content, indent, unit)}`, false)
}

function append(
  text: string,
  container: ObjectNode | ArrayNode,
  addition: string,
  isInline: boolean,
): string {
  const last = entriesOf(container).at(-1)
  if (!last) {
    const inside = text.slice(container.start + 1, container.end - 1).trimEnd()
    const closing = `\n${indentAt(text, container.start)}`
    return splice(text, container.start + 1, container.end - 1, `${inside}${addition}${closing}`)
  }
  const comma = commaAfter(text, last.end)
  const after = comma ?? last.end
  // A comment on the line of the last entry stays there.
  const [rest = ''] = /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?=\n)/.exec(text.slice(after)) ?? []
  const position = isInline ? after : after + rest.length
  const added = splice(text, position, position, comma === null ? addition : `${addition},`)
  return comma === null ? splice(added, last.end, last.end, ',') : added
}

/** The position after the comma that follows, or null. */
function commaAfter(text: string, position: number): number | null {
  const [blank = ''] = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(position)) ?? []
  const at = position + blank.length
  return text[at] === ',' ? at + 1 : null
}

function removeWithEmptyParents(text: string, path: readonly Segment[], existing: number): string {
  let left = remove(text, path)
  for (let depth = path.length - 1; depth > existing; depth--) {
    const { node } = walk(left, path.slice(0, depth))
    if (!node || node.kind === 'scalar' || entriesOf(node).length > 0) break
    left = remove(left, path.slice(0, depth))
  }
  return left
}

function remove(text: string, path: readonly Segment[]): string {
  const { node: container } = walk(text, path.slice(0, -1))
  const { node } = walk(text, path)
  if (!node || !container || container.kind === 'scalar') return text
  const entries = entriesOf(container)
  const index = entries.findIndex(({ end }) => end === node.end)
  const [entry, previous] = [entries[index], entries[index - 1]]
  if (!entry) return text
  const comma = commaAfter(text, entry.end)
  let [start, end] = [entry.start, comma ?? entry.end]
  const lineStart = startOfLine(text, start)
  if (text.slice(lineStart, start).trim() === '' && text.slice(end, endOfLine(text, end)).trim() === '')
    [start, end] = [lineStart, endOfLine(text, end)]
  const shorter = splice(text, start, end, '')
  // Without a following entry, the comma before this one would be left over.
  const before = previous && comma === null ? commaAfter(shorter, previous.end) : null
  return before === null ? shorter : splice(shorter, before - 1, before, '')
}

/** The ranges of properties, with their keys, or of elements. */
const entriesOf = (node: ObjectNode | ArrayNode): { start: number; end: number }[] =>
  node.kind === 'object'
    ? node.properties.map(({ start, value }) => ({ start, end: value.end }))
    : node.items.map(({ start, end }) => ({ start, end }))

const indentAt = (text: string, position: number): string =>
  /^[ \t]*/.exec(text.slice(startOfLine(text, position)))?.[0] ?? ''

/** The indentation of the first indented line. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '

const written = (value: unknown, indent: string, unit: string): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`)
