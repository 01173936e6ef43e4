// Paths that resemble a route but do not match, and invalid path parameters.
import {
  type Attempt,
  compose,
  eachDescription,
  eachRequestShape,
  eachRoute,
  type Kind,
  type Target,
} from './attempt.ts'

const hasParameter = ({ route }: Target): boolean => route.path.includes('{')
const endsInParameter = ({ route }: Target): boolean => route.path.endsWith('}')
const filled = ({ route }: Target, value: string): string => route.path.replace(/\{\w+\}/g, value)

/** A path without a route. */
const nowhere = (target: Target, address: string): Attempt => ({
  bytes: compose(target, { address }),
  refused: [404],
  outsideRoute: true,
})
/**
 * A suffix. If the path ends in a parameter, the suffix becomes part of its value. Otherwise a similar route with a parameter
 * may match, with other methods.
 */
const ending = (target: Target, end: string): Attempt =>
  endsInParameter(target)
    ? { bytes: compose(target, { address: target.path + end }) }
    : { ...nowhere(target, target.path + end), refused: [404, 405] }

const VALUES: readonly [name: string, values: readonly string[]][] = [
  ['emoji', ['%F0%9F%92%A5', '%E2%80%AE', '\u{1f4a5}']],
  ['a path traversal', ['..%2f..%2fetc%2fpasswd', '%2e%2e%2f', '..%5c..%5c', '%252e%252e', '....//']],
  [
    'JavaScript names',
    ['__proto__', 'constructor', 'toString', 'undefined', 'null', 'NaN', '[object%20Object]', 'true'],
  ],
  ['SQL', ["'%20or%201=1--", '%22;drop%20table%20users;--', '1);select%20pg_sleep(9)--', '%25', '_', '*']],
  ['line breaks', ['%0d%0aset-cookie:%20a=b', '%0a', '%0d', '%e2%80%a8', '%09', '%7f']],
  ['numbers', ['0', '-1', '1e309', '9'.repeat(100), '0x10', '1.5']],
  ['templates', ['$%7B7*7%7D', '%7B%7B7*7%7D%7D', '%3Cscript%3E', '%25s%25n']],
]

export const PATH_KINDS: readonly Kind[] = [
  ...VALUES.map(
    ([name, values]): Kind => ({
      name: `a path parameter of ${name}`,
      alike: eachRoute,
      // Some of these match other routes.
      attempts: (target) =>
        hasParameter(target)
          ? values.map((value) => ({
              bytes: compose(target, { address: filled(target, value) }),
              outsideRoute: true,
            }))
          : [],
    }),
  ),
  {
    name: 'a path parameter of 5 000 characters',
    alike: eachRoute,
    attempts: (target) => (hasParameter(target) ? [nowhere(target, filled(target, 'x'.repeat(5_000)))] : []),
  },
  {
    name: 'an empty path parameter',
    alike: eachRoute,
    attempts: (target) => (hasParameter(target) ? [nowhere(target, filled(target, ''))] : []),
  },
  {
    name: 'NUL in the path',
    alike: eachRequestShape,
    attempts: (target) =>
      ['%00', '/%00', '%00/'].map((end) => ({
        bytes: compose(target, { address: target.path + end }),
        refused: [400],
      })),
  },
  {
    name: 'invalid escapes in the path',
    alike: eachRequestShape,
    attempts: (target) =>
      ['%ff', '%zz', '%', '%c0%ae', '%u0041'].map((end) => ({
        bytes: compose(target, { address: target.path + end }),
        refused: [400],
      })),
  },
  {
    name: 'a URL of 9 000 characters',
    alike: eachRequestShape,
    attempts: (target) =>
      [`${target.path}?${'a'.repeat(9_000)}`, `${target.path}/${'a/'.repeat(4_500)}`].map((address) => ({
        bytes: compose(target, { address }),
        refused: [414],
        outsideRoute: true,
      })),
  },
  {
    name: 'two slashes at the start',
    alike: eachRequestShape,
    attempts: (target) => [
      nowhere(target, `/${target.path}`),
      nowhere(target, `//evil.example${target.path}`),
    ],
  },
  {
    name: 'two slashes at the end',
    alike: eachRoute,
    attempts: (target) => [nowhere(target, `${target.path}//`)],
  },
  {
    name: 'a slash at the end',
    alike: eachRoute,
    attempts: (target) => [nowhere(target, `${target.path}/`)],
  },
  { name: 'a dot at the end', alike: eachRoute, attempts: (target) => [ending(target, '.')] },
  {
    name: 'a semicolon at the end',
    alike: eachRoute,
    attempts: (target) => [
      ending(target, ';'),
      nowhere(target, `${target.path};/`),
      ending(target, ';jsessionid=1'),
    ],
  },
  {
    name: 'a space or a tab at the end',
    alike: eachRoute,
    attempts: (target) => [ending(target, '%20'), ending(target, '%09')],
  },
  {
    name: 'a file extension',
    alike: eachRoute,
    attempts: (target) => [ending(target, '.json'), ending(target, '.css')],
  },
  {
    name: 'a path traversal',
    alike: eachDescription,
    attempts: (target) =>
      [
        `/%2e%2e${target.path}`,
        `/..${target.path}`,
        `/nothing/..${target.path}`,
        `${target.path}/%2e%2e/health`,
        `${target.path}/../health`,
        `/.${target.path}`,
        `/..;${target.path}`,
      ].map((address) => nowhere(target, address)),
  },
  {
    name: 'a backslash',
    alike: eachRequestShape,
    attempts: (target) => [
      { ...nowhere(target, `\\${target.path}`), refused: [400] },
      nowhere(target, `/%5c${target.path}`),
    ],
  },
  {
    name: 'another case',
    alike: eachRoute,
    attempts: (target) => {
      const upper = target.route.path.replace(/\{\w+\}|[a-z]/g, (found) =>
        found.length === 1 ? found.toUpperCase() : found,
      )
      return upper === target.route.path ? [] : [nowhere(target, upper.replace(/\{\w+\}/g, 'x'))]
    },
  },
  {
    name: 'escaped letters',
    alike: eachRoute,
    attempts: (target) => [
      {
        bytes: compose(target, {
          address: target.path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        }),
        outsideRoute: true,
      },
    ],
  },
  {
    name: 'a fragment',
    alike: eachRequestShape,
    attempts: (target) => [{ bytes: compose(target, { address: `${target.path}#top` }), outsideRoute: true }],
  },
  {
    name: 'a URL of another server',
    alike: eachRequestShape,
    attempts: (target) =>
      [`http://evil.example${target.path}`, 'http://', 'evil.example:443', '*'].map((address) => ({
        bytes: compose(target, { address }),
        outsideRoute: true,
      })),
  },
  {
    name: 'forbidden bytes in the URL',
    alike: eachRequestShape,
    attempts: (target) =>
      [`${target.path}\u0001`, `${target.path}\u0000`, `${target.path} x`].map((address) => ({
        bytes: compose(target, { address }),
        refused: [400],
        outsideRoute: true,
      })),
  },
]
