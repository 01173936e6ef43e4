// The schema of a tool of an MCP server as the service takes it: written out without references, at most ten levels, and without
// texts that could hide anything. It only describes the input, so what does not fit is left out; the server checks the input.
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { isRecord } from '../../mcp/message.ts'

type Schema = Readonly<Record<string, unknown>>

const LEVELS_MAX = 9
const PARTS_MAX = 300
const BYTES_MAX = 12_000
const DESCRIPTION_MAX = 500
const VALUES_MAX = 100
const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength']

/** An object schema. A schema that is too large keeps only the names of its properties. */
export function toToolSchema(given: unknown): Schema {
  const whole = isRecord(given) ? given : {}
  const { anyOf: _, allOf: __, ...schema } = new Reader(whole).read(whole, 1)
  const object = { ...schema, type: 'object' }
  if (Buffer.byteLength(JSON.stringify(object)) <= BYTES_MAX) return object
  const names = Object.keys(isRecord(schema.properties) ? schema.properties : {}).slice(0, VALUES_MAX)
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) }
}

class Reader {
  readonly #whole: Schema
  #parts = 0

  constructor(whole: Schema) {
    this.#whole = whole
  }

  read(given: unknown, level: number): Record<string, unknown> {
    if (level > LEVELS_MAX || ++this.#parts > PARTS_MAX) return {}
    const schema = this.#resolve(given)
    const types = [schema.type].flat().filter((type) => TYPES.includes(type))
    const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
    const plain = values
      .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
      .slice(0, VALUES_MAX)
    const entries: [string, unknown][] = [
      ['type', types.length > 1 ? types : types[0]],
      ['description', typeof schema.description === 'string' ? cut(schema.description) : undefined],
      ['enum', plain.length > 0 && plain.length === values.length ? plain.map(cleanValue) : undefined],
      ...this.#objectParts(schema, level),
      ['items', isRecord(schema.items) ? this.read(schema.items, level + 1) : undefined],
      ['anyOf', this.#choices(schema.anyOf ?? schema.oneOf, level)],
      ['allOf', this.#choices(schema.allOf, level)],
      ...LIMITS.map((name): [string, unknown] => [
        name,
        Number.isFinite(schema[name]) ? schema[name] : undefined,
      ]),
    ]
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  #objectParts(schema: Schema, level: number): [string, unknown][] {
    const given = isRecord(schema.properties) ? Object.entries(schema.properties) : []
    const properties = given.filter(([name]) => NAME.test(name)).slice(0, VALUES_MAX)
    const names = new Set(properties.map(([name]) => name))
    const required = Array.isArray(schema.required) ? schema.required.filter((name) => names.has(name)) : []
    // With a property that is left out, others must be allowed.
    const isClosed = schema.additionalProperties === false && properties.length === given.length
    return [
      [
        'properties',
        given.length > 0
          ? Object.fromEntries(properties.map(([name, each]) => [name, this.read(each, level + 1)]))
          : undefined,
      ],
      ['required', required.length > 0 ? required : undefined],
      [
        'additionalProperties',
        isClosed
          ? false
          : isRecord(schema.additionalProperties)
            ? this.read(schema.additionalProperties, level + 1)
            : undefined,
      ],
    ]
  }

  #choices(given: unknown, level: number): unknown[] | undefined {
    if (!Array.isArray(given) || given.length === 0) return undefined
    return given.slice(0, VALUES_MAX).map((each) => this.read(each, level + 1))
  }

  /** Follows references such as `#/$defs/Name`. */
  #resolve(given: unknown): Schema {
    let schema = isRecord(given) ? given : {}
    for (let steps = 0; typeof schema.$ref === 'string' && steps < LEVELS_MAX; steps++) {
      const path = schema.$ref.startsWith('#/') ? schema.$ref.slice(2).split('/') : null
      let target: unknown = path === null ? {} : this.#whole
      for (const name of path ?? [])
        target =
          isRecord(target) && Object.hasOwn(target, unescapeName(name)) ? target[unescapeName(name)] : {}
      const { $ref: _, ...rest } = schema
      schema = { ...(isRecord(target) ? target : {}), ...rest }
    }
    return schema
  }
}

const unescapeName = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')
const cut = (text: string): string => toPlainText(text).slice(0, DESCRIPTION_MAX).toWellFormed()
const cleanValue = (value: unknown): unknown => (typeof value === 'string' ? cut(value) : value)
