// Built-in functions for strings, lists and numbers.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsArgument, returnsUntainted, taintsOf } from '../../engine/model-helpers.ts'
import {
  allTaints,
  concat,
  constantValue,
  itemsOf,
  joinTaints,
  sanitize,
} from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { concatLists, entries, items, keys, mergeObjects, values } from './collections.ts'
import { PATH_TYPE } from './node-library.ts'
import { regexOf, sinksExcludedByCaptures, sinksExcludedByRemoval } from './regex-characters.ts'

const MATH = 'abs ceil floor max min pow random round sqrt trunc log sign'
  .split(' ')
  .map((name) => `Math.${name}`)

/** Functions that turn a callback API into a promise API. */
const PROMISIFIERS = [
  'util.promisify',
  'promisify',
  '*.promisify',
  '*.promisifyAll',
  '*.denodeify',
  '*.nfbind',
  'util.callbackify',
  'es6-promisify',
  'denodeify',
  'pify',
  'thenify',
  'thunkify',
]

export const stringCalls: readonly CallModel[] = [
  {
    name: [
      'Number',
      'parseInt',
      'parseFloat',
      'Number.parseInt',
      'Number.parseFloat',
      'BigInt',
      'Boolean',
      'Symbol',
    ],
    returns: (event) => {
      const given = event.arg(0)?.value.known
      return event.method === 'Number' && typeof given === 'string'
        ? constantValue(Number(given))
        : { taints: [], type: 'number' }
    },
  },
  {
    name: ['isNaN', 'isFinite', 'Date', 'Date.now', 'Date.parse', ...MATH, 'process.cwd'],
    returns: returnsUntainted(),
  },
  {
    name: ['*.getTime', '*.getFullYear', '*.toISOString', '*.toFixed', '*.charCodeAt', '*.codePointAt'],
    returns: returnsUntainted(),
  },
  { name: ['String', '*.toString', '*.toLocaleString'], returns: toText },
  { name: ['*.replace', '*.replaceAll'], returns: replace },
  {
    name: ['*.concat'],
    returns: (event) =>
      isText(event.receiver) ? concat([event.receiver ?? UNTAINTED, ...values(event)]) : concatLists(event),
  },
  { name: ['*.split', '*.match', '*.matchAll', '*.exec'], returns: split },
  { name: ['*.slice', '*.filter', '*.reverse', '*.flat', '*.toSorted', '*.toReversed'], returns: slice },
  { name: ['Object.keys', 'Object.getOwnPropertyNames', 'Reflect.ownKeys'], returns: keys },
  {
    name: ['Object.values', 'Array.from', 'Set', 'Array.of'],
    returns: (event) => items(event.arg(0)?.value),
  },
  { name: ['Object.entries'], returns: entries },
  {
    name: [
      'Object.assign',
      '*.extend',
      '*.assign',
      '*.defaults',
      '_.merge',
      'lodash.merge',
      'object-assign',
      'xtend',
      'extend',
      'util._extend',
      'deepmerge',
      'lodash.assign',
      'lodash.defaults',
      'lodash.defaultsDeep',
      'defaults',
      'merge',
      'merge.recursive',
      'merge-options',
      'merge-deep',
      'mixin-deep',
      'deep-extend',
      'extend-shallow',
      'utils-merge',
      'just-extend',
    ],
    returns: mergeObjects,
  },
  {
    name: ['Object.freeze', 'Object.seal', 'Promise.resolve', 'structuredClone', 'Object.create'],
    returns: returnsArgument(0),
  },
  { name: ['JSON.parse'], returns: propagates(0) },
  { name: ['JSON.stringify'], returns: (event) => sanitizeText(event, ['code', 'html', 'header', 'key']) },
  {
    name: ['encodeURIComponent', 'querystring.escape', 'qs.escape'],
    returns: (event) => sanitizeText(event, URI_ENCODED_SINKS),
  },
  { name: ['encodeURI', 'escape'], returns: (event) => sanitizeText(event, ['html', 'header']) },
  { name: ['decodeURIComponent', 'decodeURI', 'unescape', 'querystring.unescape'], returns: decode },
  {
    name: ['querystring.stringify', 'qs.stringify'],
    returns: (event) => sanitizeText(event, URI_ENCODED_SINKS),
  },
  { name: ['btoa'], returns: returnsUntainted() },
  { name: ['atob'], returns: propagates(0) },
  { name: ['Buffer.from', 'Buffer'], returns: toBytes },
  { name: ['RegExp'], returns: regexObject },
  { name: ['util.format', 'format'], returns: format },
  { name: ['util.inspect', 'util.isDeepStrictEqual'], returns: propagates(0) },
  { name: PROMISIFIERS, returns: promisify },
  { name: ['*.call', '*.apply'], returns: callBorrowedMethod },
  { name: ['underscore.bind', 'lodash.bind', '_.bind'], returns: returnsArgument(0) },
  { name: ['*.bind'], returns: returnsArgument('receiver') },
]

