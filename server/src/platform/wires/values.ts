// Reads untrusted JSON values by field path. A wrong value throws a WireError that names its field.
import { WireError } from './conversation.ts'
import type { Fields } from './wire.ts'

export const isRecord = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export function recordAt(value: unknown, path: string): Fields {
  if (!isRecord(value)) throw new WireError(path, 'must be an object')
  return value
}

const DEPTH_MAX = 100

/** Free JSON, such as a schema. Deep nesting is refused, because it would exhaust the stack of those that read it. */
export function jsonAt(value: unknown, path: string): Fields {
  const record = recordAt(value, path)
  if (isDeep(record)) throw new WireError(path, `must not be nested deeper than ${DEPTH_MAX} levels`)
  return record
}

export function isDeep(value: unknown, left = DEPTH_MAX): boolean {
  if (value === null || typeof value !== 'object') return false
  return left === 0 || Object.values(value).some((each) => isDeep(each, left - 1))
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new WireError(path, 'must be a list')
  return value
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new WireError(path, 'must be a string')
  return value
}

export function optionalText(value: unknown, path: string): string | undefined {
  return value === undefined || value === null ? undefined : textAt(value, path)
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

/** `more` are the efforts of this format alone. */
export function optionalEffort(
  value: unknown,
  path: string,
  more: readonly string[] = [],
): string | undefined {
  const effort = optionalText(value, path)
  const known = [...EFFORTS, ...more]
  if (effort !== undefined && !known.includes(effort))
    throw new WireError(path, `must be one of ${known.map((each) => JSON.stringify(each)).join(', ')}`)
  return effort
}

export function optionalNumber(
  value: unknown,
  path: string,
  min = Number.NEGATIVE_INFINITY,
): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new WireError(path, 'must be a number')
  if (value < min) throw new WireError(path, `must be at least ${min}`)
  return value
}

export function optionalInteger(value: unknown, path: string, min: number): number | undefined {
  const number = optionalNumber(value, path, min)
  if (number !== undefined && !Number.isSafeInteger(number))
    throw new WireError(path, 'must be a whole number')
  return number
}

export function optionalFlag(value: unknown, path: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw new WireError(path, 'must be true or false')
  return value
}

export function textsAt(value: unknown, path: string): readonly string[] {
  return listAt(value, path).map((each, i) => textAt(each, `${path}[${i}]`))
}

/** Reads each element with its path. */
export const eachAt = <T>(value: unknown, path: string, read: (fields: Fields, path: string) => T): T[] =>
  listAt(value, path).map((each, i) => read(recordAt(each, `${path}[${i}]`), `${path}[${i}]`))

/** The same without absent values, so that a conversation has only what the caller said. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** A data URL as media type and base64; null for any other URL. */
export function readDataUrl(url: string): { readonly mediaType: string; readonly data: string } | null {
  const match = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i.exec(url)
  if (!match) return null
  return { mediaType: match[1] || 'application/octet-stream', data: url.slice(match[0].length) }
}

export const dataUrl = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`

/** The arguments of a tool call as an object; null when the text is no JSON object. */
export function parseArguments(text: string): Fields | null {
  if (text.trim() === '') return {}
  try {
    // Some models send null for a tool without arguments.
    const value: unknown = JSON.parse(text) ?? {}
    return isRecord(value) && !isDeep(value) ? value : null
  } catch {
    return null
  }
}

/** Whether a text starts like JSON and ends before its closing bracket. Other syntax errors are not truncation. */
export function isTruncatedJson(text: string): boolean {
  const value = text.trim()
  return (value.startsWith('{') || value.startsWith('[')) && endOfJson(value, 0) === -1
}

/** The index after the bracket that closes the one at `start`; -1 without one. Brackets inside strings are skipped. */
export function endOfJson(text: string, start: number): number {
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
  return -1
}
