// Wrong values for every body field and every query parameter.
import type { JsonSchema } from '../../src/platform/http/openapi/example.ts'
import {
  type Attempt,
  compose,
  eachBody,
  eachQuery,
  eachRequestShape,
  eachRoute,
  type Kind,
  type Target,
} from './attempt.ts'

type Field = { path: readonly string[]; schema: JsonSchema; required: boolean }
type Literal = readonly [name: string, json: string, isWrong: (schema: JsonSchema) => boolean]

const DEPTH_MAX = 4
const LONG = 300_000

const typesOf = (schema: JsonSchema): string[] => {
  const choices = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]
  const types: unknown[] = [schema.type, ...choices.flatMap(typesOf)].flat()
  return types.filter((type) => typeof type === 'string')
}
/** Whether a schema has types and none of these. A schema without types accepts anything. */
const isNot =
  (...types: string[]) =>
  (schema: JsonSchema): boolean =>
    typesOf(schema).length > 0 && !typesOf(schema).some((type) => types.includes(type))
const isMoney = (schema: JsonSchema): boolean => schema.format === 'int64'
const isChoice = (schema: JsonSchema): boolean => Array.isArray(schema.enum) || schema.const !== undefined
/** The format `password` accepts any text. It only tells clients to hide it. */
const hasForm = ({ format }: JsonSchema): boolean => format !== undefined && format !== 'password'
const isShort = (schema: JsonSchema): boolean =>
  typesOf(schema).join() === 'string' &&
  (isChoice(schema) || schema.format !== undefined || Number(schema.maxLength) < LONG)

const LITERALS: readonly Literal[] = [
  ['a number', '12345.678', isNot('number')],
  ['an object', '{"a": {"b": 1}}', isNot('object')],
  ['an empty object', '{}', isNot('object')],
  ['a list', '[[1]]', isNot('array')],
  ['null', 'null', isNot('null')],
  ['true', 'true', isNot('boolean')],
  ['a string', '"nonsense"', (schema) => isNot('string')(schema) || isChoice(schema) || hasForm(schema)],
  [
    'an empty string',
    '""',
    (schema) => isNot('string')(schema) || isChoice(schema) || Number(schema.minLength) > 0,
  ],
  ['a very long string', `"${'x'.repeat(LONG)}"`, (schema) => isNot('string')(schema) || isShort(schema)],
  ['a string of combining marks', `"${'\u0301\u202e'.repeat(1_000)}"`, isNot('string')],
  ['a number too large for a double', '1e309', isNot('object', 'string', 'array', 'boolean', 'null')],
  ['a number that underflows to zero', '1e-400', isNot('number', 'integer')],
  ['a negative zero', '-0', isNot('number', 'integer')],
]

/** Amounts must be exact integers. */
const MONEY = [
  '1e3',
  '1E0',
  '1.0',
  '1.5',
  '0.0',
  '"5"',
  '"0"',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  '1e309',
  '9'.repeat(1_000),
  '[5]',
  '{}',
  'true',
]

export const FIELD_KINDS: readonly Kind[] = [
  ...LITERALS.map(
    ([name, json, isWrong]): Kind => ({
      name: `a field that is ${name}`,
      alike: eachRoute,
      attempts: (target) =>
        fieldsOf(target.body).map(({ path, schema }) => (): Attempt => {
          const body = withField(target, path, json)
          const bytes = compose(target, { body })
          if (Buffer.byteLength(body) > target.route.bodyLimitBytes) return { bytes, refused: [413] }
          return { bytes, ...(isWrong(schema) ? { refused: [400], field: path.join('.') } : {}) }
        }),
    }),
  ),
  {
    name: 'an amount that is not a 64-bit integer',
    alike: eachRoute,
    allAttempts: true,
    attempts: (target) =>
      fieldsOf(target.body)
        .filter(({ schema }) => isMoney(schema))
        .flatMap(({ path }) =>
          MONEY.map(
            (json): Attempt => ({
              bytes: compose(target, { body: withField(target, path, json) }),
              refused: [400],
              field: path.join('.'),
            }),
          ),
        ),
  },
  {
    name: 'a field that is missing',
    alike: eachRoute,
    attempts: (target) =>
      fieldsOf(target.body)
        .filter(({ required }) => required)
        .map(
          ({ path, schema }) =>
            (): Attempt => ({
              bytes: compose(target, { body: withField(target, path, undefined) }),
              ...(typesOf(schema).length > 0 ? { refused: [400], field: path.join('.') } : {}),
            }),
        ),
  },
  {
    name: 'unknown fields',
    alike: eachBody,
    attempts: (target) => [
      {
        bytes: compose(target, {
          body: '{"isAdmin": true, "role": "owner", "orgId": "org_x", "": 1, "a.b": 2, "0": 3, "💥": 4}',
        }),
      },
    ],
  },
  {
    name: 'a parameter that is given twice',
    alike: eachRoute,
    attempts: (target) =>
      eachParameter(target, ({ name, schema }) => [[`${name}=1&${name}=2`, isNot('array')(schema)]]),
  },
  {
    name: 'a parameter in list or object notation',
    alike: eachRoute,
    attempts: (target) =>
      eachParameter(target, ({ name }) => [
        [`${name}[]=1`, false],
        [`${name}[b]=1`, false],
        [`${name}[__proto__][polluted]=1`, false],
      ]),
  },
  {
    name: 'a parameter with an invalid value',
    alike: eachRoute,
    attempts: (target) =>
      eachParameter(target, ({ name, schema }) =>
        wrongValues(schema).map((value) => [`${name}=${encodeURIComponent(value)}`, true]),
      ),
  },
  {
    name: 'a forged cursor',
    alike: eachRoute,
    attempts: (target) =>
      target.query.some(({ name }) => name === 'cursor')
        ? CURSORS.map((cursor) => ({
            bytes: compose(target, { address: `${target.path}?cursor=${cursor}` }),
          }))
        : [],
  },
  {
    name: 'a malformed query',
    alike: eachQuery,
    attempts: (target) =>
      [
        '?',
        '??',
        '?&&=&',
        '?=',
        '?a',
        '?__proto__=1&constructor=2&__proto__[polluted]=1',
        `?${'a&'.repeat(3_500)}`,
        '?%ff=%zz&%',
        '?a=%ED%A0%80',
        '?\u00e9=\u00e9',
      ].map((query) => ({ bytes: compose(target, { address: target.path + query }) })),
  },
  {
    name: 'NUL in the query',
    alike: eachRequestShape,
    attempts: (target) =>
      ['?a=%00', '?to=a%00%40b.cd', '?%00=1'].map((query) => ({
        bytes: compose(target, { address: target.path + query }),
        refused: [400],
      })),
  },
]

