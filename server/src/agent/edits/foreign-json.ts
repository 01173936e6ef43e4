// JSON with edits: a list of them, one call of an editing tool after another, or texts by path. Only a text that parses as
// it stands counts, but for commas before a closing bracket; a text without its end is never completed.
import type { Action, Block, BrokenBlock, Change, Hunk } from './envelope.ts'
import { asPath, undecorated } from './file-mark.ts'
import { isExampleBelow } from './prose-cues.ts'
import { isFence } from './quoted-text.ts'

/** `isFound`: there are edits, or the answer says in this form that there are none. */
export type JsonAnswer = {
  blocks: Block[]
  broken: BrokenBlock[]
  prose: string
  plan: string
  isFound: boolean
}

/** How many places are tried as the beginning of the JSON, and how many characters are looked at for all of them. */
const STARTS_MAX = 200
const LOOKED_AT_MAX = 2_000_000
const START = /[{[](?=\s{0,200}["{}\]])/g

type Fields = Record<string, unknown>
type Found = { blocks: Block[]; isList: boolean; plan: string; summary: string }

/** The last complete list of edits counts, because models think aloud before they decide; single calls count together. */
export function readJsonEdits(text: string, files: ReadonlyMap<string, string> | undefined): JsonAnswer {
  const spans: [from: number, to: number][] = []
  let list: Found | undefined
  const calls: Block[] = []
  let lookedAt = 0
  START.lastIndex = 0
  for (let tries = 0; tries < STARTS_MAX && lookedAt < LOOKED_AT_MAX; tries++) {
    const start = START.exec(text)?.index
    if (start === undefined) break
    const end = endOfValue(text, start)
    lookedAt += (end ?? text.length) - start
    if (end === undefined) {
      const broken = unfinishedIn(text.slice(start))
      if (broken.length > 0) return { blocks: [], broken, prose: '', plan: '', isFound: true }
      continue
    }
    if (isExampleBelow(linesBefore(text, start))) {
      START.lastIndex = end
      continue
    }
    const found = foundIn(parsed(text.slice(start, end)), files)
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

/** The files that an unfinished text speaks of, if it is about edits. */
function unfinishedIn(text: string): BrokenBlock[] {
  if (!/"(?:edits|changes|content|old_string|old_str|oldText|find|search)"\s{0,20}:/.test(text)) return []
  const paths = [
    ...text.matchAll(/"(?:path|file|filename|file_path|filePath)"\s{0,20}:\s{0,20}"([^"\n]{1,240})"/g),
  ]
  return [...new Set(paths.map(([, path = '']) => undecorated(path)))].map((path) => ({
    path,
    reason: 'cut_off',
  }))
}

/** Where the brackets opened at `start` are closed again, outside of strings. */
function endOfValue(text: string, start: number): number | undefined {
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

function parsed(text: string): unknown {
  return parsedExactly(text) ?? parsedExactly(withoutTrailingCommas(text))
}

function parsedExactly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Strings are matched whole, so that commas in them stay. */
const withoutTrailingCommas = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|,(?=\s*[}\]])/gs, (found) => (found === ',' ? '' : found))

function foundIn(value: unknown, files: ReadonlyMap<string, string> | undefined): Found | undefined {
  const record = isRecord(value) ? value : {}
  const list = isRecord(value) ? (value.edits ?? value.files ?? value.changes ?? value.tool_calls) : value
  const words = { plan: wordsIn(record.plan), summary: wordsIn(record.summary ?? record.explanation) }
  if (Array.isArray(list) && textIn(record, PATHS) === undefined) {
    const blocks = list.map((entry) => blockOf(unwrappedCall(entry)))
    // One entry that is no edit makes the whole list something else.
    const isEdits = blocks.every((block) => block !== undefined)
    if (isEdits && (blocks.length > 0 || words.summary !== '')) return { blocks, isList: true, ...words }
    return undefined
  }
  const texts = isRecord(list) ? list : record
  const byPath = textsByPath(texts)
  if (byPath) return { blocks: byPath, isList: true, ...words }
  const call = isRecord(value) ? callIn(value, files) : undefined
  return call && { blocks: [call], isList: false, plan: '', summary: '' }
}

/** `{"src/a.ts": "…"}`. Texts of one line may as well be remarks about the files. */
function textsByPath(record: Fields): Block[] | undefined {
  const entries = Object.entries(record)
  const isTexts = entries.every(
    ([path, text]) => asPath(path) !== undefined && typeof text === 'string' && text.includes('\n'),
  )
  if (entries.length === 0 || !isTexts) return undefined
  return entries.map(([path, text]) => ({
    path: undecorated(path),
    action: 'create',
    why: '',
    change: { kind: 'body', body: String(text), isGuess: true },
  }))
}

const TOOLS =
  /^(?:write|create|edit|multiedit|update|str_replace\w*|(?:write|create|edit|update|replace)_\w+)$/i

/** One call of an editing tool. A text for a file that is not there counts only where the tool is named. */
function callIn(value: Fields, files: ReadonlyMap<string, string> | undefined): Block | undefined {
  const call = unwrappedCall(value)
  const block = blockOf(call)
  if (!block || block.change.kind === 'none') return undefined
  const tool = textIn({ ...value, ...(isRecord(call) ? call : {}) }, ['command', 'tool', 'name'])
  const isTool = tool !== undefined && TOOLS.test(tool)
  return block.change.kind === 'hunks' || isTool || files?.has(block.path) ? block : undefined
}

/** The arguments of a call, however the call is wrapped. */
function unwrappedCall(value: unknown): unknown {
  if (!isRecord(value)) return value
  const inner = [value.function, value.input, value.arguments, value.parameters, value.args].find(
    (each) => isRecord(each) || typeof each === 'string',
  )
  if (inner === undefined) return value
  const call = typeof inner === 'string' ? parsed(inner) : inner
  if (!isRecord(call)) return value
  return value.function === undefined ? { name: value.name ?? value.tool, ...call } : unwrappedCall(call)
}

const PATHS = ['path', 'file', 'filename', 'file_path', 'filePath']

function blockOf(entry: unknown): Block | undefined {
  if (!isRecord(entry)) return undefined
  const path = textIn(entry, PATHS)
  if (path === undefined) return undefined
  const named = entry.action ?? entry.type
  const why = textIn(entry, ['why', 'description', 'reason']) ?? ''
  if (named === 'delete') return { path: undecorated(path), action: 'delete', why, change: { kind: 'none' } }
  const change = changeOf(entry)
  if (!change) return undefined
  const action: Action = change.kind === 'hunks' || named === 'update' ? 'update' : 'create'
  return { path: undecorated(path), action, why, change }
}

function changeOf(entry: Fields): Change | undefined {
  const several = [entry.edits, entry.changes, entry.hunks].find(Array.isArray)
  const hunks = (several ?? [entry]).map(hunkOf)
  if (hunks.length > 0 && hunks.every((hunk) => hunk !== undefined)) return { kind: 'hunks', hunks }
  const body = several ? undefined : textIn(entry, ['content', 'body', 'text', 'file_text', 'contents'])
  return body === undefined ? undefined : { kind: 'body', body, isGuess: true }
}

function hunkOf(entry: unknown): Hunk | undefined {
  if (!isRecord(entry)) return undefined
  const find = textIn(entry, [
    'find',
    'search',
    'old',
    'oldText',
    'old_string',
    'old_str',
    'oldString',
    'old_text',
  ])
  const next = textIn(entry, [
    'with',
    'replace',
    'new',
    'newText',
    'new_string',
    'new_str',
    'newString',
    'new_text',
  ])
  return find === undefined || next === undefined ? undefined : { find: lineText(find), with: lineText(next) }
}

/** A hunk is lines; a break behind the last one is no further line. */
const lineText = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '')

function textIn(entry: Fields, names: readonly string[]): string | undefined {
  const value = names.map((name) => entry[name]).find((each) => typeof each === 'string')
  return typeof value === 'string' ? value : undefined
}

const wordsIn = (value: unknown): string => {
  const words = Array.isArray(value) ? value : [value]
  return words
    .filter((each) => typeof each === 'string')
    .join('\n')
    .trim()
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
