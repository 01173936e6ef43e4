// JSON with a list of edits. Only a text that parses as it stands counts; nothing is mended.
import type { Action, Block, BrokenBlock, Change } from './envelope.ts'
import { undecorated } from './file-mark.ts'

export type JsonAnswer = { blocks: Block[]; broken: BrokenBlock[]; prose: string }

/** How many places are tried as the beginning of the JSON, and how many characters are looked at for all of them. */
const STARTS_MAX = 50
const LOOKED_AT_MAX = 2_000_000

/** The last complete value with edits in it: models think aloud before they decide. */
export function readJsonEdits(text: string): JsonAnswer {
  const answer: JsonAnswer = { blocks: [], broken: [], prose: '' }
  let from = 0
  let lookedAt = 0
  for (let tries = 0; tries < STARTS_MAX && lookedAt < LOOKED_AT_MAX; tries++) {
    const start = text.slice(from).search(/[{[]/)
    if (start < 0) break
    const end = endOfValue(text, from + start)
    lookedAt += (end ?? text.length) - from - start
    const blocks = end === undefined ? [] : blocksIn(parsed(text.slice(from + start, end)))
    if (blocks.length > 0) Object.assign(answer, { blocks, prose: text.slice(0, from + start) })
    from = blocks.length > 0 && end !== undefined ? end : from + start + 1
  }
  return answer
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
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function blocksIn(value: unknown): Block[] {
  const list = isRecord(value) ? (value.edits ?? value.files) : value
  if (!Array.isArray(list)) return []
  const blocks = list.map(blockOf)
  // One entry that is no edit makes the whole list something else.
  return blocks.every((block) => block !== undefined) ? blocks : []
}

function blockOf(entry: unknown): Block | undefined {
  if (!isRecord(entry)) return undefined
  const path = textIn(entry, ['path', 'file', 'filename'])
  if (path === undefined) return undefined
  const named = entry.action ?? entry.type
  const why = textIn(entry, ['why', 'description', 'reason']) ?? ''
  if (named === 'delete') return { path: undecorated(path), action: 'delete', why, change: { kind: 'none' } }
  const change = changeOf(entry)
  if (!change) return undefined
  const action: Action = change.kind === 'hunks' || named === 'update' ? 'update' : 'create'
  return { path: undecorated(path), action, why, change }
}

function changeOf(entry: Record<string, unknown>): Change | undefined {
  const find = textIn(entry, ['find', 'search', 'old', 'oldText'])
  const replacement = textIn(entry, ['with', 'replace', 'new', 'newText'])
  if (find !== undefined && replacement !== undefined)
    return { kind: 'hunks', hunks: [{ find: lineText(find), with: lineText(replacement) }] }
  const body = textIn(entry, ['content', 'body', 'text'])
  return body === undefined ? undefined : { kind: 'body', body, isGuess: true }
}

/** A hunk is lines; a break behind the last one is no further line. */
const lineText = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '')

function textIn(entry: Record<string, unknown>, names: readonly string[]): string | undefined {
  const value = names.map((name) => entry[name]).find((each) => typeof each === 'string')
  return typeof value === 'string' ? value : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
