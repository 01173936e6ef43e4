// Bodies that are not JSON, have the wrong JSON type, or the wrong content type.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { canDecode } from '../../src/platform/http/request/decode-body.ts'
import { takesEncodedBody } from '../../src/platform/http/route.ts'
import {
  type Attempt,
  bodyType,
  compose,
  eachBody,
  eachBodyLimit,
  eachDescription,
  eachRoute,
  type Kind,
  type Target,
} from './attempt.ts'

type Body = string | Buffer
/** The expected error of a route that reads the body. `either` may also be accepted. */
type BodyOutcome = 'malformed_json' | 'invalid_fields' | 'either'

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
const manyKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"${i.toString(36)}":1`).join()}}`
/** Only the soak sends the full size to the few routes with larger limits. */
const FILLED_BYTES_MAX = isSoak ? Number.POSITIVE_INFINITY : 1_048_576
/** A body of the maximum size for the route. */
function fill({ route }: Target, before: string, filling: string, after: string): string {
  const room = Math.min(route.bodyLimitBytes, FILLED_BYTES_MAX) - before.length - after.length
  return before + filling.repeat(Math.floor(room / filling.length)) + after
}

const BODIES: readonly [name: string, body: Body | ((target: Target) => Body), outcome?: BodyOutcome][] = [
  ['truncated JSON', '{"amountMinor": 1'],
  ['a trailing comma', '{"amountMinor": 1,}'],
  ['single quotes', "{'amountMinor': 1}"],
  ['NaN', '{"amountMinor": NaN}'],
  ['Infinity', '{"amountMinor": -Infinity}'],
  ['undefined', 'undefined'],
  ['a hexadecimal number', '{"amountMinor": 0x10}'],
  ['a number with a leading zero', '{"amountMinor": 007}'],
  ['a lone brace', '{'],
  ['a closing brace too many', '{}}'],
  ['two documents', '{}{}'],
  ['a comment', '{"amountMinor": 1 /* one */}'],
  ['spaces alone', '   \n\t '],
  ['no body where one is announced as JSON', '', 'either'],
  ['a byte order mark and nonsense', '\ufeffnonsense'],
  ['a byte order mark and a list', '\ufeff[]', 'invalid_fields'],
  ['a list', '[1, 2]', 'invalid_fields'],
  ['a list of objects', '[{}]', 'invalid_fields'],
  ['a string', '"text"', 'invalid_fields'],
  ['a number', '5', 'invalid_fields'],
  ['null', 'null', 'invalid_fields'],
  ['true', 'true', 'invalid_fields'],
  ['65 levels', deep(65)],
  ['100 000 levels', deep(100_000)],
  ['100 000 objects in each other', '{"a":'.repeat(100_000)],
  ['100 000 keys', manyKeys(100_000), 'either'],
  ['a number with digits up to the limit', (target) => fill(target, '{"amountMinor":', '9', '}'), 'either'],
  ['commas up to the limit', (target) => fill(target, '[1', ',', '1]')],
  ['numbers up to the limit', (target) => fill(target, '[1', ',1', ']'), 'either'],
  ['spaces up to the limit', (target) => fill(target, '[', ' ', ']'), 'invalid_fields'],
  ['backslashes up to the limit', (target) => fill(target, '{"x":"', '\\\\', '"}'), 'either'],
  ['a quote that is not closed, up to the limit', (target) => fill(target, '{"x":"', '[', '')],
  ['the same key twice', '{"amountMinor": 1, "amountMinor": "x", "email": "a@b.cd", "email": 1}'],
  ['a key named __proto__', '{"__proto__": {"polluted": true}}'],
  ['a nested __proto__', '{"value": [{"a": {"__proto__": {"polluted": true}}}]}'],
  ['an escaped __proto__', '{"\\u005f\\u005fproto\\u005f\\u005f": {"polluted": true}}'],
  ['constructor.prototype', '{"constructor": {"prototype": {"polluted": true}}}'],
  [
    'keys named like methods',
    '{"toString": 1, "hasOwnProperty": 1, "valueOf": {}, "then": {}, "toJSON": {}}',
    'either',
  ],
  ['NUL in a value', '{"note": "a\\u0000b"}'],
  ['NUL in a key', '{"no\\u0000te": "a"}'],
  ['a NUL byte', '{"note": "a\u0000b"}'],
  ['a line break in a string', '{"note": "a\nb"}'],
  ['half of a surrogate pair', '{"note": "\\ud800"}'],
  ['surrogates the wrong way round', '{"note": "\\udc00\\ud800"}'],
  ['an escape that does not exist', '{"note": "\\x41"}'],
  ['bytes that are not UTF-8', bytes('{"note": "', [0xff, 0xfe, 0xc0, 0x80], '"}')],
  ['UTF-8 that is cut off', bytes('{"note": "', [0xe2, 0x82], '"}')],
  ['surrogates in UTF-8', bytes('{"note": "', [0xed, 0xa0, 0x80], '"}')],
  ['UTF-16', Buffer.from('\ufeff{"amountMinor": 1}', 'utf16le')],
  ['compressed bytes', bytes([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03])],
  ['a form', 'amountMinor=1&email=a%40b.cd'],
  ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
]

