// Random numbers, hashes and parsers that rules recognize by type.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates } from '../../engine/model-helpers.ts'
import { sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The type of a value from a predictable generator. */
export const WEAK_RANDOM = 'weak random'

/** The type of a broken hash object. */
export const WEAK_HASH = 'weak hash'

const ENCODERS = [
  'base64.b*',
  'base64.urlsafe_*',
  'base64.standard_*',
  'binascii.hexlify',
  'hex',
  'oct',
  'chr',
]

/** An encoded number is as predictable as the number. */
const encodedRandom = (event: CallEvent): AbstractValue | undefined => {
  const value = event.arg(0)?.value
  return value && isWeakRandom(value) ? value : undefined
}

export const cryptoCalls: readonly CallModel[] = [
  {
    name: WEAK().flatMap((name) => [`random.${name}`, `random.Random().${name}`]),
    returns: randomValue,
  },
  { name: ENCODERS, returns: encodedRandom },
  { name: ['hashlib.md5', 'hashlib.sha1', 'hashlib.new', 'hashlib.md4'], returns: hash },
  {
    name: ['lxml.etree.XMLParser', 'lxml.etree.ETCompatXMLParser', 'lxml.etree.HTMLParser'],
    returns: parser,
  },
  { name: 'tarfile.open', returns: (event) => ({ taints: archive(event), type: 'tarfile.TarFile' }) },
  { name: 're.compile', returns: compiled },
  { name: ['*.validated_data', '*.load'], returns: loaded },
]

export function WEAK(): readonly string[] {
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
    'normalvariate',
    'lognormvariate',
    'expovariate',
    'gammavariate',
    'paretovariate',
    'vonmisesvariate',
    'weibullvariate',
    'binomialvariate',
  ]
}

/** A join keeps string parts but not types, so the marker is stored as a part. */
function randomValue(): AbstractValue {
  const value: AbstractValue = { taints: [], type: WEAK_RANDOM }
  return { ...value, pieces: [value] }
}

/** Also inside a concatenation or a list. */
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

/** Whether the parser resolves entities. lxml does by default. */
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

/** A marshmallow schema returns only declared fields. */
function loaded(event: CallEvent): AbstractValue | undefined {
  if (!/schema/i.test(event.source(event.expr.callee.at))) return undefined
  return sanitize({ taints: propagates(0)(event)?.taints ?? [] }, ['key'])
}