/** Only letters, digits and `-_.!~*'()` remain unescaped. */
const URI_ENCODED_SINKS: readonly SinkKind[] = [
  'html',
  'path',
  'url',
  'redirect',
  'header',
  'shell',
  'ldap',
  'regex',
]

const isText = (value: AbstractValue | null): boolean =>
  typeof value?.known === 'string' || value?.type === 'string' || value?.pieces !== undefined

function toText(event: CallEvent): AbstractValue {
  const value = (event.name === 'String' ? event.arg(0)?.value : event.receiver) ?? UNTAINTED
  if (isSourceOfFunction(event)) return { taints: [], type: 'string' }
  // `toString('hex')` and `toString('base64')` leave no special characters.
  const encoding = event.name === 'String' ? undefined : event.arg(0)?.value.known
  if (typeof encoding === 'number' || /^(?:hex|base64|base64url)$/.test(String(encoding)))
    return { taints: [], type: 'string' }
  if (value.known !== undefined) return constantValue(String(value.known))
  return value.pieces ? value : { taints: allTaints(value), type: 'string' }
}

/** The text of a function is part of the program. */
const isSourceOfFunction = ({ expr: { callee }, source }: CallEvent): boolean =>
  callee.kind === 'member' &&
  /(?:^|\.)(?:\w+(?:Fn|Func|Function|Callback|Handler)|fn|func|callback|handler)$/.test(
    source(callee.object.at),
  )

const sanitizeText = (event: CallEvent, sinks: readonly SinkKind[]): AbstractValue =>
  sanitize({ taints: taintsOf({ ...event, receiver: null }), type: 'string' }, sinks)

/** Decoding undoes the encoding, so the value is no longer sanitized. */
function decode(event: CallEvent): AbstractValue {
  const taints = taintsOf({ ...event, receiver: null }).map((taint) => {
    const left = new Set(taint.sanitizedFor)
    for (const each of URI_ENCODED_SINKS) left.delete(each)
    return { ...taint, sanitizedFor: left }
  })
  return { taints, type: 'string' }
}

function replace(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  if (!receiver || receiver.taints.length + taintsOf(event).length === 0) return undefined
  const by = event.arg(1)?.value
  // The results of a replacer function are not tracked, only the text between the matches.
  const rest = by && !by.callable ? allTaints(by) : []
  const filled = by && fillPlaceholder(receiver, event.arg(0)?.value.known, by)
  if (filled) return filled
  const whole = sanitize({ ...receiver, taints: allTaints(receiver) }, sinksOfReplacement(event))
  // If the replacement is untainted, the rest of the string is unchanged.
  const pieces = rest.length === 0 ? whole.pieces : undefined
  return { taints: joinTaints(whole.taints, rest), type: 'string', ...(pieces && { pieces }) }
}

/** Folds `'say {{text}}'.replace('{{text}}', text)` to the resulting string. */
function fillPlaceholder(
  receiver: AbstractValue,
  place: unknown,
  by: AbstractValue,
): AbstractValue | undefined {
  if (typeof place !== 'string' || place === '' || by.callable) return undefined
  const pieces = receiver.pieces ?? (typeof receiver.known === 'string' ? [receiver.known] : [])
  const at = pieces.findIndex((piece) => typeof piece === 'string' && piece.includes(place))
  const text = pieces[at]
  if (typeof text !== 'string') return undefined
  const start = text.indexOf(place)
  const around = [constantValue(text.slice(0, start)), by, constantValue(text.slice(start + place.length))]
  const valueOfPiece = (piece: string | AbstractValue) =>
    typeof piece === 'string' ? constantValue(piece) : piece
  return concat([
    ...pieces.slice(0, at).map(valueOfPiece),
    ...around,
    ...pieces.slice(at + 1).map(valueOfPiece),
  ])
}

