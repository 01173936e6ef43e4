// String methods, folded if everything is constant.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import { taintsOf } from '../../engine/model-helpers.ts'
import { isType } from '../../engine/name-patterns.ts'
import { allTaints, concat, constantValue, itemsOf, listOf, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { bracePieces, type Piece, percentPieces } from '../lowering/strings.ts'
import { isWeakRandom } from './crypto.ts'
import { RESOLVED_PATH } from './paths.ts'

export const stringCalls: readonly CallModel[] = [
  ...Object.entries(textMethods()).map(
    ([method, work]): CallModel => ({ name: `*.${method}`, returns: worked(work) }),
  ),
  {
    name: ['*.center', '*.ljust', '*.rjust', '*.zfill', '*.expandtabs', '*.translate', '*.casefold'],
    returns: ofReceiver,
  },
  { name: ['*.removeprefix', '*.removesuffix', '*.decode', '*.encode'], returns: ofReceiver },
  { name: '*.replace', returns: replaced },
  { name: ['*.split', '*.rsplit', '*.splitlines'], returns: split },
  { name: ['*.partition', '*.rpartition'], returns: split },
  { name: '*.join', returns: joinedText },
  { name: '*.format', returns: formatted },
  { name: '*.format_map', returns: (event) => withPlaces(event, event.arg(0)?.value ?? UNTAINTED) },
  { name: '*.__mod__', returns: percentFormatted },
  { name: '*.__contains__', returns: holds },
  { name: '*.__slice__', returns: sliced },
  {
    name: ['*.startswith', '*.endswith', '*.isdigit', '*.isalnum', '*.isalpha', '*.isdecimal'],
    returns: asked,
  },
  {
    name: ['*.isnumeric', '*.isidentifier', '*.isspace', '*.isupper', '*.islower', '*.isascii'],
    returns: () => UNTAINTED,
  },
  { name: ['*.find', '*.rfind', '*.count', '*.index', '*.rindex'], returns: () => UNTAINTED },
  { name: ['str', 'bytes', 'bytearray', 'repr', 'ascii', 'format'], returns: asText },
  {
    name: ['textwrap.dedent', 'string.capwords', 'textwrap.fill'],
    returns: (event) => event.arg(0)?.value ?? UNTAINTED,
  },
]

type Work = (text: string, ...rest: readonly string[]) => string

function textMethods(): Readonly<Record<string, Work>> {
  const trim = (text: string, chars: string | undefined, ends: { start: boolean; end: boolean }) => {
    const isGone = (char: string | undefined) =>
      char !== undefined && (chars === undefined ? char.trim() === '' : chars.includes(char))
    let [start, end] = [0, text.length]
    while (ends.start && start < end && isGone(text[start])) start += 1
    while (ends.end && end > start && isGone(text[end - 1])) end -= 1
    return text.slice(start, end)
  }
  return {
    strip: (text, chars) => trim(text, chars, { start: true, end: true }),
    lstrip: (text, chars) => trim(text, chars, { start: true, end: false }),
    rstrip: (text, chars) => trim(text, chars, { start: false, end: true }),
    lower: (text) => text.toLowerCase(),
    upper: (text) => text.toUpperCase(),
    title: (text) =>
      text.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
    capitalize: (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
    swapcase: (text) => text,
  }
}

function worked(work: Work): (event: CallEvent) => AbstractValue {
  return (event) => {
    const texts = [event.receiver, ...event.args.map(({ value }) => value)].map((value) => value?.known)
    const [text, ...rest] = texts.filter((each) => typeof each === 'string')
    if (text !== undefined && rest.length === texts.length - 1) return constantValue(work(text, ...rest))
    return ofReceiver(event)
  }
}

function ofReceiver({ receiver }: CallEvent): AbstractValue {
  if (!receiver || isWeakRandom(receiver)) return receiver ?? UNTAINTED
  return { taints: allTaints(receiver), ...(receiver.known !== undefined && { known: receiver.known }) }
}

/** Removing or doubling special characters is manual escaping. */
function replaced(event: CallEvent): AbstractValue {
  const [from, to] = [event.arg(0)?.value, event.arg(1)?.value]
  const text = event.receiver?.known
  if (typeof text === 'string' && typeof from?.known === 'string' && typeof to?.known === 'string')
    return constantValue(text.replaceAll(from.known, to.known))
  const taints = taintsOf(event)
  if (typeof from?.known !== 'string' || typeof to?.known !== 'string') return { taints }
  return sanitize(
    { taints },
    to.known.includes(from.known) && to.known !== "''" ? [] : (REPLACED[from.known] ?? []),
  )
}

const REPLACED: Readonly<Record<string, readonly SinkKind[]>> = {
  "'": ['sql', 'xpath'],
  '"': ['shell'],
  '<': ['html'],
  '\n': ['header'],
  '\r': ['header'],
  '\r\n': ['header'],
  '/': ['path'],
}

function split(event: CallEvent): AbstractValue {
  const [text, by] = [event.receiver?.known, event.arg(0)?.value.known]
  if (
    typeof text === 'string' &&
    typeof by === 'string' &&
    by !== '' &&
    event.args.length === 1 &&
    event.method === 'split'
  )
    return listOf(text.split(by).map(constantValue))
  const taints = taintsOf(event)
  return { taints, type: 'list', others: { taints } }
}

/** `', '.join(items)`: the items with the separator between them, in order if the order is known. */
function joinedText(event: CallEvent): AbstractValue {
  const items = event.arg(0)?.value ?? UNTAINTED
  const between = event.receiver ?? UNTAINTED
  if (items.fields && items.size === items.fields.size) {
    const all = [...items.fields.values()]
    return concat(all.flatMap((item, index) => (index === 0 ? [item] : [between, item])))
  }
  if (isWeakRandom(items)) return items
  const item = itemsOf(items)
  return concat([{ ...item, taints: allTaints(items) }, between])
}

function formatted(event: CallEvent): AbstractValue {
  const format = event.receiver?.known
  const pieces = typeof format === 'string' ? bracePieces(format) : null
  if (!pieces) return mixed(event)
  let next = 0
  return concat(
    pieces.map((piece) => {
      if ('text' in piece) return constantValue(piece.text)
      const value = argumentFor(event, piece.key ?? String(next))
      if (piece.key === null) next += 1
      return shown(value, piece)
    }),
  )
}

function argumentFor(event: CallEvent, key: string): AbstractValue {
  const spread = event.args.filter(({ isSpread }) => isSpread).map(({ value }) => value)
  const own = /^\d+$/.test(key) ? event.arg(Number(key))?.value : event.option(key)
  if (own) return own
  const [first] = spread
  return first ? (first.fields?.get(key) ?? itemsOf(first)) : UNTAINTED
}

function withPlaces(event: CallEvent, values: AbstractValue): AbstractValue {
  const format = event.receiver?.known
  const pieces = typeof format === 'string' ? bracePieces(format) : null
  if (!pieces) return mixed(event)
  return concat(
    pieces.map((piece) =>
      'text' in piece
        ? constantValue(piece.text)
        : shown(values.fields?.get(piece.key ?? '') ?? itemsOf(values), piece),
    ),
  )
}

/** `%` between values: string formatting or modulo. */
function percentFormatted(event: CallEvent): AbstractValue {
  const [left, right] = [event.receiver ?? UNTAINTED, event.arg(0)?.value ?? UNTAINTED]
  if (typeof left.known === 'number' && typeof right.known === 'number' && right.known !== 0)
    return constantValue(left.known - right.known * Math.floor(left.known / right.known))
  const pieces = typeof left.known === 'string' ? percentPieces(left.known) : null
  if (!pieces) return mixed(event)
  let next = 0
  return concat(
    pieces.map((piece) => {
      if ('text' in piece) return constantValue(piece.text)
      const key = piece.key ?? String(next)
      if (piece.key === null) next += 1
      return shown(right.fields ? (right.fields.get(key) ?? itemsOf(right)) : right, piece)
    }),
  )
}

const shown = (value: AbstractValue, { isNumber }: Extract<Piece, { key: string | null }>): AbstractValue =>
  isNumber ? UNTAINTED : value

/** An unknown format may contain any of the arguments. */
const mixed = (event: CallEvent): AbstractValue =>
  concat([event.receiver ?? UNTAINTED, ...event.args.map(({ value }) => value)])

function asked(event: CallEvent): AbstractValue {
  const [text, what] = [event.receiver?.known, event.arg(0)?.value.known]
  if (typeof text !== 'string') return UNTAINTED
  if (event.method === 'startswith')
    return typeof what === 'string' ? constantValue(text.startsWith(what)) : UNTAINTED
  if (event.method === 'endswith')
    return typeof what === 'string' ? constantValue(text.endsWith(what)) : UNTAINTED
  return UNTAINTED
}

function asText(event: CallEvent): AbstractValue {
  const value = event.arg(0)?.value ?? constantValue('')
  if (typeof value.known === 'string') return value
  if (typeof value.known === 'number') return constantValue(String(value.known))
  if (value.pieces || isType(value.type, RESOLVED_PATH)) return value
  return { taints: allTaints(value), type: 'string' }
}

/** `'a' in text` and `'a' in map`, if certain. */
function holds(event: CallEvent): AbstractValue {
  const [whole, part] = [event.receiver, event.arg(0)?.value.known]
  if (typeof part !== 'string' || !whole) return UNTAINTED
  return typeof whole.known === 'string' ? constantValue(whole.known.includes(part)) : UNTAINTED
}

/** `x[1:]`: a part of a string or list. */
function sliced(event: CallEvent): AbstractValue {
  const whole = event.receiver ?? UNTAINTED
  const [from, to] = [event.arg(0)?.value.known, event.arg(1)?.value.known]
  const isCertain = [from, to].every((bound) => bound === null || typeof bound === 'number')
  const bounds = [from, to].map((bound) => (typeof bound === 'number' ? bound : undefined))
  if (isCertain && typeof whole.known === 'string')
    return constantValue(whole.known.slice(bounds[0], bounds[1]))
  if (isCertain && whole.fields && whole.size === whole.fields.size)
    return listOf([...whole.fields.values()].slice(bounds[0], bounds[1]))
  if (whole.fields || whole.others) return { taints: whole.taints, type: 'list', others: itemsOf(whole) }
  return ofReceiver(event)
}
