// Methods of strings and string builders.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsArgument } from '../../engine/model-helpers.ts'
import {
  concat,
  constantValue,
  itemsOf,
  joinTaints,
  sanitize,
  withoutConstant,
} from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { formatted } from './format.ts'
import { PREDICTABLE_RANDOM } from './types.ts'

const STRING = 'java.lang.String'

export const stringCalls: readonly CallModel[] = [
  { name: ['*.trim', '*.strip', '*.stripIndent', '*.intern'], returns: worked((text) => text.trim()) },
  { name: '*.toLowerCase', returns: worked((text) => text.toLowerCase()) },
  { name: '*.toUpperCase', returns: worked((text) => text.toUpperCase()) },
  { name: ['*.substring', '*.subSequence'], returns: worked((text, from, to) => cut(text, from, to)) },
  { name: '*.charAt', returns: charAt },
  { name: ['*.replace', '*.replaceAll', '*.replaceFirst'], returns: replaced, receiver: replacedInside },
  { name: ['*.split', '*.lines'], returns: split },
  { name: '*.concat', returns: (event) => concat([event.receiver ?? UNTAINTED, ...valuesOf(event)]) },
  { name: ['*.toCharArray', '*.getBytes', '*.chars'], returns: propagates('receiver') },
  { name: '*.toString', returns: (event) => asText(event.receiver ?? UNTAINTED) },
  {
    name: [`${STRING}.valueOf`, `${STRING}.copyValueOf`, 'java.util.Objects.toString', STRING],
    returns: (event) => asText(event.arg(0)?.value ?? constantValue('')),
  },
  { name: [`${STRING}.format`, '*.formatted'], returns: formatted },
  { name: `${STRING}.join`, returns: joined },
  {
    name: ['*.length', '*.indexOf', '*.lastIndexOf', '*.compareTo', '*.hashCode', '*.codePointAt'],
    returns: measured,
  },
  {
    name: [
      '*.isEmpty',
      '*.isBlank',
      '*.startsWith',
      '*.endsWith',
      '*.contains',
      '*.equalsIgnoreCase',
      '*.matches',
    ],
    returns: asked,
  },
  {
    name: ['java.util.Objects.requireNonNull', 'java.util.Objects.requireNonNullElse'],
    returns: returnsArgument(0),
  },
]

const BUILDERS = ['java.lang.StringBuilder', 'java.lang.StringBuffer'] as const

const builders = (method: string): string[] => BUILDERS.map((type) => `${type}#${method}`)

/** A builder is represented by its current string. */
export const builderCalls: readonly CallModel[] = [
  { name: [...BUILDERS], returns: (event) => asBuilder(begun(event)) },
  ...changing('append', ({ receiver }, [first = UNTAINTED]) => concat([receiver, first])),
  ...changing('insert', ({ receiver, event }) => inserted(event, receiver)),
  ...changing('reverse', ({ receiver }) => reversed(receiver)),
  ...changing('setLength', (_, [first]) => (first?.known === 0 ? constantValue('') : undefined)),
  ...changing('delete', ({ receiver }) => withoutConstant(receiver)),
  ...changing('deleteCharAt', ({ receiver }) => withoutConstant(receiver)),
]

export const asText = (value: AbstractValue): AbstractValue =>
  typeof value.known === 'number' || typeof value.known === 'boolean'
    ? constantValue(String(value.known))
    : { ...value, type: STRING }

type Change = (
  call: { receiver: AbstractValue; event: CallEvent },
  given: readonly AbstractValue[],
) => AbstractValue | undefined

function changing(method: string, change: Change): CallModel[] {
  const after = (event: CallEvent): AbstractValue | undefined => {
    const receiver = event.receiver ?? UNTAINTED
    const changed = change({ receiver, event }, valuesOf(event))
    return asBuilder(changed ?? receiver, receiver.type)
  }
  return [{ name: builders(method), returns: after, receiver: after }]
}

const asBuilder = (value: AbstractValue, type: string = BUILDERS[0]): AbstractValue => ({ ...value, type })

/** `new StringBuilder(16)` is empty. */
function begun(event: CallEvent): AbstractValue {
  const first = event.arg(0)?.value
  const isEmpty = !first || typeof first.known === 'number' || isNumber(first)
  return isEmpty ? constantValue('') : first
}

const isNumber = ({ type }: AbstractValue): boolean =>
  /^(int|long|java\.lang\.(Integer|Long))$/.test(type ?? '')

function inserted(event: CallEvent, receiver: AbstractValue): AbstractValue {
  const [at, what = UNTAINTED] = valuesOf(event)
  const parts = [receiver, what]
  return concat(at?.known === 0 ? parts.reverse() : parts)
}

function reversed(receiver: AbstractValue): AbstractValue {
  if (typeof receiver.known === 'string') return constantValue([...receiver.known].reverse().join(''))
  return { taints: receiver.taints }
}

function worked(work: (text: string, ...rest: readonly number[]) => string | undefined) {
  return ({ receiver, args }: CallEvent): AbstractValue => {
    const rest = args.map(({ value }) => value.known)
    if (typeof receiver?.known === 'string' && rest.every((each) => typeof each === 'number')) {
      const result = work(receiver.known, ...rest)
      if (result !== undefined) return constantValue(result)
    }
    return {
      taints: receiver?.taints ?? [],
      type: STRING,
      ...(receiver?.name === PREDICTABLE_RANDOM && { name: PREDICTABLE_RANDOM }),
    }
  }
}

const cut = (text: string, from = 0, to?: number): string | undefined =>
  from >= 0 && from <= (to ?? text.length) && (to ?? 0) <= text.length ? text.slice(from, to) : undefined

