// Reads changes in tags: `<file path="…">`, and tool calls of common coding clients, such as `<write_to_file>`.
import type { BlockChange, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { parsePath, stripDecoration } from '@cowrie/workspace/edits/path-comment.ts'
import type { BrokenBlock } from '../envelope.ts'
import { unwrapText } from '../reader/fenced-text.ts'
import { isSearchMark, readForeignHunks } from '../reader/hunk-notations.ts'
import { isExampleBelow } from '../reader/prose-cues.ts'
import { findClosingFence, parseOpeningFence, readInfoPath, readPathAbove } from './fences.ts'

export type TagAnswer = { blocks: FileBlock[]; broken: BrokenBlock[]; prose: string }

const OPENING =
  /^\s*<(file|file_content|write_to_file|write_file|create_file|new_file|edit_file|update_file|replace_in_file|apply_diff|str_replace|search_replace|edit|delete_file|invoke)(\s[^<>]*)?>/
const LINE_CHARS_MAX = 1_000

type OpeningTag = { readonly name: string; readonly attributes: string; readonly length: number }

export function readTags(lines: readonly string[]): TagAnswer {
  const answer: TagAnswer = { blocks: [], broken: [], prose: '' }
  const prose: string[] = []
  let wrapping: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    // A tag inside a SEARCH block is file text.
    if (isSearchMark(line)) return { blocks: [], broken: [], prose: '' }
    const fence = parseOpeningFence(line)
    if (fence && wrapping !== undefined && fence.info === '' && fence.marks.startsWith(wrapping)) {
      wrapping = undefined
    } else if (fence && isWrapping(lines, at, fence.info, prose)) {
      wrapping = fence.marks
    } else if (fence) {
      const close = findClosingFence(lines, at, fence.marks) ?? lines.length
      for (const each of lines.slice(at, close + 1)) prose.push(each)
      at = close
    } else {
      const opening = parseOpeningTag(line)
      const end = opening && !isExampleBelow(prose) ? readElement(answer, lines, at, opening) : undefined
      if (end === undefined) prose.push(line)
      else at = end
    }
  }
  return { ...answer, prose: prose.join('\n') }
}

function parseOpeningTag(line: string): OpeningTag | undefined {
  const [all, name, attributes = ''] = OPENING.exec(line.slice(0, LINE_CHARS_MAX)) ?? []
  return all === undefined || name === undefined ? undefined : { name, attributes, length: all.length }
}

/** A fence that begins with a tag wraps the answer, unless it is named as a file or introduced as an example. */
function isWrapping(lines: readonly string[], at: number, info: string, prose: readonly string[]): boolean {
  const first = lines.slice(at + 1, at + 4).find((line) => line.trim() !== '') ?? ''
  if (!parseOpeningTag(first) || isExampleBelow(prose)) return false
  return readInfoPath(info) === undefined && readPathAbove(lines, at) === undefined
}

/** Reads the element that begins at `at`. Returns its last line, or undefined if it is not an edit. */
function readElement(
  answer: TagAnswer,
  lines: readonly string[],
  at: number,
  opening: OpeningTag,
): number | undefined {
  let limit = at + 1
  while (limit < lines.length && !parseOpeningTag(lines[limit] ?? '')) limit++
  const close = `</${opening.name}>`
  const closes = [...lines.slice(at, limit).keys()].filter((i) => lines[at + i]?.includes(close))
  const end = closes.length === 0 ? limit - 1 : at + (closes.at(-1) ?? 0)
  const [first = '', ...rest] = lines.slice(at, end + 1)
  const text = [first.slice(opening.length), ...rest].join('\n')
  const inner = closes.length === 0 ? text : text.slice(0, text.lastIndexOf(close))
  const { parts, isClean } = splitParts(inner)
  const path = readPath(opening, parts)
  if (path === undefined) return undefined
  // Another element began inside this one, so the end of the file is unknown.
  const isNested = closes.length === 0 && limit < lines.length
  const change = closes.length === 1 && !isNested ? toChange(opening, parts, isClean, inner, path) : undefined
  const isDoubtful = answer.broken.length > 0
  if (change && !isDoubtful) answer.blocks.push(toBlock(path, change))
  else answer.broken.push({ path, reason: closes.length === 0 ? 'cut_off' : 'damaged' })
  return end
}

