// Headers that are too many, too long, repeated or invalid.
import {
  type Attempt,
  compose,
  eachDescription,
  eachHandler,
  eachRequestShape,
  eachRoute,
  type Header,
  type Kind,
  type Target,
} from './attempt.ts'

const named = (name: string, values: readonly string[]): Header[] => values.map((value) => [name, value])
const one = (target: Target, header: Header, refused?: readonly number[]): Attempt => ({
  bytes: compose(target, { headers: [header] }),
  refused,
})

/** The status without valid credentials. Undefined for routes that do not need any. */
function unknownCaller({ route: { access } }: Target): readonly number[] | undefined {
  if (access === 'none' || (typeof access === 'object' && ('rail' in access || 'machine' in access)))
    return undefined
  return [401]
}

const AUTHORIZATIONS = [
  '',
  'nonsense',
  'Bearer',
  'Bearer ',
  'Bearer  two',
  'Bearer a b',
  'Basic dXNlcjpwYXNz',
  'Bearer null',
  'Bearer usr_00000000000000000000000000',
  `Bearer usr_${'\u00e9'.repeat(26)}`,
  `Bearer ${'x'.repeat(8_000)}`,
  'Digest username="x"',
  'Bearer csk_00000000_00000000000000000000000000000000000000',
  "Bearer ' or 1=1 --",
  'bearer\tx',
]
const COOKIES = [
  '',
  '=',
  ';;;',
  'service_session',
  'service_session=',
  'service_session=%00',
  'service_session="',
  `service_session=${'A'.repeat(8_000)}`,
  'service_session=a; service_session=b',
  'service_session=v1.AAAA.AAAA.AAAA',
  `service_session=${'\u00e9'.repeat(40)}`,
  '__proto__=1; service_session=x',
  `${'a=b; '.repeat(1_000)}`,
]
const KEYS = ['k'.repeat(256), '\u{1f4a5}', '', 'a b', 'a\tb', '\u00e9']
const REQUEST_IDS = [
  '',
  'x',
  'a'.repeat(129),
  'a'.repeat(8_000),
  '%0d%0aset-cookie:%20a=b',
  'eight\u00e9eight',
  '"><script>',
  'one two three',
  '{"a":1}',
  '../../../etc/passwd',
]

