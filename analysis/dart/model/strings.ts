// Strings, paths, addresses and escaping.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsUntainted, sanitizes } from '../../engine/model-helpers.ts'
import { allTaints, concat, constantValue, itemsOf, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const onAny = (methods: string): string[] => words(methods).map((method) => `*.${method}`)

export const stringCalls: readonly CallModel[] = [
  {
    name: words(
      'int.parse int.tryParse double.parse double.tryParse num.parse num.tryParse bool.parse bool.tryParse DateTime.parse DateTime.tryParse BigInt.parse Decimal.parse Uuid.parse',
    ),
    returns: () => ({ taints: [], type: 'number' }),
  },
  {
    name: words(
      'jsonDecode json.decode utf8.decode base64.decode base64Decode base64Url.decode Uri.decodeComponent Uri.decodeFull Uri.decodeQueryComponent jsonEncode json.encode utf8.encode base64.encode base64Encode String.fromCharCodes',
    ),
    returns: propagates(0),
  },
  { name: ['Uri.parse', 'Uri.tryParse', 'Uri.file', 'Uri.directory'], returns: wrapped },
  { name: ['Uri.https', 'Uri.http'], returns: address },
  { name: 'Uri', returns: parts },
  {
    name: ['Uri.encodeComponent', 'Uri.encodeQueryComponent', 'Uri.encodeFull'],
    returns: sanitizes('url', 'redirect', 'html', 'path', 'sql', 'shell', 'code', 'header'),
  },
  {
    name: [
      'htmlEscape.convert',
      'HtmlEscape().convert',
      'HtmlEscape#convert',
      'convert.htmlEscape.convert',
      'HtmlUnescape#escape',
    ],
    returns: sanitizes('html'),
  },
  {
    name: ['escapeHtml', 'htmlEscape', 'sanitizeHtml', 'sanitize_html.sanitizeHtml'],
    returns: sanitizes('html'),
  },
  {
    name: ['path.basename', 'basename', 'path.basenameWithoutExtension', 'basenameWithoutExtension'],
    returns: sanitizes('path'),
  },
  { name: ['path.join', 'join', 'path.joinAll'], returns: joined },
  {
    name: [
      'path.normalize',
      'path.canonicalize',
      'path.absolute',
      'normalize',
      'canonicalize',
      'path.relative',
      'path.dirname',
    ],
    returns: propagates(0),
  },
  {
    name: onAny(
      'toString trim trimLeft trimRight toLowerCase toUpperCase toList toSet split elementAt substring padLeft padRight replaceFirst replaceRange characters first join lookup remove cast',
    ),
    returns: kept,
  },
  { name: ['*.replaceAll', '*.replaceAllMapped'], returns: replaced },
  {
    name: onAny(
      'length isEmpty isNotEmpty compareTo hashCode codeUnitAt indexOf lastIndexOf hasMatch contains containsKey startsWith endsWith',
    ),
    returns: returnsUntainted(),
  },
  {
    name: ['Directory.current', 'DateTime.now', 'Uuid#v4', 'Random.secure', 'Platform.environment'],
    returns: returnsUntainted(),
  },
  // Rows are stored data.
  {
    name: onAny(
      'rawQuery rawInsert rawUpdate rawDelete query execute select getSingle get watch executePrepared',
    ),
    returns: rows,
  },
  // Handles keep the path they were made from.
  { name: ['File', 'Directory', 'Link', 'File.fromUri'], returns: handle },
]

/** A call without taint in its receiver returns stored data. */
function rows({ receiver }: CallEvent): AbstractValue | undefined {
  return receiver && allTaints(receiver).length === 0 && !receiver.fields ? UNTAINTED : undefined
}

function kept({ receiver, method, args }: CallEvent): AbstractValue | undefined {
  if (!receiver || receiver.known !== undefined) return undefined
  if (/^(?:join|first|last)$/.test(method) && (receiver.fields || receiver.others)) return undefined
  if (receiver.pieces && args.length === 0) return receiver
  if (receiver.fields || receiver.others) return { taints: receiver.taints, others: itemsOf(receiver) }
  return { taints: allTaints(receiver), ...(receiver.name !== undefined && { name: receiver.name }) }
}

/** The text around an inserted value stays known. */
function wrapped({ arg, name }: CallEvent): AbstractValue {
  return { ...(arg(0)?.value ?? UNTAINTED), name: `${name}()` }
}

/** `Uri.https(host, path)` */
function address({ args }: CallEvent): AbstractValue {
  const [host, path] = args
  return concat([
    constantValue('https://'),
    host?.value ?? UNTAINTED,
    constantValue('/'),
    path?.value ?? UNTAINTED,
  ])
}

function parts({ option }: CallEvent): AbstractValue {
  return concat([
    constantValue('https://'),
    option('host') ?? UNTAINTED,
    constantValue('/'),
    option('path') ?? UNTAINTED,
  ])
}

function joined({ args }: CallEvent): AbstractValue {
  return concat(args.flatMap(({ value }, index) => (index === 0 ? [value] : [constantValue('/'), value])))
}

function handle({ arg, name }: CallEvent): AbstractValue {
  const { taints, pieces, known } = arg(0)?.value ?? UNTAINTED
  return {
    taints,
    type: name,
    ...(pieces && { pieces }),
    ...(known !== undefined && !pieces && { pieces: [String(known)] }),
  }
}

/** Replacements that keep only safe characters. */
function replaced(event: CallEvent): AbstractValue {
  const value: AbstractValue = { taints: allTaints(event.receiver ?? UNTAINTED) }
  const written = event.args[0] ? event.source(event.args[0].expr.at) : ''
  if (/RegExp\(r?['"]\[\^[\w\s\\-]+\]\+?['"]/.test(written)) return UNTAINTED
  if (/['"]\.\.['"]|['"]\/['"]|\\\.\\\./.test(written)) return sanitize(value, ['path'])
  if (/['"]<['"]/.test(written)) return sanitize(value, ['html'])
  return /['"]'['"]|["']"["']|"'"/.test(written) ? sanitize(value, ['sql']) : value
}