const toBlock = (path: string, change: BlockChange): FileBlock => {
  const action = change.kind === 'none' ? 'delete' : change.kind === 'hunks' ? 'update' : 'create'
  return { path, action, why: '', change }
}

function readPath({ name, attributes }: OpeningTag, parts: readonly TagPart[]): string | undefined {
  const [, , attribute] =
    name === 'invoke'
      ? []
      : (/\s(?:path|name|filename|file|file_path)\s*=\s*(["'])([^"'\n]+)\1/.exec(attributes) ?? [])
  const text = attribute ?? parts.find(({ kind }) => kind === 'path')?.text
  if (text === undefined || text.trim().includes('\n')) return undefined
  return attribute === undefined ? stripDecoration(text) : parsePath(text)
}

type TagPart = { readonly kind: 'path' | 'body' | 'find' | 'with' | 'diff' | 'other'; readonly text: string }

const PART_KINDS: Readonly<Record<string, TagPart['kind']>> = {
  path: 'path',
  file_path: 'path',
  filename: 'path',
  content: 'body',
  contents: 'body',
  file_text: 'body',
  old_string: 'find',
  old_str: 'find',
  old_text: 'find',
  search: 'find',
  find: 'find',
  new_string: 'with',
  new_str: 'with',
  new_text: 'with',
  replace: 'with',
  diff: 'diff',
  command: 'other',
  line_count: 'other',
  description: 'other',
  explanation: 'other',
}

/** The parts of a call. `isClean`: only whitespace stands beside them, so none was closed too early. */
function splitParts(inner: string): { parts: TagPart[]; isClean: boolean } {
  const parts: TagPart[] = []
  const opening = /<(?:parameter name="(\w+)"|(\w+))>/g
  let from = 0
  let isClean = true
  for (let found = opening.exec(inner); found; found = opening.exec(inner)) {
    const name = found[1] ?? found[2] ?? ''
    const kind = PART_KINDS[name]
    const close = found[1] === undefined ? `</${name}>` : '</parameter>'
    const start = found.index + found[0].length
    const end = kind === undefined ? -1 : inner.indexOf(close, start)
    if (kind === undefined) continue
    if (end < 0) return { parts, isClean: false }
    isClean &&= inner.slice(from, found.index).trim() === ''
    parts.push({ kind, text: stripWrapping(inner.slice(start, end)) })
    from = end + close.length
    opening.lastIndex = from
  }
  return { parts, isClean: isClean && inner.slice(from).trim() === '' }
}

/** Removes CDATA and the line breaks next to the tags. */
function stripWrapping(text: string): string {
  const [, data] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text) ?? []
  return (data ?? text).replace(/^[ \t]*\n/, '').replace(/\n[ \t]*$/, '')
}

function toChange(
  { name }: OpeningTag,
  parts: readonly TagPart[],
  isClean: boolean,
  inner: string,
  path: string,
): BlockChange | undefined {
  if (name === 'delete_file') return isClean ? { kind: 'none' } : undefined
  const changes = parts.filter(({ kind }) => kind !== 'path' && kind !== 'other')
  // A tag that names a file holds its text; other tags inside it are text.
  if (changes.length === 0 || !isClean)
    return parts.some(({ kind }) => kind === 'path') ? undefined : toBodyChange(inner, path)
  const [first] = changes
  if (first?.kind === 'body' || first?.kind === 'diff')
    return changes.length > 1
      ? undefined
      : first.kind === 'body'
        ? toBodyChange(first.text, path)
        : toHunksChange(first.text)
  const pairs = changes.flatMap(({ kind, text }, at) =>
    at % 2 === 0 && kind === 'find' && changes[at + 1]?.kind === 'with'
      ? [{ find: text, with: changes[at + 1]?.text ?? '' }]
      : [],
  )
  return pairs.length * 2 === changes.length ? { kind: 'hunks', hunks: pairs } : undefined
}

function toHunksChange(text: string): BlockChange | undefined {
  const hunks = readForeignHunks(text.split('\n'))
  return Array.isArray(hunks) ? { kind: 'hunks', hunks } : undefined
}

function toBodyChange(text: string, path: string): BlockChange | undefined {
  const lines = stripWrapping(text).split('\n')
  if (lines.some(isSearchMark)) return toHunksChange(lines.join('\n'))
  const body = unwrapText(lines, path).join('\n')
  return { kind: 'body', body: body === '' ? '' : `${body}\n`, isGuess: true }
}
