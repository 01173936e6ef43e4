// Chance, digests and parsers: what a rule needs to know of an object made somewhere above.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates } from '../../engine/model-helpers.ts'
import { sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The type of what a generator made that can be predicted. */
export const WEAK_RANDOM = 'weak random'

/** The type of an object that makes a digest which no longer holds. */
export const WEAK_HASH = 'weak hash'

export const cryptoCalls: readonly CallModel[] = [
  { name: WEAK().map((name) => `random.${name}`), returns: drawn },
  { name: ['hashlib.md5', 'hashlib.sha1', 'hashlib.new', 'hashlib.md4'], returns: hash },
  {
    name: ['lxml.etree.XMLParser', 'lxml.etree.ETCompatXMLParser', 'lxml.etree.HTMLParser'],
    returns: parser,
  },
  { name: 'tarfile.open', returns: (event) => ({ taints: archive(event), type: 'tarfile.TarFile' }) },
  { name: 're.compile', returns: compiled },
  { name: ['*.validated_data', '*.load'], returns: loaded },
]

function WEAK(): readonly string[] {
  return [
    'random',
    'randint',
    'choice',
    'choices',
    'randrange',
    'sample',
    'getrandbits',
    'uniform',
    'randbytes',
    'shuffle',
    'gauss',
    'triangular',
    'betavariate',
  ]
}

/** Pieces are kept where values meet, and types are not. */
function drawn(): AbstractValue {
  const value: AbstractValue = { taints: [], type: WEAK_RANDOM }
  return { ...value, pieces: [value] }
}

/** Also somewhere in a text that was put together, or in a list. */
export function isWeakRandom(value: AbstractValue, depth = 2): boolean {
  if (value.type === WEAK_RANDOM) return true
  if (depth === 0) return false
  const parts = [
    ...(value.pieces ?? []),
    ...(value.fields?.values() ?? []),
    ...(value.others ? [value.others] : []),
  ]
  return parts.some((part) => typeof part !== 'string' && isWeakRandom(part, depth - 1))
}

function hash(event: CallEvent): AbstractValue {
  const isWeak = event.method !== 'new' || isWeakName(event.arg(0)?.value ?? event.option('name'))
  const isMeant = event.option('usedforsecurity')?.known !== false
  return { taints: [], ...(isWeak && isMeant && { type: WEAK_HASH }) }
}

export const isWeakName = (name: AbstractValue | undefined): boolean =>
  typeof name?.known === 'string' && /^(?:md[245]|sha-?1)$/i.test(name.known)

/** Of the parser it matters whether it puts entities in; lxml does, unless told otherwise. */
function parser(event: CallEvent): AbstractValue {
  const resolves = event.option('resolve_entities') ?? { taints: [], known: event.method !== 'HTMLParser' }
  return { taints: [], fields: new Map([['resolve_entities', resolves]]) }
}

const archive = (event: CallEvent): AbstractValue['taints'] => [
  ...(propagates(0)(event)?.taints ?? []),
  ...(event.option('fileobj')?.taints ?? []),
]

function compiled(event: CallEvent): AbstractValue {
  const pattern = event.arg(0)?.value ?? UNTAINTED
  return { taints: pattern.taints, name: 're.compile()', fields: new Map([['pattern', pattern]]) }
}

/** A schema of marshmallow lets only declared fields through. */
function loaded(event: CallEvent): AbstractValue | undefined {
  if (!/schema/i.test(event.source(event.expr.callee.at))) return undefined
  return sanitize({ taints: propagates(0)(event)?.taints ?? [] }, ['key'])
}
