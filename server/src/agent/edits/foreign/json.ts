// Reads edits from JSON: a list of edits, a series of tool calls, or texts by path. Only complete JSON counts;
// trailing commas are tolerated, truncated text is never completed.
import type { BlockChange, EditAction, EditHunk, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { parsePath, stripDecoration } from '@cowrie/workspace/edits/path-comment.ts'
import type { BrokenBlock } from '../envelope.ts'
import { isFence } from '../reader/fenced-text.ts'
import { isExampleBelow } from '../reader/prose-cues.ts'

/** `isFound`: the answer contains edits, or says in this form that there are none. */
export type JsonAnswer = {
  blocks: FileBlock[]
  broken: BrokenBlock[]
  prose: string
  plan: string
  isFound: boolean
}

/** Limits on how many start positions are tried and how many characters are scanned. */
const STARTS_MAX = 200
const LOOKED_AT_MAX = 2_000_000
const START = /[{[](?=\s{0,200}["{}\]])/g

type JsonFields = Record<string, unknown>
type JsonEdits = { blocks: FileBlock[]; isList: boolean; plan: string; summary: string }

/** The last complete list wins, because models think aloud before they decide. Single calls are collected. */
export function readJsonEdits(text: string, files: ReadonlyMap<string, string> | undefined): JsonAnswer {
  const spans: [from: number, to: number][] = []
  let list: JsonEdits | undefined
  const calls: FileBlock[] = []
  let lookedAt = 0
  START.lastIndex = 0
  for (let tries = 0; tries < STARTS_MAX && lookedAt < LOOKED_AT_MAX; tries++) {
    const start = START.exec(text)?.index
    if (start === undefined) break
    const end = findValueEnd(text, start)
    lookedAt += (end ?? text.length) - start
    if (end === undefined) {
      const broken = findUnfinishedFiles(text.slice(start))
      if (broken.length > 0) return { blocks: [], broken, prose: '', plan: '', isFound: true }
      continue
    }
    if (isExampleBelow(linesBefore(text, start))) {
      START.lastIndex = end
      continue
    }
    const found = readEdits(parseJson(text.slice(start, end)), files)
    if (!found) continue
    if (found.isList) list = found
    else calls.push(...found.blocks)
    spans.push([start, end])
    START.lastIndex = end
  }
  const prose = list?.summary || proseOutside(text, spans)
  const blocks = list?.blocks ?? calls
  return {
    blocks,
    broken: [],
    prose,
    plan: list?.plan ?? '',
    isFound: list !== undefined || blocks.length > 0,
  }
}

const linesBefore = (text: string, start: number): string[] =>
  text
    .slice(Math.max(0, start - 2_000), start)
    .split('\n')
    .filter((line) => !isFence(line))

function proseOutside(text: string, spans: readonly [number, number][]): string {
  const pieces = [...spans, [text.length, text.length] as const].map(([from], i) =>
    text.slice(spans[i - 1]?.[1] ?? 0, from),
  )
  return pieces
    .join('\n')
    .split('\n')
    .filter((line) => !isFence(line))
    .join('\n')
    .trim()
}

/** The files named in truncated JSON, if it is about edits. */
function findUnfinishedFiles(text: string): BrokenBlock[] {
  if (!/"(?:edits|changes|content|old_string|old_str|oldText|find|search)"\s{0,20}:/.test(text)) return []
  const paths = [
    ...text.matchAll(/"(?:path|file|filename|file_path|filePath)"\s{0,20}:\s{0,20}"([^"\n]{1,240})"/g),
  ]
  return [...new Set(paths.map(([, path = '']) => stripDecoration(path)))].map((path) => ({
    path,
    reason: 'cut_off',
  }))
}

/** The end of the value that begins at `start`, ignoring brackets in strings. */
function findValueEnd(text: string, start: number): number | undefined {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isString) {
      if (character === '\\') at++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return undefined
}

function parseJson(text: string): unknown {
  return parseExactJson(text) ?? parseExactJson(stripTrailingCommas(text))
}

function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Strings are matched whole, so that commas inside them stay. */
const stripTrailingCommas = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|,(?=\s*[}\]])/gs, (found) => (found === ',' ? '' : found))

function readEdits(value: unknown, files: ReadonlyMap<string, string> | undefined): JsonEdits | undefined {
  const record = isRecord(value) ? value : {}
  const list = isRecord(value) ? (value.edits ?? value.files ?? value.changes ?? value.tool_calls) : value
  const words = { plan: readProse(record.plan), summary: readProse(record.summary ?? record.explanation) }
  if (Array.isArray(list) && readText(record, PATHS) === undefined) {
    const blocks = list.map((entry) => toBlock(unwrapCall(entry)))
    // One entry that is not an edit disqualifies the whole list.
    const isEdits = blocks.every((block) => block !== undefined)
    if (isEdits && (blocks.length > 0 || words.summary !== '')) return { blocks, isList: true, ...words }
    return undefined
  }
  const texts = isRecord(list) ? list : record
  const byPath = readTextsByPath(texts)
  if (byPath) return { blocks: byPath, isList: true, ...words }
  const call = isRecord(value) ? readToolCall(value, files) : undefined
  return call && { blocks: [call], isList: false, plan: '', summary: '' }
}

/** `{"src/a.ts": "…"}`. One-line texts may be remarks about the files. */
function readTextsByPath(record: JsonFields): FileBlock[] | undefined {
  const entries = Object.entries(record)
  const isTexts = entries.every(
    ([path, text]) => parsePath(path) !== undefined && typeof text === 'string' && text.includes('\n'),
  )
  if (entries.length === 0 || !isTexts) return undefined
  return entries.map(([path, text]) => ({
    path: stripDecoration(path),
    action: 'create',
    why: '',
    change: { kind: 'body', body: String(text), isGuess: true },
  }))
}

const TOOLS =
  /^(?:write|create|edit|multiedit|update|str_replace\w*|(?:write|create|edit|update|replace)_\w+)$/i

/** One call of an editing tool. A text for an unknown file counts only if the tool is named. */
function readToolCall(
  value: JsonFields,
  files: ReadonlyMap<string, string> | undefined,
): FileBlock | undefined {
  const call = unwrapCall(value)
  const block = toBlock(call)
  if (!block || block.change.kind === 'none') return undefined
  const tool = readText({ ...value, ...(isRecord(call) ? call : {}) }, ['command', 'tool', 'name'])
  const isTool = tool !== undefined && TOOLS.test(tool)
  return block.change.kind === 'hunks' || isTool || files?.has(block.path) ? block : undefined
}

/** The arguments of a call, without its wrappers. */
function unwrapCall(value: unknown): unknown {
  if (!isRecord(value)) return value
  const inner = [value.function, value.input, value.arguments, value.parameters, value.args].find(
    (each) => isRecord(each) || typeof each === 'string',
  )
  if (inner === undefined) return value
  const call = typeof inner === 'string' ? parseJson(inner) : inner
  if (!isRecord(call)) return value
  return value.function === undefined ? { name: value.name ?? value.tool, ...call } : unwrapCall(call)
}

const PATHS = ['path', 'file', 'filename', 'file_path', 'filePath']

function toBlock(entry: unknown): FileBlock | undefined {
  if (!isRecord(entry)) return undefined
  const path = readText(entry, PATHS)
  if (path === undefined) return undefined
  const named = entry.action ?? entry.type
  const why = readText(entry, ['why', 'description', 'reason']) ?? ''
  if (named === 'delete')
    return { path: stripDecoration(path), action: 'delete', why, change: { kind: 'none' } }
  const change = toChange(entry)
  if (!change) return undefined
  const action: EditAction = change.kind === 'hunks' || named === 'update' ? 'update' : 'create'
  return { path: stripDecoration(path), action, why, change }
}

function toChange(entry: JsonFields): BlockChange | undefined {
  const several = [entry.edits, entry.changes, entry.hunks].find(Array.isArray)
  const hunks = (several ?? [entry]).map(toHunk)
  if (hunks.length > 0 && hunks.every((hunk) => hunk !== undefined)) return { kind: 'hunks', hunks }
  const body = several ? undefined : readText(entry, ['content', 'body', 'text', 'file_text', 'contents'])
  return body === undefined ? undefined : { kind: 'body', body, isGuess: true }
}

function toHunk(entry: unknown): EditHunk | undefined {
  if (!isRecord(entry)) return undefined
  const find = readText(entry, [
    'find',
    'search',
    'old',
    'oldText',
    'old_string',
    'old_str',
    'oldString',
    'old_text',
  ])
  const next = readText(entry, [
    'with',
    'replace',
    'new',
    'newText',
    'new_string',
    'new_str',
    'newString',
    'new_text',
  ])
  return find === undefined || next === undefined
    ? undefined
    : { find: toLineText(find), with: toLineText(next) }
}

/** A trailing line break does not start another line. */
const toLineText = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '')

function readText(entry: JsonFields, names: readonly string[]): string | undefined {
  const value = names.map((name) => entry[name]).find((each) => typeof each === 'string')
  return typeof value === 'string' ? value : undefined
}

const readProse = (value: unknown): string => {
  const words = Array.isArray(value) ? value : [value]
  return words
    .filter((each) => typeof each === 'string')
    .join('\n')
    .trim()
}

const isRecord = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
