import { expect, test } from 'vitest'
import { toToolSchema } from './tool-schema.ts'

test('references are written out, and everything that a service may refuse is left out', () => {
  const schema = toToolSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      Point: { type: 'object', properties: { x: { type: 'number' }, next: { $ref: '#/$defs/Point' } } },
      'a/b': { type: 'string' },
    },
    type: 'object',
    anyOf: [{ required: ['a'] }],
    properties: {
      a: { $ref: '#/$defs/a~1b', description: 'A \u001b[31mpath\u202e' },
      point: { $ref: '#/$defs/Point' },
      far: { $ref: 'https://example.com/x' },
      gone: { $ref: '#/$defs/None' },
      'not a name': { type: 'string' },
      flag: true,
      date: { type: 'date' },
      many: { type: ['string', 'null', 'other'] },
      pair: { type: 'array', items: [{}, {}] },
      none: { enum: [] },
      one: { const: 'x' },
      choice: { oneOf: [{ type: 'string' }, { $ref: '#' }] },
    },
    required: ['a', 'not a name', 7],
    additionalProperties: false,
  }) as { properties: Record<string, object>; required: string[] }
  expect(schema).not.toHaveProperty('anyOf')
  expect(schema).not.toHaveProperty('additionalProperties')
  expect(schema.required).toEqual(['a'])
  const { point, choice, ...others } = schema.properties
  expect(others).toEqual({
    a: { type: 'string', description: 'A path\\u{202e}' },
    far: {},
    gone: {},
    flag: {},
    date: {},
    many: { type: ['string', 'null'] },
    pair: { type: 'array' },
    none: {},
    one: { enum: ['x'] },
  })
  expect(point).toMatchObject({
    properties: { x: { type: 'number' }, next: { properties: { x: { type: 'number' } } } },
  })
  expect(choice).toHaveProperty('anyOf')
  expect(JSON.stringify(schema)).not.toContain('$ref')
  expect(levelsOf(schema)).toBeLessThanOrEqual(10)
})

test('hostile schemas stay small', () => {
  const wide = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`p${i}`, { description: 'é'.repeat(9_999) }]),
    ),
  }
  const loop = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }
  const bomb = {
    $defs: { a: { anyOf: Array(50).fill({ $ref: '#/$defs/a' }) } },
    properties: { x: { $ref: '#/$defs/a' } },
  }
  for (const schema of [wide, loop, bomb, null, [], 'x', { type: 'string' }, { properties: [] }]) {
    const made = toToolSchema(schema)
    expect(made.type).toBe('object')
    expect(Buffer.byteLength(JSON.stringify(made))).toBeLessThan(16_000)
    expect(levelsOf(made)).toBeLessThanOrEqual(10)
  }
})

function levelsOf(schema: unknown): number {
  const {
    properties = {},
    anyOf = [],
    allOf = [],
    items = [],
  } = schema as { properties?: object; anyOf?: object[]; allOf?: object[]; items?: object }
  const parts = [...Object.values(properties), ...anyOf, ...allOf, ...[items].flat()]
  return 1 + Math.max(0, ...parts.map(levelsOf))
}