function sinksOfReplacement(event: CallEvent): readonly SinkKind[] {
  const what = event.arg(0)?.value
  const by = event.arg(1)?.value
  const pattern = regexOf(what)
  const text =
    pattern?.source ??
    (event.method === 'replaceAll' && typeof what?.known === 'string' ? what.known : undefined)
  if (text === undefined) return []
  const isAll = pattern ? pattern.flags.includes('g') : true
  const sinks: SinkKind[] = pattern && REPEATED_SLASH.test(text) ? ['redirect'] : []
  // `path.normalize(x).replace(/^(\.\.[/\\])+/, '')`: after normalization, `..` can only be at the start.
  if (event.receiver?.type === PATH_TYPE && /^\^\(.*\\\.\\\..*\)[+*]$/.test(text)) sinks.push('path')
  if (!isAll) return sinks
  if (pattern) sinks.push(...sinksExcludedByRemoval(pattern.source, pattern.flags))
  const isMap = by?.callable !== undefined || by?.known === undefined
  if (/</.test(text) || (isMap && /[&<>]/.test(text))) sinks.push('html')
  if (/'/.test(text)) sinks.push('sql', 'xpath')
  if (/'/.test(text) && typeof by?.known === 'string' && /^'/.test(by.known)) sinks.push('shell')
  const isOfPath = /\.\.|\\\.\\\.|\\\.\+|\\\.\{/.test(text) || /^\[?\\?\/|^\[?\\\\/.test(text)
  if (isOfPath && !isParentRemoval(text, by)) sinks.push('path')
  if (/[\\$^*+?()[\]{}|]{6,}/.test(text.replaceAll('\\', ''))) sinks.push('regex')
  if (/\\[rn]/.test(text)) sinks.push('header')
  // Escaping the backslash means escaping a string for code.
  if (pattern ? /\\\\/.test(text) : text === '\\') sinks.push('code')
  return sinks
}

/** `....//` becomes `../` when each `../` is removed once. */
const isParentRemoval = (text: string, by: AbstractValue | undefined): boolean =>
  by?.known === '' && /^\(?(?:\?:)?(?:\\?\.){2}(?:\[[\\/]+\]|\\?\/|\\\\)\)?[+*]?$/.test(text)

/** `^\/+`, `\/{2,}`, `\/\/+`, `^[\/\\]+`. */
const REPEATED_SLASH = /^\^?(?:\\\/|\/|\[[\\/]+\])(?:\+|\*|\{2,\}|\\?\/\+?)/

function split(event: CallEvent): AbstractValue | undefined {
  if (event.method === 'exec') {
    if (event.receiver?.type !== 'regex') return undefined
    return matchOf(event.arg(0)?.value ?? UNTAINTED, event.receiver)
  }
  if (!event.receiver || event.receiver.known !== undefined) return undefined
  const pattern = event.method === 'match' ? event.arg(0)?.value : undefined
  // With `g`, the result has no groups.
  return matchOf(event.receiver, regexOf(pattern)?.flags.includes('g') ? undefined : pattern)
}

/** Captured groups have only the characters that the pattern allows there. */
function matchOf(text: AbstractValue, pattern: AbstractValue | undefined): AbstractValue {
  const taints = allTaints(text)
  const part: AbstractValue = { taints, type: 'string' }
  const regex = regexOf(pattern)
  if (!regex || taints.length === 0) return { taints, others: part }
  const groups = sinksExcludedByCaptures(regex.source, regex.flags)
  const fields = groups.map((sinks, index): [string, AbstractValue] => [
    String(index + 1),
    sanitize(part, sinks),
  ])
  return { taints, fields: new Map([['0', part], ...fields]), others: part }
}

function slice({ receiver }: CallEvent): AbstractValue | undefined {
  if (!receiver?.fields && !receiver?.others) return undefined
  return { taints: receiver.taints, others: itemsOf(receiver) }
}

function regexObject(event: CallEvent): AbstractValue {
  const source = event.arg(0)?.value ?? UNTAINTED
  if (source.type === 'regex') return source
  const flags = event.arg(1)?.value ?? constantValue('')
  return {
    taints: allTaints(source),
    type: 'regex',
    fields: new Map([
      ['source', source],
      ['flags', flags],
    ]),
  }
}

/** Folds `util.format('git clone %s', url)` to the resulting string. */
function format(event: CallEvent): AbstractValue | undefined {
  const [format, ...rest] = values(event)
  if (typeof format?.known !== 'string') return undefined
  const parts: AbstractValue[] = []
  for (const [index, text] of format.known.split(/%[sdifjoOc]/).entries()) {
    if (index > 0) parts.push(rest[index - 1] ?? UNTAINTED)
    parts.push(constantValue(text))
  }
  return concat(parts)
}

/** The promise version keeps the name of the original function. */
function promisify(event: CallEvent): AbstractValue | undefined {
  const given = event.arg(0)?.value
  return given && (given.name !== undefined || given.callable) ? given : undefined
}

/** `Array.prototype.slice.call(arguments, 1)` returns a list of the arguments. */
function callBorrowedMethod(event: CallEvent): AbstractValue | undefined {
  if (!/\bslice\.(?:call|apply)$/.test(event.source(event.expr.callee.at))) return undefined
  const given = event.arg(0)?.value
  return given && { taints: given.taints, others: itemsOf(given) }
}

/** Bytes keep the constant they were made from, so that a hard-coded key is still recognized. */
function toBytes(event: CallEvent): AbstractValue {
  const given = event.arg(0)?.value ?? UNTAINTED
  return { taints: allTaints(given), type: 'Buffer', fields: new Map([['source', given]]) }
}
