// String functions of the standard library.

import { type AbstractValue, type SinkKind, UNTAINTED } from '../../abstract-value.ts'
import {
  evaluatesStrings,
  propagates,
  returnsUntainted,
  sanitizes,
  taintsOf,
} from '../../engine/model-helpers.ts'
import { allTaints, concat, constantValue, itemsOf } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { firstOf, resultWithError, withError, withType } from './values.ts'

const from = (holder: string, methods: string): string[] =>
  methods.split(' ').map((method) => `${holder}.${method}`)

export const stringCalls: readonly CallModel[] = [
  { name: 'strings.ToLower', returns: evaluatesStrings((value) => value?.toLowerCase()) },
  { name: 'strings.ToUpper', returns: evaluatesStrings((value) => value?.toUpperCase()) },
  { name: 'strings.TrimSpace', returns: evaluatesStrings((value) => value?.trim()) },
  {
    name: [
      ...from(
        'strings',
        'Trim TrimLeft TrimRight TrimPrefix TrimSuffix TrimFunc Title ToTitle Map Repeat Clone Split',
      ),
      ...from('strings', 'SplitN SplitAfter Fields FieldsFunc NewReader ToValidUTF8 Cut'),
      ...from(
        'bytes',
        'TrimSpace Trim TrimPrefix TrimSuffix ToLower ToUpper NewReader NewBuffer NewBufferString Split',
      ),
      ...from('bufio', 'NewReader NewScanner'),
      ...from('strconv', 'Quote'),
    ],
    returns: propagates(0),
  },
  { name: ['strings.Replace', 'strings.ReplaceAll', 'bytes.ReplaceAll'], returns: replaced },
  { name: ['strings.Join', 'bytes.Join'], returns: joined },
  {
    name: [
      ...from(
        'strings',
        'Contains ContainsAny ContainsRune HasPrefix HasSuffix EqualFold Index LastIndex IndexByte Count',
      ),
      ...from('strings', 'Compare IndexAny'),
      ...from('bytes', 'Contains HasPrefix HasSuffix Equal Index'),
      ...from('slices', 'Contains Index'),
      ...from('utf8', 'RuneCountInString ValidString'),
      'unicode/utf8.RuneCountInString',
      'len',
      'cap',
      'fmt.Errorf',
      'errors.New',
      'strconv.Itoa',
      'strconv.FormatInt',
      'strconv.FormatUint',
      'strconv.FormatBool',
      'strconv.FormatFloat',
      'encoding/hex.EncodeToString',
      'hash/fnv.New32a',
      'net.ParseIP',
      'github.com/google/uuid.MustParse',
      ...from('crypto/sha256', 'Sum256 New'),
      ...from('crypto/sha512', 'Sum512 New'),
      ...from('crypto/sha1', 'Sum New'),
      ...from('crypto/md5', 'Sum New'),
      ...from('crypto/hmac', 'New Equal'),
      ...'int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 byte rune bool'.split(
        ' ',
      ),
    ],
    returns: returnsUntainted(),
  },
  {
    name: from('strconv', 'Atoi ParseInt ParseUint'),
    returns: (event) => resultWithError(parsedNumber(event)),
  },
  {
    name: [
      ...from('strconv', 'ParseFloat ParseBool'),
      ...from('time', 'Parse ParseDuration ParseInLocation'),
      'github.com/google/uuid.Parse',
      'encoding/hex.DecodeString',
      'net.ParseCIDR',
      'net/mail.ParseAddress',
    ],
    returns: () => resultWithError({ taints: [], type: 'number' }),
  },
  { name: 'fmt.Sprintf', returns: formatted },
  { name: ['fmt.Sprint', 'fmt.Sprintln'], returns: ({ args }) => concat(args.map(({ value }) => value)) },
  {
    name: [
      'html.EscapeString',
      ...from('html/template', 'HTMLEscapeString HTMLEscaper JSEscapeString URLQueryEscaper'),
    ],
    returns: sanitizes('html'),
  },
  { name: 'text/template.HTMLEscapeString', returns: sanitizes('html') },
  {
    name: ['*.Sanitize', '*.SanitizeBytes'],
    returns: (event) => (event.imports(/bluemonday/) ? sanitizes('html')(event) : undefined),
  },
  {
    name: ['net/url.QueryEscape', 'net/url.PathEscape'],
    returns: sanitizes('url', 'html', 'sql', 'shell', 'header', 'redirect', 'ldap', 'xpath', 'path'),
  },
  { name: ['net/url.QueryUnescape', 'net/url.PathUnescape'], returns: withError(propagates(0)) },
  {
    name: ['net/url.Parse', 'net/url.ParseRequestURI'],
    returns: withError((event) => withType('*net/url.URL', propagates(0)(event))),
  },
  {
    name: ['net/url.ParseQuery'],
    returns: withError((event) => withType('net/url.Values', propagates(0)(event))),
  },
  {
    name: ['*.EncodeToString'],
    returns: (event) =>
      /base64|base32/.test(event.name) ? sanitizes('sql', 'html', 'shell', 'header')(event) : undefined,
  },
  { name: ['encoding/json.Marshal', 'encoding/json.MarshalIndent'], returns: withError(sanitizes('html')) },
  { name: ['*.Unmarshal', '*.NewDecoder', '*.UnmarshalStrict'], returns: propagates(0) },
  { name: ['*.Decode'], returns: propagates('receiver') },
  { name: ['io.ReadAll', 'io/ioutil.ReadAll'], returns: withError(propagates(0)) },
  { name: ['io.LimitReader', 'io.TeeReader', 'io.NopCloser'], returns: propagates(0) },
  { name: 'net/http.MaxBytesReader', returns: propagates(1) },
  {
    name: ['*.DecodeString'],
    returns: (event) =>
      /base64|base32/.test(event.name) ? resultWithError(propagates(0)(event) ?? UNTAINTED) : undefined,
  },
  { name: 'append', returns: appended },
  { name: ['regexp.MustCompile'], returns: (event) => regexOf(event) },
  { name: ['regexp.Compile'], returns: (event) => resultWithError(regexOf(event)) },
  { name: 'regexp.QuoteMeta', returns: sanitizes('regex') },
  { name: ['regexp.Regexp#ReplaceAllString', 'regexp.Regexp#ReplaceAllLiteralString'], returns: stripped },
  { name: ['regexp.Regexp#FindString', 'regexp.Regexp#FindStringSubmatch'], returns: propagates(0) },
  {
    name: [
      'strings.Builder#WriteString',
      'bytes.Buffer#WriteString',
      'strings.Builder#Write',
      'bytes.Buffer#Write',
    ],
    returns: returnsUntainted(),
    receiver: written,
  },
  {
    name: ['strings.Builder#String', 'bytes.Buffer#String', 'bytes.Buffer#Bytes'],
    returns: ({ receiver }) => receiver?.fields?.get(TEXT) ?? UNTAINTED,
  },
  { name: ['os.Getenv'], returns: () => UNTAINTED },
  {
    name: ['*.Must'],
    returns: (event) =>
      /template\.Must$/.test(event.name) ? firstOf(event.arg(0)?.value ?? UNTAINTED) : undefined,
  },
]

