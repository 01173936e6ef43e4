// Converts JSON Schema to TypeScript. Fields named `…Minor` are bigint, as at run time.
import { entries, type JsonObject } from './document.ts'

export type Schemas = ReadonlyMap<string, JsonObject>

/** `key` is the name of the field that holds the value. */
export function typeOf(schema: JsonObject, schemas: Schemas, key = ''): string {
  if (typeof schema.$ref === 'string') return typeOfReference(schema.$ref, schemas, key)
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (Array.isArray(variants))
    return joined(
      variants.map((variant: JsonObject) => typeOf(variant, schemas, key)),
      ' | ',
    )
  if (Array.isArray(schema.allOf))
    return joined(
      schema.allOf.map((part: JsonObject) => typeOf(part, schemas, key)),
      ' & ',
    )
  if (Array.isArray(schema.type))
    return joined(
      schema.type.map((type: string) => typeOf({ ...schema, type }, schemas, key)),
      ' | ',
    )
  switch (schema.type) {
    case 'object':
      return objectType(schema, schemas)
    case 'array':
      return arrayType(schema, schemas)
    case 'integer':
      return key.endsWith('Minor') ? 'bigint' : 'number'
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

export const literal = (value: unknown): string =>
  typeof value === 'string' && !/['\\\x00-\x1f]/.test(value) ? `'${value}'` : JSON.stringify(value)
export const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)
export const comment = (text: unknown, indent = ''): string =>
  typeof text === 'string' && text !== ''
    ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
    : ''
export const indented = (text: string): string => text.replaceAll('\n', '\n  ')

function typeOfReference(reference: string, schemas: Schemas, key: string): string {
  const name = reference.split('/').at(-1) ?? ''
  const target = schemas.get(name)
  if (!target) throw new Error(`${reference} is not in the document`)
  // A named integer schema is bigint only in a field named `…Minor`.
  return target.type === 'integer' ? typeOf(target, schemas, key) : name
}

function objectType(schema: JsonObject, schemas: Schemas): string {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = entries(schema.properties).map(([name, property]) => {
    const printed = typeOf(property, schemas, name)
    // An optional field may also be undefined, and is then not sent.
    const type = required.has(name) || printed === 'unknown' ? printed : `${printed} | undefined`
    return `${comment(property.description, '  ')}  ${isIdentifier(name) ? name : literal(name)}${required.has(name) ? '' : '?'}: ${indented(type)}\n`
  })
  const { additionalProperties: others } = schema
  if (others === false) return fields.length > 0 ? `{\n${fields.join('')}}` : 'Record<string, never>'
  if (fields.length > 0) return `{\n${fields.join('')}${others === true ? '  [key: string]: unknown\n' : ''}}`
  return `{ [key: string]: ${typeof others === 'object' ? indented(typeOf(others as JsonObject, schemas)) : 'unknown'} }`
}

function arrayType(schema: JsonObject, schemas: Schemas): string {
  if (Array.isArray(schema.prefixItems))
    return `[${schema.prefixItems.map((item: JsonObject) => typeOf(item, schemas)).join(', ')}]`
  const item = typeOf((schema.items ?? {}) as JsonObject, schemas)
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`
}

function joined(types: readonly string[], separator: ' | ' | ' & '): string {
  const unique = [...new Set(types)]
  // A union with unknown is unknown.
  if (separator === ' | ' && unique.includes('unknown')) return 'unknown'
  return unique
    .map((type) => (separator === ' & ' && /^[^{]* \| /.test(type) ? `(${type})` : type))
    .join(separator)
}
