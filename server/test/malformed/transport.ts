// Errors below HTTP semantics: contradicting lengths, wrong line ends, bytes that are not a request.
import {
  type Attempt,
  bodyType,
  compose,
  eachDescription,
  eachRequestShape,
  type Header,
  type Kind,
  type RequestChange,
  type Target,
} from './attempt.ts'

const unreadable = (bytes: Buffer): Attempt => ({ bytes, refused: [400], outsideRoute: true })
const change = (target: Target, how: RequestChange): Attempt => unreadable(compose(target, how))

/** A request whose body is framed by these headers. */
const framed = (target: Target, headers: readonly Header[], body: string): Buffer =>
  Buffer.concat([
    compose(target, {
      body: '',
      without: ['content-length'],
      headers: [['content-type', bodyType(target.route)], ...headers],
    }),
    Buffer.from(body),
  ])
const chunkedAs = (target: Target, body: string): Buffer =>
  framed(target, [['transfer-encoding', 'chunked']], body)
/** The lines of a request head, to be joined incorrectly. */
const linesOf = (target: Target): string[] =>
  compose({ ...target, route: { ...target.route, body: undefined } })
    .toString('latin1')
    .split('\r\n')

const SMUGGLED = 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n'
const LENGTHS = ['-1', '+5', '5, 5', '0x5', '1e1', '5 5', '99999999999999999999', '5.0', '']
const CHUNKS = [
  'zz\r\n[]\r\n0\r\n\r\n',
  '-2\r\n[]\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFFF\r\n[]',
  '2\r\n[]XX0\r\n\r\n',
  '\r\n',
  '2;\u0000=1\r\n[]\r\n0\r\n\r\n',
  `2;${'x'.repeat(20_000)}\r\n[]\r\n0\r\n\r\n`,
]
const NOT_HTTP = [
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
  '\u0000'.repeat(100),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '{"jsonrpc": "2.0"}\r\n\r\n',
  'EHLO cowrie.test\r\n',
  '\u{1f4a5}\r\n\r\n',
  'x'.repeat(20_000),
]

