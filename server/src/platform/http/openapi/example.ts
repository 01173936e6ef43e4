// Derives an example from every schema.

export type JsonSchema = { [key: string]: unknown }

/** A reply example shows every field; a request example only required ones, because optional ones may conflict. */
export type ExampleKind = 'request' | 'reply'
type Source = { readonly schemas: Record<string, JsonSchema>; readonly kind: ExampleKind }

const DEPTH_MAX = 8

export const exampleOf = (
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  kind: ExampleKind,
): unknown => example(schema, { schemas, kind }, 0)

function example(schema: JsonSchema, source: Source, depth: number): unknown {
  if (typeof schema.$ref === 'string')
    return example(source.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, source, depth + 1)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const first = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)?.[0]
  if (first) return example(first as JsonSchema, source, depth + 1)
  if (depth > DEPTH_MAX) return null
  return exampleOfType(schema, source, depth)
}

function exampleOfType(schema: JsonSchema, source: Source, depth: number): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        shownProperties(schema, source.kind).map(([name, property]) => [
          name,
          example(property, source, depth + 1),
        ]),
      )
    case 'array':
      return schema.items ? [example(schema.items as JsonSchema, source, depth + 1)] : []
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

function shownProperties(
  { properties = {}, required }: JsonSchema,
  kind: ExampleKind,
): [string, JsonSchema][] {
  const all = Object.entries(properties as Record<string, JsonSchema>)
  if (kind === 'reply' || !Array.isArray(required) || required.length === 0) return all
  return all.filter(([name]) => required.includes(name))
}
