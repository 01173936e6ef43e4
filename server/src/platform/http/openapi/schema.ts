// Zod shapes as JSON Schema.
import { z } from 'zod'
import { wireOf } from '../shapes.ts'
import type { JsonSchema } from './example.ts'

export type Schemas = Record<string, JsonSchema>

/** A shape as JSON Schema. Named shapes become components. */
export function toSchema(shape: z.ZodType, io: 'input' | 'output', schemas: Schemas): JsonSchema {
  const printed = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shape = zodSchema as unknown as z.ZodType
      // Zod drops the examples of input shapes with transformed fields.
      const { examples } = shape.meta() ?? {}
      if (Array.isArray(examples)) jsonSchema.examples = examples
      if (io === 'output') dropWidestBounds(jsonSchema as JsonSchema)
      const wire = wireOf(shape)
      if (!wire) return
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as JsonSchema)[key]
      Object.assign(jsonSchema, wire)
    },
  }) as JsonSchema
  const { $schema: _, $defs, ...schema } = printed
  for (const [name, definition] of Object.entries(($defs ?? {}) as Schemas)) schemas[name] = clean(definition)
  if (typeof schema.id === 'string') {
    const { id, ...named } = schema
    schemas[id as string] = clean(named)
    return { $ref: `#/components/schemas/${id}` }
  }
  return clean(schema)
}

/** Zod adds the bounds of safe integers to every integer. In a reply they carry no information. */
function dropWidestBounds(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

function clean(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema
}

export const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  typeof schema.$ref === 'string' ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? schema) : schema
