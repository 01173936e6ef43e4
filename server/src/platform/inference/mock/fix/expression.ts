// Works out small expressions of JavaScript and Python by itself: numbers, texts, comparisons, a few functions. Foreign
// code is never run.
import type { Value } from '../known/known.ts'
import { BUILT_IN, memberOf } from './built-in.ts'
import { type Token, tokensOf } from './tokens.ts'

export type Known = ReadonlyMap<string, Value>

/** Undefined when the expression is beyond it. */
export function evaluate(
  text: string,
  known: Known,
  isPython: boolean,
): { readonly value: Value } | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined || tokens.length === 0) return undefined
  const reader: Reader = { tokens, at: 0, known, isPython }
  try {
    const value = choice(reader)
    return reader.at === tokens.length ? { value } : undefined
  } catch (error) {
    if (error === BEYOND) return undefined
    throw error
  }
}

export const isSame = (a: Value, b: Value): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) < 1e-9 || Object.is(a, b)
    : JSON.stringify(a) === JSON.stringify(b)

// One for all: it is thrown often, and nobody asks where.
const BEYOND = new Error('the expression is more than is understood here')

type Reader = {
  readonly tokens: readonly Token[]
  at: number
  readonly known: Known
  readonly isPython: boolean
}

const peek = ({ tokens, at }: Reader): string => tokens[at]?.text ?? ''

function accept(reader: Reader, ...texts: readonly string[]): string | undefined {
  const text = peek(reader)
  if (text === '' || !texts.includes(text)) return undefined
  reader.at += 1
  return text
}

function expect(reader: Reader, text: string): void {
  if (accept(reader, text) === undefined) throw BEYOND
}

function choice(reader: Reader): Value {
  const first = levels(reader, 0)
  if (accept(reader, '?') !== undefined) {
    const yes = choice(reader)
    expect(reader, ':')
    const no = choice(reader)
    return isTrue(first) ? yes : no
  }
  if (reader.isPython && accept(reader, 'if') !== undefined) {
    const condition = levels(reader, 0)
    expect(reader, 'else')
    const otherwise = choice(reader)
    return isTrue(condition) ? first : otherwise
  }
  return first
}

/** From what binds least to what binds most. */
const LEVELS: readonly (readonly string[])[] = [
  ['||', 'or'],
  ['&&', 'and'],
  ['===', '!==', '==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%', '//'],
]

function levels(reader: Reader, level: number): Value {
  const operators = LEVELS[level]
  if (operators === undefined) return unary(reader)
  let value = levels(reader, level + 1)
  for (let sign = accept(reader, ...operators); sign !== undefined; sign = accept(reader, ...operators))
    value = apply(sign, value, levels(reader, level + 1), reader.isPython)
  return value
}

function unary(reader: Reader): Value {
  if (accept(reader, '!') !== undefined) return !isTrue(unary(reader))
  // Python's `not` binds less than a comparison.
  if (accept(reader, 'not') !== undefined) return !isTrue(levels(reader, 2))
  if (accept(reader, '-') !== undefined) return -numberOf(unary(reader))
  if (accept(reader, '+') !== undefined) return numberOf(unary(reader))
  const base = postfix(reader)
  return accept(reader, '**') === undefined ? base : numberOf(base) ** numberOf(unary(reader))
}

function postfix(reader: Reader): Value {
  let value = primary(reader)
  while (peek(reader) === '.' || peek(reader) === '[') {
    if (accept(reader, '[') !== undefined) {
      value = itemOf(value, choice(reader), reader.isPython)
      expect(reader, ']')
      continue
    }
    expect(reader, '.')
    const name = nameOf(reader)
    const args = peek(reader) === '(' ? argumentsOf(reader) : undefined
    value = orBeyond(memberOf(value, name, args))
  }
  return value
}

function primary(reader: Reader): Value {
  const token = reader.tokens[reader.at]
  if (token === undefined) throw BEYOND
  if (accept(reader, '(') !== undefined) {
    const value = choice(reader)
    expect(reader, ')')
    return value
  }
  if (token.text === '[') return listOf(reader, '[', ']')
  reader.at += 1
  if (token.kind === 'number') return Number(token.text.replaceAll('_', ''))
  if (token.kind === 'text') return token.text.slice(1, -1).replaceAll(/\\(.)/g, unescaped)
  if (token.kind !== 'name') throw BEYOND
  return named(reader, token.text)
}

function named(reader: Reader, name: string): Value {
  const constant = CONSTANTS.get(name)
  if (constant !== undefined) return constant
  const own = reader.known.get(name)
  if (own !== undefined) return own
  let full = name
  if (name === 'Math' || name === 'math') {
    expect(reader, '.')
    full = `Math.${nameOf(reader)}`
  }
  const run = BUILT_IN.get(full)
  if (run === undefined || peek(reader) !== '(') throw BEYOND
  return orBeyond(run(argumentsOf(reader)))
}

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
])

function nameOf(reader: Reader): string {
  const token = reader.tokens[reader.at]
  if (token?.kind !== 'name') throw BEYOND
  reader.at += 1
  return token.text
}

const argumentsOf = (reader: Reader): readonly Value[] => listOf(reader, '(', ')')

function listOf(reader: Reader, open: string, close: string): readonly Value[] {
  expect(reader, open)
  const values: Value[] = []
  while (accept(reader, close) === undefined) {
    values.push(choice(reader))
    if (peek(reader) !== close) expect(reader, ',')
  }
  return values
}

function apply(sign: string, a: Value, b: Value, isPython: boolean): Value {
  if (sign === '||' || sign === 'or') return isTrue(a) ? a : b
  if (sign === '&&' || sign === 'and') return isTrue(a) ? b : a
  if (sign === '===' || sign === '==') return isSame(a, b)
  if (sign === '!==' || sign === '!=') return !isSame(a, b)
  if (typeof a === 'string' || typeof b === 'string') return withText(sign, a, b, isPython)
  return withNumbers(sign, numberOf(a), numberOf(b), isPython)
}

function withText(sign: string, a: Value, b: Value, isPython: boolean): Value {
  const areBoth = typeof a === 'string' && typeof b === 'string'
  if (sign === '+' && (areBoth || !isPython)) return String(a) + String(b)
  if (areBoth && sign === '<') return a < b
  if (areBoth && sign === '>') return a > b
  throw BEYOND
}

function withNumbers(sign: string, a: number, b: number, isPython: boolean): Value {
  const results: Readonly<Record<string, () => Value>> = {
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => a / b,
    '//': () => Math.floor(a / b),
    '%': () => (isPython ? a - b * Math.floor(a / b) : a % b),
    '<': () => a < b,
    '<=': () => a <= b,
    '>': () => a > b,
    '>=': () => a >= b,
  }
  const result = results[sign]?.()
  if (result === undefined) throw BEYOND
  return result
}

function itemOf(value: Value, at: Value, isPython: boolean): Value {
  if ((!Array.isArray(value) && typeof value !== 'string') || typeof at !== 'number') throw BEYOND
  const items: readonly Value[] = [...value]
  return (isPython ? items.at(at) : items[at]) ?? null
}

function numberOf(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  throw BEYOND
}

function orBeyond(value: Value | undefined): Value {
  if (value === undefined) throw BEYOND
  return value
}

const isTrue = (value: Value): boolean => (Array.isArray(value) ? true : Boolean(value))

const unescaped = (_: string, letter: string): string =>
  letter === 'n' ? '\n' : letter === 't' ? '\t' : letter
