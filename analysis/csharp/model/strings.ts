// Strings, builders and conversions.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import {
  propagates,
  returnsArgument,
  returnsType,
  returnsUntainted,
  sanitizes,
} from '../../engine/model-helpers.ts'
import { concat, constantValue, itemsOf, joinTaints, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const on = (names: string): string[] => names.split(' ').map((name) => `*.${name}`)
const ENCODED: readonly SinkKind[] = [
  'html',
  'url',
  'header',
  'redirect',
  'path',
  'sql',
  'shell',
  'xpath',
  'key',
  'code',
]

export const stringCalls: readonly CallModel[] = [
  { name: on('ToLower ToLowerInvariant'), returns: changed((text) => text.toLowerCase()) },
  { name: on('ToUpper ToUpperInvariant'), returns: changed((text) => text.toUpperCase()) },
  { name: on('Trim TrimStart TrimEnd'), returns: changed((text) => text.trim()) },
  {
    name: on(
      'Substring PadLeft PadRight Remove Insert Normalize ToCharArray ToArray AsSpan AsMemory Split Cast OfType ToList Distinct Reverse Take Skip AsEnumerable',
    ),
    returns: kept,
  },
  { name: '*.ToString', returns: ({ receiver }) => receiver ?? UNTAINTED },
  { name: '*.Replace', returns: replaced },
  { name: on('StartsWith EndsWith Contains Equals IsMatch Any'), returns: asked },
  {
    name: on('IndexOf LastIndexOf CompareTo GetHashCode Count LongCount Compare'),
    returns: returnsType('int'),
  },
  {
    name: [
      'string.IsNullOrEmpty',
      'string.IsNullOrWhiteSpace',
      'String.IsNullOrEmpty',
      'String.IsNullOrWhiteSpace',
    ],
    returns: returnsType('bool'),
  },
  { name: ['string.Format', 'String.Format'], returns: formatted },
  { name: ['FormattableStringFactory.Create'], returns: formatted },
  { name: ['string.Join', 'String.Join'], returns: joined },
  { name: ['string.Concat', 'String.Concat'], returns: ({ args }) => concat(args.map(({ value }) => value)) },
  { name: ['StringBuilder'], returns: (event) => ({ ...begun(event), type: 'StringBuilder' }) },
  {
    name: ['StringBuilder#Append', 'StringBuilder#AppendLine'],
    ...builder((event) => event.arg(0)?.value ?? UNTAINTED),
  },
  { name: ['StringBuilder#AppendFormat'], ...builder(formatted) },
  {
    name: ['StringBuilder#Clear'],
    returns: () => UNTAINTED,
    receiver: () => ({ ...constantValue(''), type: 'StringBuilder' }),
  },
  { name: on('Parse TryParse ParseExact TryParseExact'), returns: parsed },
  {
    name: on('ToInt32 ToInt64 ToDecimal ToDouble ToBoolean ToDateTime ToInt16 ToByte'),
    returns: returnsUntainted(),
  },
  {
    name: [
      'Encoding.UTF8.GetBytes',
      'Encoding.UTF8.GetString',
      'Encoding.ASCII.GetBytes',
      'Encoding.ASCII.GetString',
      'Encoding.Unicode.GetBytes',
      'Convert.FromBase64String',
      'Convert.ToBase64String',
      'Convert.ToHexString',
      'WebUtility.UrlDecode',
      'HttpUtility.UrlDecode',
      'Uri.UnescapeDataString',
      'WebUtility.HtmlDecode',
      'HttpUtility.HtmlDecode',
    ],
    returns: propagates(0),
  },
  {
    name: on('HtmlEncode HtmlAttributeEncode JavaScriptStringEncode EscapeHtml Sanitize'),
    returns: sanitizes('html'),
  },
  { name: ['*.Encode'], returns: encoded },
  { name: on('UrlEncode UrlPathEncode EscapeDataString EscapeUriString'), returns: sanitizes(...ENCODED) },
  { name: on('LdapFilterEncode LdapDistinguishedNameEncode'), returns: sanitizes('ldap') },
  { name: ['Regex.Escape'], returns: sanitizes('regex') },
  {
    name: ['Regex.Replace'],
    returns: (event) => replacedBy(event.arg(0)?.value, event.arg(1)?.value, event.arg(2)?.value),
  },
  { name: on('ComputeHash HashData ComputeHashAsync'), returns: sanitizes('all') },
  { name: on('sanitize* Sanitize* Escape* Purify* StripHtml*'), returns: sanitizes('all') },
  { name: ['Guid.NewGuid', 'Guid.Parse'], returns: returnsUntainted() },
  {
    name: on('AsTask ConfigureAwait GetAwaiter GetResult ToListAsync'),
    returns: returnsArgument('receiver'),
  },
  { name: ['Task.FromResult', 'Task.Run'], returns: returnsArgument(0) },
]

function changed(change: (text: string) => string) {
  return ({ receiver, args }: CallEvent): AbstractValue => {
    const text = receiver?.known
    if (typeof text === 'string' && args.length === 0) return constantValue(change(text))
    const pieces = receiver?.pieces
    return { taints: receiver?.taints ?? [], type: 'string', ...(pieces && { pieces }), ...nameOf(receiver) }
  }
}

function kept({ receiver }: CallEvent): AbstractValue | undefined {
  if (!receiver || receiver.classDefinition) return undefined
  return {
    taints: receiver.taints,
    ...(receiver.others && { others: receiver.others }),
    ...(receiver.fields && { fields: receiver.fields }),
    ...nameOf(receiver),
  }
}

const nameOf = (value: AbstractValue | null | undefined): { readonly name?: string } =>
  value?.name === undefined ? {} : { name: value.name }

function replaced(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  const [what, by] = [event.arg(0)?.value, event.arg(1)?.value]
  const texts = [receiver?.known, what?.known, by?.known].filter((each) => typeof each === 'string')
  const [text, pattern, replacement] = texts
  if (text !== undefined && pattern && replacement !== undefined)
    return constantValue(text.replaceAll(pattern, () => replacement))
  // `regex.Replace(text, by)`: the receiver is the pattern.
  if (typeof receiver?.known === 'string') return replacedBy(what, receiver, by)
  const value: AbstractValue = {
    taints: joinTaints(receiver?.taints ?? [], by?.taints ?? []),
    type: 'string',
  }
  return sanitize(value, removed(String(what?.known ?? ''), by?.known))
}

function removed(what: string, by: unknown): SinkKind[] {
  if (what === "'" && by === "''") return ['sql']
  if (/^[\r\n]+$/.test(what)) return ['header']
  if (what === '<' && by === '&lt;') return ['html']
  return /^[/\\]$/.test(what) && by === '' ? ['path'] : []
}

function replacedBy(
  text: AbstractValue | undefined,
  pattern: AbstractValue | undefined,
  by: AbstractValue | undefined,
): AbstractValue {
  const isNarrow = /^\[\^[\w\\-]*\]\+?$/.test(String(pattern?.known ?? '')) && (by?.taints.length ?? 0) === 0
  const value: AbstractValue = { taints: joinTaints(text?.taints ?? [], by?.taints ?? []), type: 'string' }
  return isNarrow ? sanitize(value, ['all']) : value
}

function asked({ receiver, args, method }: CallEvent): AbstractValue {
  const [text, what] = [receiver?.known, args[0]?.value.known]
  if (typeof text !== 'string' || typeof what !== 'string') return { taints: [], type: 'bool' }
  if (method === 'StartsWith') return constantValue(text.startsWith(what))
  if (method === 'EndsWith') return constantValue(text.endsWith(what))
  return method === 'Contains' ? constantValue(text.includes(what)) : { taints: [], type: 'bool' }
}

/** `string.Format("… {0}", x)`. */
function formatted(event: CallEvent): AbstractValue {
  const values = event.args.map(({ value }) => value)
  const at = values.findIndex(({ known }) => typeof known === 'string')
  const [format, ...rest] = values.slice(Math.max(0, at))
  if (typeof format?.known !== 'string') return concat(values)
  const pieces: AbstractValue[] = []
  let end = 0
  for (const match of format.known.matchAll(/\{(\d+)[^{}]*\}/g)) {
    pieces.push(constantValue(format.known.slice(end, match.index)), rest[Number(match[1])] ?? UNTAINTED)
    end = match.index + match[0].length
  }
  return concat([...pieces, constantValue(format.known.slice(end))])
}

function joined(event: CallEvent): AbstractValue {
  const [separator = UNTAINTED, ...items] = event.args.map(({ value }) => value)
  const values = items.map((each) => (each.fields || each.others ? itemsOf(each) : each))
  return concat([separator, ...values])
}

const begun = (event: CallEvent): AbstractValue => {
  const first = event.arg(0)?.value
  return !first || typeof first.known === 'number' || /^int$/.test(first.type ?? '')
    ? constantValue('')
    : first
}

function builder(added: (event: CallEvent) => AbstractValue): Pick<CallModel, 'returns' | 'receiver'> {
  const after = (event: CallEvent): AbstractValue => ({
    ...concat([event.receiver ?? UNTAINTED, added(event)]),
    type: 'StringBuilder',
  })
  return { returns: after, receiver: after }
}

/** `int.Parse(x)`. A type that is not a number or a date may keep the text. */
function parsed({ name }: CallEvent): AbstractValue | undefined {
  const isScalar =
    /^(?:int|long|short|byte|uint|ulong|decimal|double|float|bool|Int32|Int64|Int16|Decimal|Double|Single|Boolean|Guid|DateTime|DateOnly|TimeOnly|DateTimeOffset|TimeSpan|BigInteger|Enum|IPAddress|Version)\./.test(
      name,
    )
  return isScalar ? { taints: [], type: 'int' } : undefined
}

/** `HtmlEncoder.Default.Encode`, `_urlEncoder.Encode`. */
function encoded(event: CallEvent): AbstractValue | undefined {
  const by = `${event.name} ${event.receiver?.type ?? ''} ${event.source(event.expr.callee.at)}`
  if (/html|javaScript/i.test(by)) return sanitizes('html')(event)
  return /url/i.test(by) ? sanitizes(...ENCODED)(event) : undefined
}