const TEXT = '(text)'

/** A builder holds what was written to it. */
function written({ receiver, arg }: CallEvent): AbstractValue | undefined {
  const added = arg(0)?.value
  if (!receiver || !added) return undefined
  const before = receiver.fields?.get(TEXT)
  return { ...receiver, fields: new Map([[TEXT, before ? concat([before, added]) : added]]) }
}

/** A number that may be wider than its target type, and whether it comes from a request. */
function parsedNumber({ name, arg }: CallEvent): AbstractValue {
  const bits = name.endsWith('Atoi') ? 64 : (arg(2)?.value.known ?? 64)
  const isSent = arg(0)?.value.taints.some(({ origin }) => origin === 'request') ?? false
  if (bits !== 0 && bits !== 64) return { taints: [], type: 'number' }
  return { taints: [], type: 'number', name: isSent ? WIDE_FROM_REQUEST : WIDE_NUMBER }
}

export const WIDE_NUMBER = 'a wide number'
export const WIDE_FROM_REQUEST = 'a wide number that was sent'

/** `%d` and similar verbs print numbers; `%v` and `%s` print any text. */
const VERB = /%[-+# 0]*(?:\[\d+\])?(?:\d+|\*)?(?:\.(?:\d+|\*)?)?([a-zA-Z%])/g

export function formatted(event: CallEvent): AbstractValue {
  return formattedFrom(event, 0)
}

export function formattedFrom({ args }: CallEvent, index: number): AbstractValue {
  const format = args[index]?.value.known
  const values = args.slice(index + 1)
  if (typeof format !== 'string' || values.some(({ isSpread }) => isSpread))
    return { taints: args.slice(index).flatMap(({ value }) => allTaints(value)) }
  const parts: AbstractValue[] = []
  let last = 0
  let next = 0
  for (const match of format.matchAll(VERB)) {
    parts.push(constantValue(format.slice(last, match.index)))
    last = match.index + match[0].length
    if (match[1] === '%') parts.push(constantValue('%'))
    else parts.push(printed(match[1] ?? 'v', values[next++]?.value ?? UNTAINTED))
  }
  parts.push(constantValue(format.slice(last)))
  return concat(parts)
}

function printed(verb: string, value: AbstractValue): AbstractValue {
  if (value.known !== undefined && 'svd'.includes(verb)) return value
  return 'svqw'.includes(verb) ? { ...value, taints: allTaints(value) } : { taints: [], type: 'number' }
}

function replaced(event: CallEvent): AbstractValue {
  const [old, by] = [event.arg(1)?.value.known, event.arg(2)?.value.known]
  const source = event.arg(0)?.value ?? UNTAINTED
  const sinks: SinkKind[] = []
  if (old === '..' && by === '') sinks.push('path')
  if (old === "'" && by === "''") sinks.push('sql')
  if ((old === '\n' || old === '\r\n') && by !== undefined) sinks.push('header')
  if (old === '<') sinks.push('html')
  return sinks.length > 0 ? (sanitizes(...sinks)(event) ?? UNTAINTED) : { taints: allTaints(source) }
}

function joined({ args }: CallEvent): AbstractValue {
  const list = args[0]?.value ?? UNTAINTED
  const separator = args[1]?.value ?? UNTAINTED
  const { size, fields, others } = list
  if (size === undefined || !fields || others) return { taints: allTaints(itemsOf(list)) }
  const items = Array.from({ length: size }, (_, index) => fields.get(String(index)) ?? UNTAINTED)
  return concat(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])))
}

