// Schemas of the tools that a caller brings.
import { expect, test } from 'vitest'
import { findSchemaProblem, type JsonSchema, toPortableSchema } from './input-schema.ts'

const nested = (levels: number): JsonSchema =>
  levels === 1 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } }
const withProperty = (schema: unknown) => ({ type: 'object', properties: { a: schema } })

test.for<[string, JsonSchema, string]>([
  ['no type', { properties: {} }, 'type'],
  ['a list', { type: 'array', items: {} }, 'type'],
  ['a choice at the top', { type: 'object', oneOf: [{ type: 'object' }] }, 'oneOf'],
  ['a reference', withProperty({ $ref: '#/$defs/a' }), 'properties.a.$ref'],
  ['a reference in a choice', withProperty({ anyOf: [{ $ref: '#' }] }), 'properties.a.anyOf.0.$ref'],
  ['an unknown type', withProperty({ type: 'date' }), 'properties.a.type'],
  ['no types', withProperty({ type: [] }), 'properties.a.type'],
  ['a schema that is a flag', withProperty(true), 'properties.a'],
  ['a list of item schemas', withProperty({ type: 'array', items: [{}] }), 'properties.a.items'],
  ['no values', withProperty({ enum: [] }), 'properties.a.enum'],
  ['required as a flag', withProperty({ required: true }), 'properties.a.required'],
  ['properties as a list', { type: 'object', properties: [] }, 'properties'],
  ['a name with a space', { type: 'object', properties: { 'a b': {} } }, 'properties'],
  ['eleven levels', nested(11), `properties${'.a.properties'.repeat(9)}.a`],
])('%s is a problem with its place', ([, schema, path]) => {
  expect(findSchemaProblem(schema)?.path.join('.')).toBe(path)
})

test('ten levels and all common keywords are accepted', () => {
  expect(findSchemaProblem(nested(10))).toBeUndefined()
  expect(
    findSchemaProblem({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: { type: ['string', 'null'] },
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, 'x-own': [1] } },
      required: ['a'],
    }),
  ).toBeUndefined()
})

test('the model gets the part that every provider accepts', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { unused: {} },
    type: 'object',
    title: 'Arguments',
    required: ['path', 'gone', 'path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', format: 'uri', pattern: '(', description: 'A \u001b[31mpath', minLength: 1 },
      list: { type: 'array', uniqueItems: true },
      bare: { type: 'object' },
      kind: { const: 'all' },
      empty: { enum: ['', 'a'] },
      choice: {
        oneOf: [
          { type: 'string', examples: ['x'] },
          { type: 'integer', minimum: 0 },
        ],
      },
      both: {
        allOf: [
          { type: 'object', properties: { a: {} }, required: ['a'] },
          { properties: { b: { type: 'null' } } },
        ],
      },
    },
  }
  expect(findSchemaProblem(schema)).toBeUndefined()
  expect(toPortableSchema(schema)).toEqual({
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'A path', minLength: 1 },
      list: { type: 'array', items: {} },
      bare: { type: 'object', properties: {} },
      kind: { enum: ['all'] },
      empty: {},
      choice: { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] },
      both: { type: 'object', properties: { a: {}, b: { type: 'null' } }, required: ['a'] },
    },
  })
})
