// An example for every shape, so that the reference shows what a call looks like without anyone writing it twice.

export type JsonSchema = { [key: string]: unknown }

const DEPTH_MAX = 8

export function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>, depth = 0): unknown {
  if (typeof schema.$ref === 'string')
    return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, depth + 1)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const first = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)?.[0]
  if (first) return exampleOf(first as JsonSchema, schemas, depth + 1)
  if (depth > DEPTH_MAX) return null
  return exampleOfType(schema, schemas, depth)
}

function exampleOfType(schema: JsonSchema, schemas: Record<string, JsonSchema>, depth: number): unknown {
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      return Object.fromEntries(
        properties.map(([name, property]) => [name, exampleOf(property, schemas, depth + 1)]),
      )
    }
    case 'array':
      return schema.items ? [exampleOf(schema.items as JsonSchema, schemas, depth + 1)] : []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' && schema.minimum > 0 ? schema.minimum : 1
    case 'string':
      return 'text'
    default:
      return null
  }
}