/** Valid JSON with text that no database column can store. */
const TEXT_ONLY = new Set(['NUL in a value', 'half of a surrogate pair', 'surrogates the wrong way round'])

const isLarge = (body: (typeof BODIES)[number][1]): boolean =>
  typeof body === 'function' || body.length > 10_000

/** Only routes with a body refuse it. A body over the limit is not read. */
const bodyKind = ([name, body, outcome = 'malformed_json']: (typeof BODIES)[number]): Kind => ({
  name: `a body of ${name}`,
  // The body reader handles large bodies and refuses invalid JSON before the schema.
  alike: isLarge(body) ? eachBodyLimit : outcome === 'malformed_json' ? eachDescription : eachBody,
  attempts: (target) => {
    const sent = typeof body === 'function' ? body(target) : body
    const bytes = compose(target, { body: sent })
    if (!target.route.body) return [{ bytes }]
    if (Buffer.byteLength(sent) > target.route.bodyLimitBytes) return [{ bytes, refused: [413] }]
    // A route that accepts any text refuses such text per field, after the schema.
    const code =
      outcome === 'malformed_json' && TEXT_ONLY.has(name) && target.route.takesAnyText
        ? 'invalid_fields'
        : outcome
    return [code === 'either' ? { bytes } : { bytes, refused: [400], code }]
  },
})

const TYPES = [
  'text/plain',
  'text/plain; x=application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-7',
  'application/json; charset=utf-16',
  'application/jsonp',
  'text/json',
  'application/json, text/plain',
  'nonsense',
  '/',
  '',
]

/** Small enough to send to every route in `npm test`. */
const isSmall = ({ route }: Target): boolean => route.bodyLimitBytes <= 65_536
const isRead = ({ route }: Target): boolean => route.method !== 'GET'
const tooLarge = (target: Target): readonly number[] | undefined => (isRead(target) ? [413] : undefined)
const chunked = (size: number): Buffer => bytes(`${size.toString(16)}\r\n`, ' '.repeat(size), '\r\n0\r\n\r\n')

export const BODY_KINDS: readonly Kind[] = [
  ...BODIES.map(bodyKind),
  {
    name: 'a body with another content type',
    alike: eachDescription,
    attempts: (target) =>
      TYPES.map((type) => ({
        bytes: compose(target, { body: '{}', headers: [['content-type', type]] }),
        refused: target.route.body && [415],
      })),
  },
  {
    name: 'a body without a content type',
    alike: eachRoute,
    attempts: (target) => [
      {
        bytes: compose(target, { body: '{}', without: ['content-type'] }),
        refused: target.route.body && [415],
      },
    ],
  },
  {
    name: 'a body with a content encoding',
    alike: eachDescription,
    attempts: (target) =>
      ['gzip', 'zstd', 'br', 'deflate', 'identity, gzip', 'nonsense'].map(
        (encoding): Attempt => ({
          bytes: compose(target, { body: '{}', headers: [['content-encoding', encoding]] }),
          // The body does not match its content encoding.
          refused: target.route.body && [takesEncodedBody(target.route) && canDecode(encoding) ? 400 : 415],
        }),
      ),
  },
  {
    name: 'a body one byte over the limit',
    alike: (target) => (isSoak || isSmall(target) ? eachRoute(target) : eachBodyLimit(target)),
    attempts: (target) => [
      {
        bytes: compose(target, { body: ' '.repeat(target.route.bodyLimitBytes + 1) }),
        refused: tooLarge(target),
      },
    ],
  },
  {
    name: 'a body over the limit without a length',
    alike: (target) => (isSmall(target) ? eachDescription(target) : eachBodyLimit(target)),
    attempts: (target) => [
      {
        bytes: Buffer.concat([
          compose(target, {
            body: '',
            without: ['content-length'],
            headers: [
              ['content-type', bodyType(target.route)],
              ['transfer-encoding', 'chunked'],
            ],
          }),
          chunked(target.route.bodyLimitBytes + 1),
        ]),
        refused: tooLarge(target),
      },
    ],
  },
]
