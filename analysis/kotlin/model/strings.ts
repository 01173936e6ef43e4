// Functions of the standard library on text, collections and random values.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsArgument, sanitizes } from '../../engine/model-helpers.ts'
import { allTaints, concat, constantValue, itemsOf } from '../../engine/values/values.ts'
import { PREDICTABLE_RANDOM } from '../../java/model/types.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const of = (names: string): string[] => names.split(' ').map((name) => `*.${name}`)

export const stringCalls: readonly CallModel[] = [
  {
    name: of(
      'trimIndent trimMargin lowercase uppercase removePrefix removeSuffix substringBefore substringAfter substringBeforeLast take ' +
        'takeLast drop dropLast ifEmpty ifBlank padStart padEnd plus decodeURLPart decodeURLQueryComponent toByteArray decodeToString',
    ),
    returns: changed,
  },
  { name: of('substringAfterLast'), returns: lastPart },
  {
    name: of('encodeURLPathPart encodeURLParameter encodeURLQueryComponent'),
    returns: sanitizes(...encoded()),
  },
  { name: of('escapeHTML escapeHtml'), returns: sanitizes('html') },
  {
    name: of(
      'toInt toLong toDouble toFloat toShort toByte toBoolean toIntOrNull toLongOrNull toDoubleOrNull toFloatOrNull toBigDecimal',
    ),
    returns: () => ({ taints: [], type: 'Long' }),
  },
  {
    name: of('toUuid toBigDecimalOrNull toBooleanStrict toBooleanStrictOrNull toUInt toULong'),
    returns: () => UNTAINTED,
  },
  { name: of('toRegex'), returns: returnsArgument('receiver') },
  { name: ['Regex', 'kotlin.text.Regex'], returns: returnsArgument(0) },
  { name: of('joinToString'), returns: joined },
  { name: ['*.random'], returns: randomItem },
  {
    name: of('nextInt nextLong nextBytes nextDouble nextBits nextFloat nextUInt'),
    returns: ({ name, receiver }) =>
      /^(?:kotlin\.random\.)?Random(?:\.Default)?\.next/.test(name) ||
      /^kotlin\.random\.Random$/.test(receiver?.type ?? '')
        ? { taints: [], name: PREDICTABLE_RANDOM, type: 'Long' }
        : undefined,
  },
  {
    name: of(
      'await awaitSingle awaitSingleOrNull getOrNull getOrThrow getOrElse toList toMutableList toSet asSequence asFlow',
    ),
    returns: propagatesAll,
  },
  { name: ['requireNotNull', 'checkNotNull'], returns: returnsArgument(0) },
  { name: ['java.net.URLEncoder.encode'], returns: sanitizes(...encoded()) },
  {
    name: ['kotlin.io.path.Path', 'Path'],
    returns: (event) => ({ ...(propagates(0, 1, 2)(event) ?? UNTAINTED), type: 'java.nio.file.Path' }),
  },
]

function encoded(): SinkKind[] {
  return ['html', 'url', 'header', 'redirect', 'path', 'sql', 'shell', 'xpath', 'key', 'code']
}

function changed(event: CallEvent): AbstractValue {
  const { receiver, method } = event
  const text = receiver?.known
  if (typeof text === 'string' && /^trim/.test(method)) return constantValue(text.trim())
  if (typeof text === 'string' && method === 'lowercase') return constantValue(text.toLowerCase())
  if (typeof text === 'string' && method === 'uppercase') return constantValue(text.toUpperCase())
  const isTrimmed = /^trim/.test(method) && receiver
  return isTrimmed
    ? { ...receiver }
    : { taints: receiver?.taints ?? [], ...nameOfRandom(receiver), type: 'java.lang.String' }
}

/** `name.substringAfterLast('/')` has no folder. */
function lastPart(event: CallEvent): AbstractValue {
  const separator = String(event.arg(0)?.value.known ?? '')
  return sanitizes(...(/^[/\\]$/.test(separator) ? (['path'] as const) : []))(event) ?? UNTAINTED
}

const nameOfRandom = (value: AbstractValue | null | undefined): { name: string } | object =>
  value?.name === PREDICTABLE_RANDOM ? { name: PREDICTABLE_RANDOM } : {}

function joined(event: CallEvent): AbstractValue {
  const { receiver, arg } = event
  const items = itemsOf(receiver ?? UNTAINTED)
  const separator = arg(0)?.value ?? constantValue(', ')
  return { ...concat([items, separator, items]), ...nameOfRandom(items) }
}

/** `(0..9).random()`. With an argument the caller chooses the generator. */
function randomItem({ args }: CallEvent): AbstractValue {
  return args.length === 0 ? { taints: [], name: PREDICTABLE_RANDOM, type: 'Any' } : UNTAINTED
}

function propagatesAll({ receiver }: CallEvent): AbstractValue | undefined {
  if (!receiver) return undefined
  return receiver.fields || receiver.others || receiver.known !== undefined
    ? receiver
    : { taints: allTaints(receiver), ...nameOfRandom(receiver) }
}