/** All fields of a body, including those of nested objects and of the first list item. */
function fieldsOf(schema: JsonSchema | undefined, path: readonly string[] = []): Field[] {
  if (schema === undefined || path.length >= DEPTH_MAX) return []
  if (schema.type === 'array') return fieldsOf(schema.items as JsonSchema | undefined, [...path, '0'])
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(
    ([name, property]) => [
      { path: [...path, name], schema: property, required: required.includes(name) },
      ...fieldsOf(property, [...path, name]),
    ],
  )
}

/** The example body with one field replaced by JSON text, or removed. */
function withField({ example }: Target, path: readonly string[], json: string | undefined): string {
  const mark = '@the field@'
  const replace = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return json === undefined ? undefined : mark
    if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? replace(item, rest) : item))
    // A list that the example omits gets one item.
    if (value === undefined && key === '0') return [replace({}, rest)]
    return { ...(value as object), [key]: replace((value as Record<string, unknown> | null)?.[key], rest) }
  }
  return JSON.stringify(replace(example, path)).replace(`"${mark}"`, () => json ?? '')
}

function eachParameter(
  target: Target,
  queriesOf: (parameter: Target['query'][number]) => [query: string, isWrong: boolean][],
): Attempt[] {
  return target.query.flatMap((parameter) =>
    queriesOf(parameter).map(([query, isWrong]) => ({
      bytes: compose(target, { address: `${target.path}?${query}` }),
      ...(isWrong ? { refused: [400], field: `query.${parameter.name}` } : {}),
    })),
  )
}

function wrongValues(schema: JsonSchema): string[] {
  if (isChoice(schema)) return ['nonsense', '', 'ALL']
  if (schema.type === 'integer')
    return ['-1', '1e3', '0x10', '1.0', '9'.repeat(30), ' 1', '+1', 'NaN', '１', '1,2', '1n', '']
  if (schema.type === 'boolean') return ['yes', 'TRUE', '2', '']
  if (schema.format === 'date-time')
    return [
      'yesterday',
      '0000-01-01',
      '0001-01-01T00:00:00+14:00',
      '2026-13-01',
      '2026-01-01T99:99:99Z',
      '+275760-09-13',
      '9999-12-31T23:59:59-14:00',
      '1',
      '',
    ]
  if (schema.format === 'email')
    return ['no-at-sign', 'a@b', 'a b@c.de', '@', 'a@b@c.de', `${'a'.repeat(300)}@b.cd`, '']
  return [
    ...(Number(schema.maxLength) < 5_000 ? ['x'.repeat(5_000)] : []),
    ...(Number(schema.minLength) > 0 ? [''] : []),
  ]
}

const cursorOf = (...parts: string[]): string => Buffer.from(parts.join('\u001f')).toString('base64url')
const NUMBERS = [
  '1',
  '-1',
  '9'.repeat(40),
  '9223372036854775808',
  'x',
  '2026-01-01',
  '0000-01-01T00:00:00.000Z',
  '+010000-01-01T00:00:00.000Z',
  "' or 1=1 --",
  'aud_x',
  '',
]
const CURSORS = [
  'x',
  '%',
  '%ff',
  '....',
  'A'.repeat(200),
  cursorOf('\u0000'),
  cursorOf('💥'),
  ...NUMBERS.flatMap((number) => [
    cursorOf(number),
    cursorOf(number, number),
    cursorOf(number, '1', 'x'),
    cursorOf('2026-01-01T00:00:00.000Z', number, 'aud_x'),
    cursorOf('2026-01-01T00:00:00.000Z', number),
  ]),
]
