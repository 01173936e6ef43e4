// Moves the repeated parts of the OpenAPI document to `components`.
import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from './example.ts'

type Kind = 'examples' | 'parameters' | 'responses'
type Parts = Record<string, unknown>
type Reference = { $ref: string }
type Parameter = { name: string; in: string; required?: boolean; schema?: JsonSchema }
type Media = { examples?: Record<string, unknown> }
type Response = { content?: Record<string, Media> }
type Operation = { parameters?: Parameter[]; responses: Record<string, Response> }
type Paths = Record<string, Record<string, Operation>>

/** Error codes that occur together because one rule implies all of them. The longest groups come first. */
const GROUPS: readonly (readonly [name: string, codes: readonly string[]])[] = [
  ['WriteUnavailable', ['busy', 'database_unavailable', 'handler_timeout', 'maintenance', 'outcome_unknown']],
  ['InvalidBody', ['bad_request', 'invalid_fields', 'malformed_json']],
  ['Unavailable', ['busy', 'database_unavailable', 'handler_timeout']],
  [
    'StaffSessionRequired',
    ['org_address_not_allowed', 'second_factor_required', 'session_required', 'sso_required', 'staff_only'],
  ],
  ['InvalidQuery', ['bad_request', 'invalid_fields']],
  ['OrgSessionRequired', ['org_address_not_allowed', 'session_required', 'sso_required']],
  ['ScopeRequired', ['address_not_allowed', 'insufficient_scope', 'org_address_not_allowed', 'sso_required']],
  ['KeyOrSessionRequired', ['address_not_allowed', 'org_address_not_allowed', 'sso_required']],
  ['TooManyRequests', ['key_rate_limited', 'rate_limited']],
  ['IdempotencyKeyRejected', ['idempotency_key_invalid', 'idempotency_key_required']],
]

/**
 * The same document with repeated parameters, error responses and error examples in `components`. The name of a part
 * depends only on its content, so a new operation never renames the parts of another.
 */
export function shareComponents(document: JsonSchema): JsonSchema {
  const shared: Record<Kind, Parts> = { examples: {}, parameters: {}, responses: {} }

  function share(kind: Kind, name: string, part: unknown): Reference {
    const known = shared[kind][name]
    if (known !== undefined && !isDeepStrictEqual(known, part))
      throw new Error(`two different ${kind} of the document are called ${name}; give one another name`)
    shared[kind][name] = part
    return { $ref: `#/components/${kind}/${name}` }
  }

  function shareParameter(parameter: Parameter): Parameter | Reference {
    const name = parameterName(parameter)
    return name === null ? parameter : share('parameters', name, parameter)
  }

  function shareError(response: Response): Reference {
    const prefix = ERROR_SCHEMA.exec(JSON.stringify(response))?.[1] ?? ''
    const codes = Object.values(response.content ?? {}).flatMap((media) => Object.keys(media.examples ?? {}))
    const content = mapValues(response.content ?? {}, (media) => ({
      ...media,
      examples: mapValues(media.examples ?? {}, (example, code) =>
        share('examples', prefix ? `${prefix.toLowerCase()}_${code}` : code, example),
      ),
    }))
    return share('responses', prefix + errorResponseName(codes), { ...response, content })
  }

  const paths = mapValues(document.paths as Paths, (operations) =>
    mapValues(operations, (operation) => ({
      ...operation,
      ...(operation.parameters ? { parameters: operation.parameters.map(shareParameter) } : {}),
      responses: mapValues(operation.responses, (response, status) =>
        Number(status) >= 400 ? shareError(response) : response,
      ),
    })),
  )
  const components = document.components as Record<string, unknown>
  return { ...document, paths, components: { ...components, ...mapValues(shared, sortByName) } }
}

/** The schema of an error in the format of another API. */
const ERROR_SCHEMA = /"#\/components\/schemas\/(Compatible|Anthropic|Gemini|Scim)Error"/

/** `invalid_fields` and `bad_request` → InvalidQuery. A code outside every group is named by itself. */
export function errorResponseName(codes: readonly string[]): string {
  const left = new Set(codes)
  const names: string[] = []
  for (const [name, group] of GROUPS) {
    if (!group.every((code) => left.has(code))) continue
    names.push(name)
    for (const code of group) left.delete(code)
  }
  return [...names, ...[...left].sort().map(pascalCase)].join('Or')
}

/** Only parameters that are the same in every operation have a component; null for others. */
function parameterName({ name, in: place, required, schema = {} }: Parameter): string | null {
  if (place === 'path') return `Path${pascalCase(name)}`
  if (place === 'header') return `${required ? 'Required' : ''}${pascalCase(name)}`
  if (name === 'cursor' && schema.description === undefined) return 'Cursor'
  if (name === 'limit' && schema.description === undefined) return `LimitUpTo${schema.maximum}`
  return null
}

const pascalCase = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const RESOLVED = /^#\/components\/(examples|parameters|responses)\/([\w.-]+)$/

/** The document with shared parameters, responses and examples inlined. Schemas and headers stay references. */
export function resolveComponents<T>(document: T): T {
  const { components = {} } = document as { components?: Partial<Record<string, Parts>> }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    const { $ref } = value as Partial<Reference>
    const [, kind = '', name = ''] = (typeof $ref === 'string' && RESOLVED.exec($ref)) || []
    if (kind === '') return mapValues(value as Parts, resolve)
    const target = components[kind]?.[name]
    if (target === undefined) throw new Error(`${$ref} is not in the document`)
    return resolve(target)
  }

  const { examples: _, parameters: __, responses: ___, ...kept } = components
  return { ...mapValues(document as Parts, resolve), components: kept } as T
}

function mapValues<V, R>(record: Readonly<Record<string, V>>, map: (value: V, key: string) => R) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)])) as Record<
    string,
    R
  >
}

const sortByName = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)))
