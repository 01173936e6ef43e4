// The schemas of the tools that a caller brings. Each provider accepts another part of JSON Schema, so the model gets the part that
// all accept. The schema only describes the arguments: the program of the caller checks them.
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'

export type JsonSchema = Readonly<Record<string, unknown>>
export type SchemaProblem = { readonly path: readonly string[]; readonly message: string }

const LEVELS_MAX = 10
const TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']
const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const
/** The strictest rule of the providers. */
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/

/** The first problem of a schema for the arguments of a tool. */
export function findSchemaProblem(schema: JsonSchema): SchemaProblem | undefined {
  if (schema.type !== 'object')
    return { path: ['type'], message: 'must be "object": the arguments of a tool are an object' }
  const union = UNIONS.find((name) => name in schema)
  if (union !== undefined)
    return { path: [union], message: 'must not stand at the top: some providers refuse it' }
  return problemOf(schema, [], 1)
}

const tooDeep = `is nested too deep; use at most ${LEVELS_MAX} levels`

function problemOf(schema: unknown, path: readonly string[], level: number): SchemaProblem | undefined {
  if (!isRecord(schema)) return { path, message: 'must be a schema, which is an object' }
  if (level > LEVELS_MAX) return { path, message: tooDeep }
  const reference = REFERENCES.find((name) => name in schema)
  if (reference !== undefined)
    return { path: [...path, reference], message: 'is not supported; write the schema out in its place' }
  return shapeProblem(schema, path) ?? partProblem(schema, path, level)
}

function shapeProblem(schema: JsonSchema, path: readonly string[]): SchemaProblem | undefined {
  const { type, enum: values, required, properties } = schema
  const at = (name: string, message: string) => ({ path: [...path, name], message })
  const types = [type].flat()
  if (type !== undefined && (types.length === 0 || !types.every((each) => TYPES.has(each))))
    return at('type', 'must be a type of JSON Schema, or a list of types')
  if (values !== undefined && !(Array.isArray(values) && values.length > 0))
    return at('enum', 'must be a list with at least one value')
  if (required !== undefined && !(Array.isArray(required) && required.every(isText)))
    return at('required', 'must be a list of names')
  if (properties !== undefined && !isRecord(properties)) return at('properties', 'must be an object')
  const name = Object.keys(properties ?? {}).find((each) => !PROPERTY_NAME.test(each))
  if (name !== undefined)
    return at(
      'properties',
      `has a name that some providers refuse: ${JSON.stringify(name.slice(0, 80))}. Use letters, digits, "_", "." and "-", at most 64`,
    )
  return undefined
}

function partProblem(schema: JsonSchema, path: readonly string[], level: number): SchemaProblem | undefined {
  const parts: [string[], unknown][] = []
  for (const [name, each] of Object.entries(isRecord(schema.properties) ? schema.properties : {}))
    parts.push([['properties', name], each])
  if (schema.items !== undefined) parts.push([['items'], schema.items])
  if (schema.additionalProperties !== undefined && typeof schema.additionalProperties !== 'boolean')
    parts.push([['additionalProperties'], schema.additionalProperties])
  for (const union of UNIONS) {
    const members = schema[union]
    if (members === undefined) continue
    if (!Array.isArray(members) || members.length === 0)
      return { path: [...path, union], message: 'must be a list with at least one schema' }
    for (const [i, each] of members.entries()) parts.push([[union, String(i)], each])
  }
  for (const [name, each] of parts) {
    const problem = problemOf(each, [...path, ...name], level + 1)
    if (problem) return problem
  }
  return undefined
}

const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength']

/** The part of a schema without problems that every provider accepts. */
export function toPortableSchema(schema: JsonSchema): JsonSchema {
  const whole = withMembers(schema)
  const { type, description, additionalProperties: more } = whole
  const isObject = [type].flat().includes('object')
  const properties = Object.entries(isRecord(whole.properties) ? whole.properties : {})
  const names = new Set(properties.map(([name]) => name))
  const required = (Array.isArray(whole.required) ? whole.required : []).filter((name) => names.has(name))
  const values = (whole.const === undefined ? whole.enum : [whole.const]) as readonly unknown[] | undefined
  const choices = (whole.anyOf ?? whole.oneOf) as readonly JsonSchema[] | undefined
  const entries: [string, unknown][] = [
    ['type', type],
    ['description', isText(description) ? toPlainText(description) : undefined],
    ['enum', values?.every(isPlainValue) ? [...new Set(values)] : undefined],
    [
      'properties',
      isObject || properties.length > 0
        ? Object.fromEntries(properties.map(([name, each]) => [name, toPortableSchema(each as JsonSchema)]))
        : undefined,
    ],
    ['required', required.length > 0 ? [...new Set(required)] : undefined],
    ['additionalProperties', isRecord(more) ? toPortableSchema(more) : more],
    ['items', itemsOf(whole)],
    ['anyOf', choices?.map(toPortableSchema)],
    ...LIMITS.map((name): [string, unknown] => [name, toLimit(whole[name])]),
  ]
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** `allOf` says that every member holds, so their fields belong together. */
function withMembers(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.allOf)) return schema
  const members = [...(schema.allOf as JsonSchema[]).map(withMembers), { ...schema, allOf: undefined }]
  const properties = members.flatMap((each) =>
    Object.entries(isRecord(each.properties) ? each.properties : {}),
  )
  const required = members.flatMap((each) => (Array.isArray(each.required) ? each.required : []))
  return {
    ...Object.assign({}, ...members),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  }
}

/** Some providers refuse a list whose items are not described. */
function itemsOf({ type, items }: JsonSchema): JsonSchema | undefined {
  if (isRecord(items)) return toPortableSchema(items)
  return [type].flat().includes('array') ? {} : undefined
}

const isPlainValue = (value: unknown): boolean =>
  (isText(value) && value !== '') || (typeof value === 'number' && Number.isFinite(value))
const toLimit = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
