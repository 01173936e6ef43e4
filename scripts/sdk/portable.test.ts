// How shapes become types for languages without inline types and unions.
import { expect, test } from 'vitest'
import type { JsonObject } from './document.ts'
import { describePortable } from './portable.ts'

/** The types of a document with one operation that replies with this schema. */
function typesOf(schema: JsonObject, schemas: JsonObject = {}, path = '/things') {
  const operation = {
    operationId: 'things.get',
    summary: 'Show.',
    security: [{ apiKey: [] }],
    responses: { 200: { content: { 'application/json': { schema } } } },
  }
  return describePortable({ paths: { [path]: { get: operation } }, components: { schemas } })
}
const text = { type: 'string' }
const object = (properties: JsonObject, required: string[] = []) => ({ type: 'object', properties, required })

test('inner objects get the name of their place, and lists that of one item', () => {
  const { types } = typesOf(
    object({ taxes: { type: 'array', items: object({ rate: text }) }, seat: object({ n: text }) }),
  )
  expect(types.map(({ name }) => name)).toEqual(['ThingsGetReply', 'ThingsGetReplySeat', 'ThingsGetReplyTax'])
})

test('a union of objects becomes one object, and a field is required only where all have it', () => {
  const variants = [
    object({ kind: { const: 'a' }, id: text, at: text }, ['kind', 'id']),
    object({ kind: { const: 'b' }, id: { type: ['integer', 'null'] } }, ['kind', 'id']),
  ]
  const [type] = typesOf({ anyOf: variants }).types
  expect(
    type?.fields.map(({ name, type: { kind }, isRequired, isNullable }) => [
      name,
      kind,
      isRequired,
      isNullable,
    ]),
  ).toEqual([
    ['kind', 'string', true, false],
    ['id', 'any', true, true],
    ['at', 'string', false, false],
  ])
  expect(type?.fields[0]?.type).toEqual({ kind: 'string', values: ['a', 'b'] })
})

test('a named schema keeps its name, also where it may be null or contains itself', () => {
  const node = object({ next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] } })
  const { types } = typesOf({ $ref: '#/components/schemas/Node' }, { Node: node })
  expect(types).toEqual([
    {
      name: 'Node',
      description: '',
      fields: [
        {
          name: 'next',
          type: { kind: 'named', name: 'Node' },
          isRequired: false,
          isNullable: true,
          description: '',
        },
      ],
    },
  ])
})

test('operations of other vendors and of sessions are left out', () => {
  expect(typesOf(text, {}, '/v1/models').operations).toEqual([])
  expect(
    describePortable({ paths: { '/me': { get: { operationId: 'me.get', security: [{ session: [] }] } } } })
      .operations,
  ).toEqual([])
})