/** Most of these are ignored. */
const ODD: readonly [name: string, headers: readonly Header[], alike?: Kind['alike']][] = [
  [
    'a method override header',
    [
      ...named('x-http-method-override', ['DELETE', 'PUT']),
      ['x-method-override', 'GET'],
      ['x-http-method', 'TRACE'],
    ],
  ],
  [
    'a URL override header',
    [
      ['x-original-url', '/admin/settings'],
      ['x-rewrite-url', '/metrics'],
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-proto', 'javascript'],
      ['x-forwarded-prefix', '/..'],
    ],
  ],
  [
    'an invalid forwarded address',
    [
      ...named('x-forwarded-for', ['nonsense', `${'1.2.3.4,'.repeat(1_500)}`, '::ffff:0:0%eth0', '-1', '']),
      ['forwarded', 'for="_x";proto=y'],
    ],
    eachDescription,
  ],
  [
    'an invalid Accept',
    named('accept', [
      'nonsense',
      'text/csv;q=x',
      '*/*;q=-1',
      ','.repeat(4_000),
      'application/sarif+json',
      '',
    ]),
    eachHandler,
  ],
  ['an unknown Accept-Encoding', named('accept-encoding', ['zzz', 'br;q=9', ','.repeat(4_000)])],
  ['a range', named('range', ['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'nonsense'])],
  [
    'conditions',
    [
      ['if-match', '"x"'],
      ['if-none-match', '*'],
      ['if-modified-since', 'yesterday'],
      ['if-unmodified-since', 'x'],
    ],
  ],
  [
    'a protocol upgrade',
    [
      ['upgrade', 'websocket'],
      ['upgrade', 'h2c'],
      ['http2-settings', 'AAAA'],
    ],
  ],
  [
    'a user agent with unusual bytes',
    named('user-agent', ['\u00ff'.repeat(300), '\u{1f4a5}', 'x'.repeat(8_000), '() { :;}; echo', '\u202e']),
    eachDescription,
  ],
  [
    'invalid trace headers',
    [
      ...named('traceparent', [
        'nonsense',
        '00-0-0-0',
        `00-${'f'.repeat(32)}-${'f'.repeat(16)}-zz`,
        'x'.repeat(8_000),
      ]),
      ['tracestate', '=,=,='],
      ['baggage', ';'],
    ],
  ],
  [
    'headers named like methods',
    [
      ['__proto__', '1'],
      ['constructor', '1'],
      ['toString', '1'],
      ['hasOwnProperty', '1'],
    ],
  ],
]

export const HEADER_KINDS: readonly Kind[] = [
  ...ODD.map(
    ([name, headers, alike = eachRequestShape]): Kind => ({
      name,
      alike,
      attempts: (target) => headers.map((header) => one(target, header)),
    }),
  ),
  {
    name: 'an invalid authorization',
    everyRoute: true,
    alike: eachDescription,
    attempts: (target) =>
      AUTHORIZATIONS.map((value) => one(target, ['authorization', value], unknownCaller(target))),
  },
  {
    name: 'two authorizations',
    alike: eachDescription,
    attempts: (target) => [
      {
        bytes: compose(target, { headers: named('authorization', ['nonsense', 'nonsense']) }),
        refused: [400],
        outsideRoute: true,
      },
    ],
  },
  {
    name: 'an invalid cookie',
    everyRoute: true,
    alike: eachDescription,
    attempts: (target) =>
      COOKIES.map((cookie) => ({
        bytes: compose(target, { without: ['authorization'], headers: [['cookie', cookie]] }),
        refused: unknownCaller(target),
      })),
  },
  {
    name: 'an invalid idempotency key',
    everyRoute: true,
    alike: (target) => (target.route.idempotency === 'none' ? eachDescription(target) : eachRoute(target)),
    // Where keys are used, the body is valid, so that only the key is refused.
    attempts: (target) => {
      const counts = target.route.idempotency !== 'none'
      const body = counts ? { body: JSON.stringify(target.example) } : {}
      const header: readonly Header[][] = [
        ...KEYS.map((key): Header[] => [['idempotency-key', key]]),
        [
          ['idempotency-key', 'a'],
          ['idempotency-key', 'b'],
        ],
      ]
      return header.map((headers) => ({
        bytes: compose(target, { headers, ...body }),
        refused: counts ? [400] : undefined,
      }))
    },
  },
  {
    name: 'an invalid request id',
    alike: eachRequestShape,
    attempts: (target) => REQUEST_IDS.map((value) => one(target, ['x-request-id', value])),
  },
  {
    name: 'headers of more than 16 KiB',
    alike: eachRequestShape,
    attempts: (target) => [
      { ...one(target, ['x-long', 'x'.repeat(17_000)], [431]), outsideRoute: true },
      {
        bytes: compose(target, {
          headers: Array.from({ length: 500 }, (_, i): Header => [`x-header-${i}`, 'x'.repeat(30)]),
        }),
        refused: [431],
        outsideRoute: true,
      },
    ],
  },
  {
    name: '500 headers',
    alike: eachRequestShape,
    attempts: (target) => [
      {
        bytes: compose(target, { headers: Array.from({ length: 500 }, (_, i): Header => [`x-${i}`, 'x']) }),
        refused: [431],
        outsideRoute: true,
      },
    ],
  },
  {
    name: 'an unknown host',
    alike: eachRequestShape,
    attempts: (target) =>
      named('host', ['evil.example', 'a:b:c', '', 'x'.repeat(5_000)]).map((header) => ({
        ...one(target, header, [421]),
        outsideRoute: true,
      })),
  },
  {
    name: 'two hosts',
    alike: eachRequestShape,
    attempts: (target) => [
      {
        bytes: compose(target, { headers: named('host', ['cowrie.test', 'cowrie.test']) }),
        refused: [400],
        outsideRoute: true,
      },
    ],
  },
  {
    name: '3 000 headers',
    alike: eachRequestShape,
    attempts: (target) => [
      {
        bytes: compose(target, { headers: Array.from({ length: 3_000 }, (): Header => ['a', '']) }),
        refused: [431],
        outsideRoute: true,
      },
    ],
  },
  {
    name: 'a header with forbidden bytes',
    alike: eachRequestShape,
    attempts: (target) =>
      (
        [
          ['x-bad\u0001', 'a'],
          ['x-bad', 'a\u0000b'],
          ['x bad', 'a'],
          ['x-bad ', 'a'],
          ['', 'a'],
          ['x-bad', 'a\rb'],
          ['x-b\u00e9d', 'a'],
          ['x-bad(', 'a'],
        ] as const
      ).map((header) => ({ ...one(target, header, [400]), outsideRoute: true })),
  },
  {
    name: 'no host',
    alike: eachRequestShape,
    attempts: (target) => [
      { bytes: compose(target, { without: ['host'] }), refused: [400], outsideRoute: true },
    ],
  },
  {
    name: 'an unknown expectation',
    alike: eachRequestShape,
    attempts: (target) => [one(target, ['expect', 'nonsense'])],
  },
  {
    name: 'a 100-continue expectation',
    alike: eachRequestShape,
    attempts: (target) => [one(target, ['expect', '100-continue'])],
  },
]