function appended({ args }: CallEvent): AbstractValue {
  const [list, ...more] = args
  let value: AbstractValue = list?.value ?? UNTAINTED
  if (value.known === null) value = { taints: [], fields: new Map(), size: 0 }
  for (const { value: item, isSpread } of more)
    value = withItem(value, isSpread ? itemsOf(item) : item, isSpread)
  return value
}

function withItem(list: AbstractValue, item: AbstractValue, isMany: boolean): AbstractValue {
  if (list.size === undefined || isMany) {
    const { size: _, ...rest } = list
    return {
      ...rest,
      others: rest.others ? { taints: [...allTaints(rest.others), ...allTaints(item)] } : item,
    }
  }
  return { ...list, fields: new Map(list.fields).set(String(list.size), item), size: list.size + 1 }
}

function regexOf({ arg }: CallEvent): AbstractValue {
  const source = arg(0)?.value ?? UNTAINTED
  return { taints: source.taints, type: '*regexp.Regexp', fields: new Map([['source', source]]) }
}

/** A replacement that keeps only safe characters. */
function stripped(event: CallEvent): AbstractValue {
  const source = event.receiver?.fields?.get('source')?.known
  const value: AbstractValue = { taints: taintsOf({ ...event, receiver: null }) }
  const isStrict = typeof source === 'string' && /^\[\^[\w\s-]+\][+*]?$/.test(source.replaceAll('\\w', 'a'))
  return isStrict ? UNTAINTED : value
}
