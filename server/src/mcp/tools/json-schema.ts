// JSON Schema for the arguments and the result of a tool, generated from the schemas of its operation.
import { z } from 'zod'
import { isRaw, paramNames, type Route } from '../../platform/http/route.ts'
import { wireOf } from '../../platform/http/shapes.ts'
import { isRecord } from '../message.ts'
import { KEY, MAX_COST, type Tool } from './tool.ts'

type Schema = { [key: string]: unknown }
type ObjectSchema = { properties: Record<string, unknown>; required: string[] }

/** Errors are part of the output schema, because clients may validate them against it. */
const REFUSAL = {
  type: 'object',
  properties: { code: { type: 'string' }, error: { type: 'string' }, requestId: { type: 'string' } },
  required: ['code', 'error'],
}

export function inputSchema({ price, hiddenFields = [] }: Tool, route: Route): Schema {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const name of paramNames(route.path)) {
    properties[name] = { type: 'string' }
    required.push(name)
  }
  for (const shape of [route.query, route.body]) {
    if (!shape) continue
    const object = toObjectSchema(shape, 'input')
    Object.assign(properties, object.properties)
    required.push(...object.required)
  }
  if (price) {
    delete properties[price.limitField]
    properties[MAX_COST] = {
      type: 'integer',
      minimum: 0,
      description:
        'The maximum that the user agrees to pay, in minor units of the wallet (kobo, cents). Without it nothing runs, and the reply states the price.',
    }
  }
  if (route.idempotency !== 'none')
    properties[KEY] = {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'Use a new key for each piece of work, and repeat the key to retry after a lost reply. Calls with the same key and arguments run and are charged once; each call without a key is charged.',
    }
  for (const name of hiddenFields) delete properties[name]
  const left = required.filter((name) => Object.hasOwn(properties, name))
  return { type: 'object', properties, ...(left.length > 0 && { required: left }) }
}

export function outputSchema({ replyFields, extra, price }: Tool, route: Route): Schema {
  const { properties, required } = toObjectSchema(resultShape(route), 'output')
  const names = replyFields ?? Object.keys(properties)
  const result: Schema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])),
      ...extra?.fields,
      ...(price && {
        ledgerRef: {
          type: 'string',
          description: 'Prefix of the `ref` of its charges in `list_charges`.',
        },
        replayed: { type: 'boolean', description: 'True if an earlier call ran it; not charged again.' },
      }),
    },
    required: [...required.filter((name) => names.includes(name)), ...Object.keys(extra?.fields ?? {})],
  }
  return { type: 'object', anyOf: [result, REFUSAL] }
}

/** For a stream, the schema of the last frame, which has the result. */
function resultShape({ name, reply, stream }: Route): z.ZodType {
  const options = stream instanceof z.ZodUnion ? stream.options : []
  const last = options.find((option) => option instanceof z.ZodObject && 'result' in option.shape)
  if (last instanceof z.ZodObject) return last
  const [spec] = Object.entries(reply)
    .filter(([status]) => status.startsWith('2'))
    .map(([, each]) => each)
  if (!spec || isRaw(spec)) throw new Error(`${name} has no result for a tool`)
  return spec
}

function toObjectSchema(shape: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const printed = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const wire = wireOf(zodSchema as unknown as z.ZodType)
      if (!wire) return
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Schema)[key]
      Object.assign(jsonSchema, wire)
    },
  })
  return inlineRefs(printed)
}

/** Inlines references, because not every client follows them. Drops `id`, which names a schema and not a document. */
function inlineRefs(printed: unknown): ObjectSchema {
  const definitions = isRecord(printed) && isRecord(printed.$defs) ? printed.$defs : {}
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (!isRecord(value)) return typeof value === 'bigint' ? Number(value) : value
    const name = typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
    if (name !== undefined) return plain(definitions[name] ?? {})
    const entries = Object.entries(value).filter(
      ([key, each]) =>
        !['$schema', '$defs', 'additionalProperties'].includes(key) &&
        !(key === 'id' && typeof each === 'string'),
    )
    return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]))
  }
  const schema = plain(printed)
  const { properties, required } = isRecord(schema) ? schema : {}
  return {
    properties: isRecord(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : [],
  }
}
