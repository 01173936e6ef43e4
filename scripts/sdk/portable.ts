// The types and operations for clients in languages without inline types and unions: every object has a name, and the variants of
// a union become one object whose fields are optional where the variants differ.
import { entries, type JsonObject, type Operation, readOperations, readSchemas } from './document.ts'

export type Type =
  | { readonly kind: 'bool' | 'float' | 'int' | 'any' }
  | { readonly kind: 'string'; readonly values: readonly string[] }
  | { readonly kind: 'list' | 'map'; readonly item: Type }
  | { readonly kind: 'named'; readonly name: string }
export type Field = {
  readonly name: string
  readonly type: Type
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly description: string
}
export type ObjectType = {
  readonly name: string
  readonly description: string
  readonly fields: readonly Field[]
}
export type Parameters = { readonly fields: readonly Field[]; readonly isRequired: boolean }
export type PortableOperation = Pick<
  Operation,
  'name' | 'method' | 'path' | 'summary' | 'params' | 'idempotent'
> & {
  readonly query: readonly Field[]
  readonly body: { readonly type: Type; readonly isRequired: boolean } | null
  readonly reply: { readonly kind: Operation['reply']['kind']; readonly type: Type }
}
export type Description = {
  readonly types: readonly ObjectType[]
  readonly operations: readonly PortableOperation[]
}

const ANY: Type = { kind: 'any' }
const TEXT: Type = { kind: 'string', values: [] }
/** The wires of other vendors have their own clients, which work with this service. */
const ELSEWHERE = /^\/v1(?:beta)?\//

/** The operations that an API key can call, and their types. */
export function describePortable(document: JsonObject): Description {
  const schemas = new Map(readSchemas(document))
  const types = new Map<string, ObjectType>()
  /** The key of each named type: its schema as text. */
  const sources = new Map<string, string>()

  function convert(schema: JsonObject, name: string, key: string): Type {
    if (typeof schema.$ref === 'string') {
      const target = schema.$ref.split('/').at(-1) ?? ''
      return convert(schemaOf(target), target, key)
    }
    const variants = variantsOf(schema)
    if (variants) {
      const parts = variants.filter((part) => resolve(part).type !== 'null')
      if (parts.length > 1 && parts.map(resolve).every(isObject))
        return convert(merge(parts.map(resolve)), name, key)
      return same(parts.map((part) => convert(part, name, key)))
    }
    if (Array.isArray(schema.allOf)) return convert(intersect(schema.allOf.map(resolve)), name, key)
    const values = schema.const !== undefined ? [schema.const] : schema.enum
    if (Array.isArray(values)) return ofValues(values.filter((value) => value !== null))
    if (Array.isArray(schema.type))
      return same(
        schema.type.filter((type) => type !== 'null').map((type) => convert({ ...schema, type }, name, key)),
      )
    switch (schema.type) {
      case 'object':
        return convertObject(schema, name)
      case 'array':
        return { kind: 'list', item: itemOf(schema, name) }
      case 'integer':
        return { kind: 'int' }
      case 'number':
        return { kind: 'float' }
      case 'boolean':
        return { kind: 'bool' }
      case 'string':
        return TEXT
      default:
        return ANY
    }
  }

  const schemaOf = (name: string): JsonObject => {
    const schema = schemas.get(name)
    if (!schema) throw new Error(`${name} is not in the document`)
    return schema
  }
  const resolve = (schema: JsonObject): JsonObject =>
    typeof schema.$ref === 'string' ? schemaOf(schema.$ref.split('/').at(-1) ?? '') : schema
  const isObject = (schema: JsonObject): boolean => {
    const variants = variantsOf(schema)
    return variants
      ? variants.map(resolve).every(isObject)
      : schema.type === 'object' && schema.properties !== undefined
  }
  const itemOf = (schema: JsonObject, name: string): Type =>
    Array.isArray(schema.prefixItems) ? ANY : convert((schema.items ?? {}) as JsonObject, singular(name), '')

  function convertObject(schema: JsonObject, name: string): Type {
    const properties = entries(schema.properties)
    if (properties.length === 0) {
      const others = schema.additionalProperties
      return { kind: 'map', item: typeof others === 'object' ? convert(others as JsonObject, name, '') : ANY }
    }
    const unique = claim(name, schema)
    if (!types.has(unique)) {
      // Reserves the name: a schema may contain itself.
      types.set(unique, { name: unique, description: '', fields: [] })
      types.set(unique, {
        name: unique,
        description: text(schema.description),
        fields: fieldsOf(schema, unique),
      })
    }
    return { kind: 'named', name: unique }
  }

  function claim(name: string, schema: JsonObject): string {
    const source = JSON.stringify(schema)
    for (let n = 1; ; n++) {
      const candidate = n === 1 ? name : `${name}${n}`
      const owner = sources.get(candidate)
      if (owner === undefined) sources.set(candidate, source)
      if (owner === undefined || owner === source) return candidate
    }
  }

  function fieldsOf(schema: JsonObject, parent: string): Field[] {
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    return entries(schema.properties).map(([name, property]) => ({
      name,
      type: convert(property, parent + capital(name), name),
      isRequired: required.has(name),
      isNullable: isNullable(property),
      description: text(property.description),
    }))
  }

  const isNullable = (schema: JsonObject): boolean =>
    schema.type === 'null' ||
    (Array.isArray(schema.type) && schema.type.includes('null')) ||
    (Array.isArray(schema.enum) && schema.enum.includes(null)) ||
    (variantsOf(schema) ?? []).map(resolve).some(isNullable)

  /** The variants of a union as one object. */
  const merge = (parts: readonly JsonObject[]): JsonObject => {
    const flat = parts.flatMap((part): JsonObject[] => variantsOf(part)?.map(resolve) ?? [part])
    const properties: Record<string, JsonObject> = {}
    for (const name of new Set(flat.flatMap((part) => Object.keys(part.properties ?? {})))) {
      const forms = flat.flatMap(({ properties: own }) => (own as Record<string, JsonObject>)?.[name] ?? [])
      const distinct = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()]
      properties[name] = distinct.length === 1 ? (distinct[0] as JsonObject) : { anyOf: distinct }
    }
    const required = Object.keys(properties).filter((name) =>
      flat.every((part) => Array.isArray(part.required) && part.required.includes(name)),
    )
    return { type: 'object', properties, required }
  }

  const intersect = (parts: readonly JsonObject[]): JsonObject => ({
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
    required: parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])),
  })

  const operations = readOperations(document, isForKeys)
    .filter(({ path }) => !ELSEWHERE.test(path))
    .map((operation) => {
      const { name, method, path, summary, params, idempotent, query, body, reply } = operation
      const base = name.split('.').map(capital).join('')
      return {
        name,
        method,
        path,
        summary,
        params,
        idempotent,
        query: query ? fieldsOf(query.schema, base) : [],
        body: body && { type: convert(body.schema, `${base}Body`, ''), isRequired: body.required },
        reply: {
          kind: reply.kind,
          type: convert(reply.schema, base + (reply.kind === 'stream' ? 'Frame' : 'Reply'), ''),
        },
      }
    })
  return { types: [...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), operations }
}

