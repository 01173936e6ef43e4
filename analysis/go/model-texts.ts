// What the standard library does to texts.

import { CLEAN, type Cleaning, type Value } from '../abstract-value.ts'
import { cleans, constant, passes, taintsOf, text } from '../engine/model-helpers.ts'
import { allTaints, concat, itemsOf, known } from '../engine/values/values.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { firstOf, pair, paired, typedAs } from './values.ts'

const from = (holder: string, methods: string): string[] =>
  methods.split(' ').map((method) => `${holder}.${method}`)

export const textCalls: readonly CallModel[] = [
  { name: 'strings.ToLower', returns: text((value) => value?.toLowerCase()) },
  { name: 'strings.ToUpper', returns: text((value) => value?.toUpperCase()) },
  { name: 'strings.TrimSpace', returns: text((value) => value?.trim()) },
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
    returns: passes(0),
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
    returns: constant(),
  },
  { name: from('strconv', 'Atoi ParseInt ParseUint'), returns: (event) => pair(parsedNumber(event)) },
  {
    name: [
      ...from('strconv', 'ParseFloat ParseBool'),
      ...from('time', 'Parse ParseDuration ParseInLocation'),
      'github.com/google/uuid.Parse',
      'encoding/hex.DecodeString',
      'net.ParseCIDR',
      'net/mail.ParseAddress',
    ],
    returns: () => pair({ taints: [], type: 'number' }),
  },
  { name: 'fmt.Sprintf', returns: formatted },
  { name: ['fmt.Sprint', 'fmt.Sprintln'], returns: ({ args }) => concat(args.map(({ value }) => value)) },
  {
    name: [
      'html.EscapeString',
      ...from('html/template', 'HTMLEscapeString HTMLEscaper JSEscapeString URLQueryEscaper'),
    ],
    returns: cleans('html'),
  },
  { name: 'text/template.HTMLEscapeString', returns: cleans('html') },
  {
    name: ['*.Sanitize', '*.SanitizeBytes'],
    returns: (event) => (event.imports(/bluemonday/) ? cleans('html')(event) : undefined),
  },
  {
    name: ['net/url.QueryEscape', 'net/url.PathEscape'],
    returns: cleans('url', 'html', 'sql', 'shell', 'header', 'redirect', 'ldap', 'xpath', 'path'),
  },
  { name: ['net/url.QueryUnescape', 'net/url.PathUnescape'], returns: paired(passes(0)) },
  {
    name: ['net/url.Parse', 'net/url.ParseRequestURI'],
    returns: paired((event) => typedAs('*net/url.URL', passes(0)(event))),
  },
  { name: ['net/url.ParseQuery'], returns: paired((event) => typedAs('net/url.Values', passes(0)(event))) },
  {
    name: ['*.EncodeToString'],
    returns: (event) =>
      /base64|base32/.test(event.name) ? cleans('sql', 'html', 'shell', 'header')(event) : undefined,
  },
  { name: ['encoding/json.Marshal', 'encoding/json.MarshalIndent'], returns: paired(cleans('html')) },
  { name: ['*.Unmarshal', '*.NewDecoder', '*.UnmarshalStrict'], returns: passes(0) },
  { name: ['*.Decode'], returns: passes('receiver') },
  { name: ['io.ReadAll', 'io/ioutil.ReadAll'], returns: paired(passes(0)) },
  { name: ['io.LimitReader', 'io.TeeReader', 'io.NopCloser'], returns: passes(0) },
  { name: 'net/http.MaxBytesReader', returns: passes(1) },
  {
    name: ['*.DecodeString'],
    returns: (event) => (/base64|base32/.test(event.name) ? pair(passes(0)(event) ?? CLEAN) : undefined),
  },
  { name: 'append', returns: appended },
  { name: ['regexp.MustCompile'], returns: (event) => regexOf(event) },
  { name: ['regexp.Compile'], returns: (event) => pair(regexOf(event)) },
  { name: 'regexp.QuoteMeta', returns: cleans('regex') },
  { name: ['regexp.Regexp#ReplaceAllString', 'regexp.Regexp#ReplaceAllLiteralString'], returns: stripped },
  { name: ['regexp.Regexp#FindString', 'regexp.Regexp#FindStringSubmatch'], returns: passes(0) },
  {
    name: [
      'strings.Builder#WriteString',
      'bytes.Buffer#WriteString',
      'strings.Builder#Write',
      'bytes.Buffer#Write',
    ],
    returns: constant(),
    receiver: written,
  },
  {
    name: ['strings.Builder#String', 'bytes.Buffer#String', 'bytes.Buffer#Bytes'],
    returns: ({ receiver }) => receiver?.fields?.get(TEXT) ?? CLEAN,
  },
  { name: ['os.Getenv'], returns: () => CLEAN },
  {
    name: ['*.Must'],
    returns: (event) =>
      /template\.Must$/.test(event.name) ? firstOf(event.arg(0)?.value ?? CLEAN) : undefined,
  },
]

