// Reads JSON with comments and trailing commas, with the positions of all values.
import { lineAt, UneditableError } from './format.ts'

type Range = { readonly start: number; readonly end: number }
export type Scalar = Range & { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
export type Property = { readonly key: string; readonly start: number; readonly value: Node }
export type ObjectNode = Range & { readonly kind: 'object'; readonly properties: readonly Property[] }
export type ArrayNode = Range & { readonly kind: 'array'; readonly items: readonly Node[] }
export type Node = Scalar | ObjectNode | ArrayNode

const DEPTH_MAX = 100
const BLANK = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const STRING = /"(?:[^"\\\n]|\\.)*"/y
const WORD = /-?[\w.+]+/y

export function parseJsonc(text: string): Node {
  const reader = createReader(text)
  const node = reader.value(0)
  if (reader.skip() < text.length) throw reader.error()
  return node
}

export function toValue(node: Node): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(toValue)
  return Object.fromEntries(node.properties.map(({ key, value }) => [key, toValue(value)]))
}

function createReader(text: string) {
  let at = 0
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) at += found.length
    return found
  }
  const skip = (): number => {
    match(BLANK)
    return at
  }
  const take = (character: string): boolean => {
    skip()
    if (text[at] !== character) return false
    at++
    return true
  }
  const error = () => new UneditableError(`is not valid JSON at line ${lineAt(text, at)}`)
  const decode = <T>(written: string | null): T => {
    try {
      return JSON.parse(written ?? '') as T
    } catch {
      throw error()
    }
  }

  function value(depth: number): Node {
    if (depth > DEPTH_MAX) throw error()
    const start = skip()
    if (take('{')) return { kind: 'object', properties: properties(depth + 1), start, end: at }
    if (take('[')) return { kind: 'array', items: items(depth + 1), start, end: at }
    const read = decode<Scalar['value']>(match(STRING) ?? match(WORD))
    return { kind: 'scalar', value: read, start, end: at }
  }

  function properties(depth: number): Property[] {
    const found: Property[] = []
    while (!take('}')) {
      if (found.length > 0 && !take(',')) throw error()
      if (found.length > 0 && take('}')) break
      const start = skip()
      const key = decode<string>(match(STRING))
      if (!take(':')) throw error()
      found.push({ key, start, value: value(depth) })
    }
    return found
  }

  function items(depth: number): Node[] {
    const found: Node[] = []
    while (!take(']')) {
      if (found.length > 0 && !take(',')) throw error()
      if (found.length > 0 && take(']')) break
      found.push(value(depth))
    }
    return found
  }

  return { value, skip, error }
}