const isForKeys = ({ security }: JsonObject): boolean =>
  Array.isArray(security) && security.some((way: JsonObject) => 'apiKey' in way)

const variantsOf = (schema: JsonObject): JsonObject[] | null => {
  const variants = schema.anyOf ?? schema.oneOf
  return Array.isArray(variants) ? variants : null
}

function ofValues(values: readonly unknown[]): Type {
  const strings = values.filter((value) => typeof value === 'string')
  if (strings.length === values.length && strings.length > 0) return { kind: 'string', values: strings }
  if (values.length > 0 && values.every((value) => typeof value === 'boolean')) return { kind: 'bool' }
  return values.length > 0 && values.every(Number.isInteger) ? { kind: 'int' } : ANY
}

/** The one type of all variants; strings keep their values only if every variant has some. */
function same(types: readonly Type[]): Type {
  const [first = ANY, ...rest] = types
  if (types.length > 0 && types.every((type) => type.kind === 'string')) {
    const lists = types.map((type) => (type.kind === 'string' ? type.values : []))
    return {
      kind: 'string',
      values: lists.some((values) => values.length === 0) ? [] : [...new Set(lists.flat())],
    }
  }
  if (rest.every((type) => JSON.stringify(type) === JSON.stringify(first))) return first
  return types.every(({ kind }) => kind === 'int' || kind === 'float') ? { kind: 'float' } : ANY
}

export const capital = (word: string): string =>
  word
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
/** The name of an item of a list. */
function singular(name: string): string {
  if (/(?:[^aeiou]s|[^s]us|[^s])$/.test(name) && !/[^su]s$/.test(name)) return `${name}Item`
  return name
    .replace(/ies$/, 'y')
    .replace(/(x|ss)es$/, '$1')
    .replace(/([^su])s$/, '$1')
}
const text = (description: unknown): string =>
  typeof description === 'string' ? description.replaceAll(/\s+/g, ' ').trim() : ''

/** The levels of the names: `chat.threads.list` is in the group `threads` of the group `chat`. */
export type Group = {
  readonly groups: Map<string, Group>
  readonly operations: Map<string, PortableOperation>
}

export function groupOperations(operations: readonly PortableOperation[]): Group {
  const root: Group = { groups: new Map(), operations: new Map() }
  for (const operation of operations) {
    const words = operation.name.split('.')
    const last = words.pop() ?? operation.name
    let group = root
    for (const word of words) {
      const inner = group.groups.get(word) ?? { groups: new Map(), operations: new Map() }
      group.groups.set(word, inner)
      group = inner
    }
    group.operations.set(last, operation)
  }
  return root
}
