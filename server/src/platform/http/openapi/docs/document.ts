// The parts of an OpenAPI document that the reference shows.

export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export type Schemas = Record<string, Schema>

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
}
export type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
export type DocumentedResponse = { description: string; content?: Record<string, Media> }

export type Operation = {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, DocumentedResponse>
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  'x-access'?: string
  'x-rate-bucket'?: string | null
  'x-paid'?: boolean
  'x-step-up'?: boolean
  'x-idempotency'?: string
  'x-streams'?: string
}

export type Document = {
  info: { title: string; version: string; description?: string }
  tags: readonly { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Schemas
    securitySchemes: Record<
      string,
      { type: string; in?: string; name?: string; bearerFormat?: string; description?: string }
    >
  }
}

export type ListedOperation = { method: string; path: string; operation: Operation }

/** The operations of each tag that has any, in the order of the document. */
export function operationsByTag({ tags, paths }: Document): { tag: string; operations: ListedOperation[] }[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags
    .map(({ name }) => ({
      tag: name,
      operations: all.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0)
}

/** Operations that only the staff of the service can call. They have separate pages. */
export const isStaff = ({ path, operation }: ListedOperation): boolean =>
  /^\/(?:admin|internal)\/|\/operator-invite\//.test(path) ||
  /^(?:staff:|any staff)/.test(operation['x-access'] ?? '')

/** A response from 400 on is an error. Its examples are named by error code. */
export const isRefusal = (status: string): boolean => Number(status) >= 400

export function refusalCodes({ content = {} }: DocumentedResponse): string[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
}