const TEXT = '(text)'

/** A builder holds what was written to it so far. */
function written({ receiver, arg }: CallEvent): Value | undefined {
  const added = arg(0)?.value
  if (!receiver || !added) return undefined
  const before = receiver.fields?.get(TEXT)
  return { ...receiver, fields: new Map([[TEXT, before ? concat([before, added]) : added]]) }
}

/** A number that may be wider than what it is put into, and whether somebody outside wrote it. */
function parsedNumber({ name, arg }: CallEvent): Value {
  const bits = name.endsWith('Atoi') ? 64 : (arg(2)?.value.known ?? 64)
  const isSent = arg(0)?.value.taints.some(({ origin }) => origin === 'request') ?? false
  if (bits !== 0 && bits !== 64) return { taints: [], type: 'number' }
  return { taints: [], type: 'number', name: isSent ? WIDE_FROM_REQUEST : WIDE }
}

export const WIDE = 'a wide number'
export const WIDE_FROM_REQUEST = 'a wide number that was sent'

/** `%d` and its like print numbers; `%v` and `%s` whatever they are given. */
const VERB = /%[-+# 0]*(?:\[\d+\])?(?:\d+|\*)?(?:\.(?:\d+|\*)?)?([a-zA-Z%])/g

export function formatted(event: CallEvent): Value {
  return formattedFrom(event, 0)
}

export function formattedFrom({ args }: CallEvent, index: number): Value {
  const format = args[index]?.value.known
  const values = args.slice(index + 1)
  if (typeof format !== 'string' || values.some(({ isSpread }) => isSpread))
    return { taints: args.slice(index).flatMap(({ value }) => allTaints(value)) }
  const parts: Value[] = []
  let last = 0
  let next = 0
  for (const match of format.matchAll(VERB)) {
    parts.push(known(format.slice(last, match.index)))
    last = match.index + match[0].length
    if (match[1] === '%') parts.push(known('%'))
    else parts.push(printed(match[1] ?? 'v', values[next++]?.value ?? CLEAN))
  }
  parts.push(known(format.slice(last)))
  return concat(parts)
}

function printed(verb: string, value: Value): Value {
  if (value.known !== undefined && 'svd'.includes(verb)) return value
  return 'svqw'.includes(verb) ? { ...value, taints: allTaints(value) } : { taints: [], type: 'number' }
}

function replaced(event: CallEvent): Value {
  const [old, by] = [event.arg(1)?.value.known, event.arg(2)?.value.known]
  const source = event.arg(0)?.value ?? CLEAN
  const tags: Cleaning[] = []
  if (old === '..' && by === '') tags.push('path')
  if (old === "'" && by === "''") tags.push('sql')
  if ((old === '\n' || old === '\r\n') && by !== undefined) tags.push('header')
  if (old === '<') tags.push('html')
  return tags.length > 0 ? (cleans(...tags)(event) ?? CLEAN) : { taints: allTaints(source) }
}

function joined({ args }: CallEvent): Value {
  const list = args[0]?.value ?? CLEAN
  const separator = args[1]?.value ?? CLEAN
  const { size, fields, others } = list
  if (size === undefined || !fields || others) return { taints: allTaints(itemsOf(list)) }
  const items = Array.from({ length: size }, (_, index) => fields.get(String(index)) ?? CLEAN)
  return concat(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])))
}

function appended({ args }: CallEvent): Value {
  const [list, ...more] = args
  let value: Value = list?.value ?? CLEAN
  if (value.known === null) value = { taints: [], fields: new Map(), size: 0 }
  for (const { value: item, isSpread } of more)
    value = withItem(value, isSpread ? itemsOf(item) : item, isSpread)
  return value
}

function withItem(list: Value, item: Value, isMany: boolean): Value {
  if (list.size === undefined || isMany) {
    const { size: _, ...rest } = list
    return {
      ...rest,
      others: rest.others ? { taints: [...allTaints(rest.others), ...allTaints(item)] } : item,
    }
  }
  return { ...list, fields: new Map(list.fields).set(String(list.size), item), size: list.size + 1 }
}

function regexOf({ arg }: CallEvent): Value {
  const source = arg(0)?.value ?? CLEAN
  return { taints: source.taints, type: '*regexp.Regexp', fields: new Map([['source', source]]) }
}

/** A replacement of everything that is not on a list of harmless signs. */
function stripped(event: CallEvent): Value {
  const source = event.receiver?.fields?.get('source')?.known
  const value: Value = { taints: taintsOf({ ...event, receiver: null }) }
  const isStrict = typeof source === 'string' && /^\[\^[\w\s-]+\][+*]?$/.test(source.replaceAll('\\w', 'a'))
  return isStrict ? CLEAN : value
}