/** A single character is safe. */
function charAt({ receiver, arg }: CallEvent): AbstractValue {
  const at = arg(0)?.value.known
  const character =
    typeof receiver?.known === 'string' && typeof at === 'number' ? receiver.known[at] : undefined
  return character === undefined ? { taints: [], type: 'char' } : constantValue(character)
}

/** On a builder it replaces a range: `replace(from, to, text)`. */
function replacedInside(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  if (!receiver || !BUILDERS.some((type) => receiver.type === type) || event.args.length !== 3)
    return undefined
  return asBuilder(stretchReplaced(event, receiver), receiver.type)
}

function stretchReplaced(event: CallEvent, receiver: AbstractValue): AbstractValue {
  const [from, to, by = UNTAINTED] = valuesOf(event)
  const isWhole = from?.known === 0 && typeof to?.known === 'number' && isLengthOf(event, to)
  return isWhole ? by : { taints: joinTaints(receiver.taints, by.taints) }
}

const isLengthOf = ({ receiver }: CallEvent, to: AbstractValue): boolean =>
  typeof receiver?.known === 'string' && Number(to.known) >= receiver.known.length

function replaced(event: CallEvent): AbstractValue | undefined {
  const changed = replacedInside(event)
  if (changed) return changed
  // `StringUtils.replace(text, what, by)` is a static method.
  const isUtility = /Utils$/.test(event.receiver?.name ?? '')
  const [receiver = UNTAINTED, what, by = UNTAINTED] = isUtility
    ? valuesOf(event)
    : [event.receiver ?? UNTAINTED, ...valuesOf(event)]
  const texts = [receiver.known, what?.known, by.known].map((each) =>
    typeof each === 'string' ? each : undefined,
  )
  const [text, pattern, replacement] = texts
  if (text !== undefined && pattern !== undefined && replacement !== undefined && event.method === 'replace')
    return constantValue(text.replaceAll(pattern, () => replacement))
  const taints = joinTaints(receiver.taints, by.taints)
  const sinks = pattern === undefined ? [] : removed(event.method !== 'replace', pattern, replacement)
  return sanitize({ taints, type: STRING }, sinks)
}

/** The sinks a string is sanitized for after this replacement. */
function removed(isPattern: boolean, pattern: string, replacement: string | undefined): SinkKind[] {
  if (isPattern && /^\[\^/.test(pattern) && replacement === '') return kept(pattern)
  const isHeader = isPattern ? /\\[rn]|[\r\n]|\\s|\\v|\\p\{Cntrl\}/.test(pattern) : /[\r\n]/.test(pattern)
  if (isHeader) return ['header']
  if (/^[/\\\\]+$/.test(pattern) && !/[/\\]/.test(replacement ?? '/')) return ['path']
  if (pattern === "'" && replacement === "''") return ['sql']
  if (/</.test(pattern) && (replacement === '' || replacement === '&lt;')) return ['html']
  return []
}

/** Everything outside a character class was removed. */
function kept(pattern: string): SinkKind[] {
  const [, inside = ''] = /^\[\^((?:\\.|[^\]\\])*)\]\+?\*?$/.exec(pattern) ?? []
  const rest = inside.replace(
    /a-z|A-Z|0-9|\\w|\\d|\\p\{(Alnum|Alpha|L|N|IsAlphabetic|IsDigit)\}|_|-$|\\-/g,
    '',
  )
  if (inside === '') return []
  if (rest === '') return ['all']
  return /^(\\?[.\s@,:]|\\s)*$/.test(rest)
    ? ['html', 'sql', 'shell', 'path', 'ldap', 'xpath', 'code', 'key']
    : []
}

function split({ receiver, arg, method }: CallEvent): AbstractValue {
  const separator = arg(0)?.value.known
  const text = receiver?.known
  if (
    method === 'split' &&
    typeof text === 'string' &&
    typeof separator === 'string' &&
    /^[\w ,;=&]+$/.test(separator)
  ) {
    const parts = text
      .split(separator)
      .map((part, index): [string, AbstractValue] => [String(index), constantValue(part)])
    return { taints: [], type: `${STRING}[]`, fields: new Map(parts), size: parts.length }
  }
  const taints = receiver?.taints ?? []
  return { taints, type: `${STRING}[]`, others: { taints, type: STRING } }
}

function joined(event: CallEvent): AbstractValue {
  const [separator = UNTAINTED, ...items] = valuesOf(event)
  return concat([separator, ...items.map((item) => (item.fields || item.others ? itemsOf(item) : item))])
}

function measured({ receiver, args, method }: CallEvent): AbstractValue {
  const [text, what] = [receiver?.known, args[0]?.value.known]
  if (typeof text === 'string') {
    if (method === 'length') return constantValue(text.length)
    if (method === 'indexOf' && typeof what === 'string' && args.length === 1)
      return constantValue(text.indexOf(what))
  }
  return { taints: [], type: 'int' }
}

function asked({ receiver, args, method }: CallEvent): AbstractValue {
  const [text, what] = [receiver?.known, args[0]?.value.known]
  const type = 'boolean'
  if (receiver?.size !== undefined && method === 'isEmpty') return constantValue(receiver.size === 0)
  if (typeof text !== 'string') return { taints: [], type }
  if (method === 'isEmpty') return constantValue(text === '')
  if (method === 'isBlank') return constantValue(text.trim() === '')
  if (typeof what !== 'string') return { taints: [], type }
  if (method === 'startsWith') return constantValue(text.startsWith(what))
  if (method === 'endsWith') return constantValue(text.endsWith(what))
  if (method === 'contains') return constantValue(text.includes(what))
  if (method === 'equalsIgnoreCase') return constantValue(text.toLowerCase() === what.toLowerCase())
  return { taints: [], type }
}

const valuesOf = ({ args }: CallEvent): AbstractValue[] => args.map(({ value }) => value)