export const TRANSPORT_KINDS: readonly Kind[] = [
  {
    name: 'a length and chunks at once',
    alike: eachRequestShape,
    attempts: (target) => [
      unreadable(
        framed(
          target,
          [
            ['content-length', '5'],
            ['transfer-encoding', 'chunked'],
          ],
          `0\r\n\r\n${SMUGGLED}`,
        ),
      ),
      unreadable(
        framed(
          target,
          [
            ['transfer-encoding', 'chunked'],
            ['content-length', '5'],
          ],
          `0\r\n\r\n${SMUGGLED}`,
        ),
      ),
    ],
  },
  {
    name: 'two lengths',
    alike: eachRequestShape,
    attempts: (target) =>
      [
        ['2', '40'],
        ['2', '2'],
        ['0', '2'],
      ].map(([a = '', b = '']) =>
        unreadable(
          framed(
            target,
            [
              ['content-length', a],
              ['content-length', b],
            ],
            `[]${SMUGGLED}`,
          ),
        ),
      ),
  },
  {
    name: 'an invalid content length',
    alike: eachRequestShape,
    attempts: (target) =>
      LENGTHS.map((length) => unreadable(framed(target, [['content-length', length]], '[]   '))),
  },
  {
    name: 'an invalid transfer encoding',
    alike: eachRequestShape,
    attempts: (target) =>
      ['xchunked', 'chunked, identity', 'chunked, chunked', 'gzip, chunked', '\u000bchunked', 'identity'].map(
        (encoding): Attempt => ({
          bytes: framed(target, [['transfer-encoding', encoding]], '0\r\n\r\n'),
          outsideRoute: true,
          halfClose: true,
          mayCloseSilently: true,
        }),
      ),
  },
  {
    name: 'invalid chunks',
    alike: eachRequestShape,
    attempts: (target) =>
      CHUNKS.map(
        (chunks): Attempt => ({
          bytes: chunkedAs(target, chunks),
          outsideRoute: true,
          ...(target.route.method === 'GET' ? {} : { refused: [400, 413] }),
        }),
      ),
  },
  {
    name: 'a space before a colon',
    alike: eachRequestShape,
    attempts: (target) => [
      change(target, { headers: [['content-length ', '0']] }),
      change(target, { headers: [['transfer-encoding ', 'chunked']] }),
    ],
  },
  {
    name: 'a folded header',
    alike: eachRequestShape,
    attempts: (target) => [change(target, { headers: [['x-folded', 'a\r\n b']] })],
  },
  {
    name: 'a header without a colon',
    alike: eachRequestShape,
    attempts: (target) => [
      unreadable(Buffer.from([...linesOf(target).slice(0, -2), 'nonsense', '', ''].join('\r\n'))),
    ],
  },
  {
    name: 'lines that end in a line feed alone',
    alike: eachRequestShape,
    attempts: (target) => [unreadable(Buffer.from(linesOf(target).join('\n')))],
  },
  {
    name: 'lines that end in a carriage return alone',
    alike: eachRequestShape,
    attempts: (target) => [unreadable(Buffer.from(`${linesOf(target).join('\r')}\n\n`))],
  },
  {
    name: 'an HTTP/0.9 request',
    alike: eachRequestShape,
    attempts: (target) => [unreadable(Buffer.from(`GET ${target.path}\r\n\r\n`))],
  },
  {
    name: 'a version that does not exist',
    alike: eachRequestShape,
    attempts: (target) =>
      ['HTTP/9.9', 'HTTP/1', 'http/1.1', 'HTTQ/1.1', ''].map((version) => change(target, { version })),
  },
  {
    name: 'an unsupported version',
    alike: eachDescription,
    attempts: (target) => [
      { bytes: compose(target, { version: 'HTTP/1.0', without: ['host'] }) },
      { bytes: compose(target, { version: 'HTTP/2.0' }) },
    ],
  },
  {
    name: 'a method that does not exist',
    alike: eachRequestShape,
    attempts: (target) =>
      ['FOO', 'get', 'GET\u0000', 'G'.repeat(5_000), ''].map((method) => change(target, { method })),
  },
  {
    name: 'an unsupported method',
    alike: eachDescription,
    attempts: (target) =>
      ['TRACE', 'OPTIONS', 'PROPFIND', 'PURGE', 'LINK'].map(
        (method): Attempt => ({ bytes: compose(target, { method }), refused: [405], outsideRoute: true }),
      ),
  },
  {
    name: 'a CONNECT request',
    alike: eachRequestShape,
    attempts: (target) => [
      {
        bytes: compose(target, { method: 'CONNECT', address: 'evil.example:443' }),
        outsideRoute: true,
        mayCloseSilently: true,
      },
    ],
  },
  {
    name: 'bytes that are not a request',
    alike: eachRequestShape,
    attempts: () =>
      NOT_HTTP.map(
        (text): Attempt => ({
          bytes: Buffer.from(text),
          refused: [400, 431],
          outsideRoute: true,
          halfClose: true,
        }),
      ),
  },
  {
    name: 'truncated headers',
    alike: eachRequestShape,
    attempts: (target) => [
      { bytes: compose(target).subarray(0, 40), halfClose: true, outsideRoute: true, mayCloseSilently: true },
    ],
  },
  {
    name: 'a truncated body',
    alike: eachDescription,
    attempts: (target) => [
      {
        bytes: framed(target, [['content-length', '1000']], '{"amountMinor":'),
        halfClose: true,
        outsideRoute: true,
        mayCloseSilently: true,
      },
    ],
  },
  {
    name: 'truncated chunks',
    alike: eachDescription,
    attempts: (target) => [
      {
        bytes: chunkedAs(target, 'fff\r\n{"amountMinor":'),
        halfClose: true,
        outsideRoute: true,
        mayCloseSilently: true,
      },
    ],
  },
  {
    name: 'a body longer than its content length',
    alike: eachDescription,
    attempts: (target) => [
      { bytes: framed(target, [['content-length', '2']], '[]{"more": true}'), outsideRoute: true },
    ],
  },
]
