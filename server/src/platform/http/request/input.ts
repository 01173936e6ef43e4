// Reads the input of a request: bytes to JSON or form fields, then through the shapes of its route.
import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError, type Field } from '../../../kernel/errors.ts'
import { DecimalText, fromJson, InexactNumber } from '../../../kernel/json.ts'
import { fieldErrors } from '../reply/error-response.ts'
import type { RequestInfo, Route } from '../route.ts'

export type Input = { params: unknown; query: unknown; body: unknown; given: unknown }

/** Parses params, query and body by their shapes. The error lists every invalid field. */
export function readInput(route: Route, { params, query }: FastifyRequest, { raw }: RequestInfo): Input {
  const fields: Field[] = []
  const given = route.body ? readBody(route, raw) : undefined
  const body = route.body ? take(route.body, given, fields) : undefined
  const asked = route.query ? take(route.query, query, fields, 'query') : undefined
  const named = namedParams(params)
  const parsed = route.params?.safeParse(named)
  if (parsed && !parsed.success) throw new ApiError('not_found')
  if (fields.length > 0) throw new ApiError('invalid_fields', { fields })
  return { params: parsed ? parsed.data : named, query: asked, body, given }
}

/** An absent body is an empty object, so a route with only optional fields needs none. */
function readBody({ form, takesAnyText }: Route, raw: Buffer | undefined): unknown {
  if (!raw?.length) return {}
  return form ? parseForm(raw) : parseBody(raw, takesAnyText)
}

const PARSE_OPTIONS = { reportInput: true }

/** The parsed value. Adds what is invalid to `fields`. */
function take(shape: z.ZodType, value: unknown, fields: Field[], place?: 'query'): unknown {
  const parsed = shape.safeParse(value, PARSE_OPTIONS)
  if (parsed.success) return parsed.data
  fields.push(...fieldErrors(parsed.error.issues, place))
  return undefined
}

/** The router calls the rest of a path `*`. */
function namedParams(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || !('*' in params)) return params
  const { '*': path, ...others } = params
  return { ...others, path }
}

const DEPTH_MAX = 64
// Real requests have a few thousand values. Parsing a body full of tiny values would block the event loop for seconds.
const VALUES_MAX = 30_000
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** Parses a JSON body, or throws a 400 with the reason. `isAnyText` allows the text of binary files. */
export function parseBody(raw: Buffer, isAnyText = false): unknown {
  if (!isUtf8(raw))
    throw new ApiError('malformed_json', { error: 'The body is not valid UTF-8; encode it as UTF-8.' })
  const pairs = requireBoundedSize(raw)
  const text = raw.toString('utf8')
  let value: unknown
  try {
    value = fromJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    throw new ApiError('malformed_json')
  }
  // A repeated key is one key of the parsed value but two in the text.
  if (pairs > 1 && keysIn(value) !== pairs)
    throw new ApiError('malformed_json', {
      error: `The body has the key ${JSON.stringify(repeatedKey(raw).slice(0, 100))} more than once in one object; send it once.`,
    })
  // Unsafe text needs an escape, and unsafe keys contain "proto". Most bodies have neither and skip the walk.
  if (text.includes('\\u') || text.includes('proto')) requireSafeValues(value, isAnyText)
  return value
}

/** Parses a form into strings by name. A repeated name is ambiguous and rejected. */
export function parseForm(raw: Buffer): unknown {
  if (!isUtf8(raw))
    throw new ApiError('bad_request', { error: 'The form is not valid UTF-8; encode it as UTF-8.' })
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw.toString('utf8'))) {
    if (fields.has(name)) throw new ApiError('bad_request', { error: 'A field of the form was sent twice.' })
    fields.set(name, value)
  }
  const form = Object.fromEntries(fields)
  requireSafeValues(form)
  return form
}

/** Bounds depth and number of values before parsing. Returns the number of key-value pairs. */
function requireBoundedSize(raw: Buffer): number {
  let depth = 0
  let values = 1
  let pairs = 0
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (byte === QUOTE) i = endOfString(raw, i)
    else if (byte === COMMA) values++
    else if (byte === COLON) pairs++
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > DEPTH_MAX)
        throw new ApiError('malformed_json', {
          error: `The body is nested more than ${DEPTH_MAX} levels deep; flatten it.`,
        })
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    if (values > VALUES_MAX)
      throw new ApiError('malformed_json', {
        error: `The body has more than ${VALUES_MAX} values; send less at once.`,
      })
  }
  return pairs
}

/** The number of keys in all nested objects. */
function keysIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  if (value instanceof InexactNumber || value instanceof DecimalText) return 0
  const items = Array.isArray(value) ? value : Object.values(value)
  let count = Array.isArray(value) ? 0 : items.length
  for (const item of items) if (typeof item === 'object') count += keysIn(item)
  return count
}

/** The first repeated key. The text must be valid JSON with a repeated key. */
function repeatedKey(raw: Buffer): string {
  const objects: Set<string>[] = []
  let last = ''
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (byte === QUOTE) {
      const end = endOfString(raw, i)
      last = raw.toString('utf8', i, end + 1)
      i = end
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) objects.push(new Set())
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) objects.pop()
    else if (byte === COLON) {
      const key: string = JSON.parse(last)
      if (objects.at(-1)?.has(key)) return key
      objects.at(-1)?.add(key)
    }
  }
  return ''
}

function endOfString(raw: Buffer, start: number): number {
  let end = raw.indexOf(QUOTE, start + 1)
  while (end !== -1 && isEscaped(raw, end, start)) end = raw.indexOf(QUOTE, end + 1)
  return end === -1 ? raw.length : end
}

function isEscaped(raw: Buffer, at: number, start: number): boolean {
  let backslashes = 0
  for (let i = at - 1; i > start && raw[i] === BACKSLASH; i--) backslashes++
  return backslashes % 2 === 1
}

/** The recursion is bounded, because the depth was checked before. */
function requireSafeValues(value: unknown, isAnyText = false): void {
  if (typeof value === 'string') {
    if (!isAnyText) requireSafeText(value)
  } else if (Array.isArray(value)) for (const item of value) requireSafeValues(item, isAnyText)
  else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (
        key === '__proto__' ||
        (key === 'constructor' &&
          item !== null &&
          typeof item === 'object' &&
          Object.hasOwn(item, 'prototype'))
      )
        throw new ApiError('malformed_json', {
          error: `The body may not have a key named "${key}"; remove it.`,
        })
      requireSafeText(key)
      requireSafeValues(item, isAnyText)
    }
  }
}

function requireSafeText(text: string): void {
  if (text.includes('\u0000'))
    throw new ApiError('malformed_json', { error: 'Texts may not contain NUL characters; remove them.' })
  if (!text.isWellFormed())
    throw new ApiError('malformed_json', {
      error: 'Texts may not contain half of a surrogate pair; fix the escapes.',
    })
}
