// Prints the SDK's types and its table of operations from the OpenAPI document.
import { type JsonObject, type Operation, readOperations, readSchemas } from './document.ts'
import { comment, indented, isIdentifier, literal, type Schemas, typeOf } from './types.ts'

export function generateSdk(document: JsonObject): string {
  const operations = readOperations(document)
  const schemas: Schemas = new Map(readSchemas(document))
  checkNames(operations, schemas)
  const named = [...schemas]
    .filter(([name]) => name !== ERROR)
    .map(([name, schema]) => declare(name, schema, schemas))
  const shapes = operations.flatMap((operation) =>
    shapesOf(operation).map(([name, schema]) => declare(name, schema, schemas)),
  )
  return [
    '// Printed from openapi.json by `npm run print`; do not edit.',
    "import type { CallOptions, Operation } from './operation.ts'",
    '',
    `export const API_VERSION = ${Number((document.info as JsonObject)['x-api-version'])}`,
    '',
    ...named,
    ...shapes,
    `export type Api = ${printGroup(groupsOf(operations))}`,
    '',
    '/** Those of staff are in generated-staff.ts. */',
    printTable(operations.filter((operation) => !isForStaff(operation))),
  ].join('\n')
}

/** The operations of staff, a file that the shell of the app does not load. */
export function generateStaffSdk(document: JsonObject): string {
  return [
    '// Printed from openapi.json by `npm run print`; do not edit.',
    "import type { Operation } from './operation.ts'",
    '',
    printTable(readOperations(document).filter(isForStaff)),
  ].join('\n')
}

/** The same table as data, for services with additional routes. */
export function operationTable(document: JsonObject) {
  return Object.fromEntries(readOperations(document).map((operation) => [operation.name, entryOf(operation)]))
}

/** The error body, which CowrieError replaces. */
const ERROR = 'Error'
const RESERVED = new Set([
  'Api',
  'CallOptions',
  'Operation',
  'ErrorCode',
  'API_VERSION',
  'Promise',
  'Array',
  'Record',
  'AsyncGenerator',
  'Uint8Array',
])

function checkNames(operations: readonly Operation[], schemas: Schemas): void {
  const types = [
    ...schemas.keys(),
    ...operations.flatMap((operation) => shapesOf(operation).map(([name]) => name)),
  ]
  for (const name of types)
    if (!isIdentifier(name) || RESERVED.has(name)) throw new Error(`a type cannot be called ${name}`)
  const twice = types.find((name, index) => types.indexOf(name) !== index)
  if (twice) throw new Error(`two types would be called ${twice}`)
  for (const { name, params } of operations) {
    const group = operations.find((other) => other.name.startsWith(`${name}.`))
    if (group) throw new Error(`${name} cannot be both an operation and the group of ${group.name}`)
    if (name.split('.')[0] === 'request') throw new Error(`${name} would hide the client's own request()`)
    const odd = params.find((param) => !isIdentifier(param) || ['body', 'query', 'options'].includes(param))
    if (odd) throw new Error(`${name} cannot have a parameter called ${odd}`)
  }
}

const declare = (name: string, schema: JsonObject, schemas: Schemas): string =>
  `${comment(schema.description)}export type ${name} = ${typeOf(schema, schemas)}\n`

function shapesOf({ name, query, body, reply }: Operation): [string, JsonObject][] {
  const shapes: [string, JsonObject][] = []
  if (body) shapes.push([typeName(name, 'Body'), body.schema])
  if (query) shapes.push([typeName(name, 'Query'), query.schema])
  if (reply.kind === 'json') shapes.push([typeName(name, 'Reply'), reply.schema])
  if (reply.kind === 'stream') shapes.push([typeName(name, 'Frame'), reply.schema])
  return shapes
}

/** `admin.settings.set` and `Body` give AdminSettingsSetBody. */
const typeName = (operation: string, part: string): string =>
  operation
    .split('.')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('') + part

type Group = Map<string, Group | Operation>

function groupsOf(operations: readonly Operation[]): Group {
  const root: Group = new Map()
  for (const operation of operations) {
    const words = operation.name.split('.')
    const last = words.pop() ?? operation.name
    let group = root
    for (const word of words) {
      const inner = (group.get(word) ?? new Map()) as Group
      group.set(word, inner)
      group = inner
    }
    group.set(last, operation)
  }
  return root
}

function printGroup(group: Group): string {
  const members = [...group].map(([word, member]) =>
    member instanceof Map
      ? `  readonly ${word}: ${indented(printGroup(member))}\n`
      : `${comment(`${member.summary} \`${member.method} ${member.path}\``, '  ')}  ${word}${signatureOf(member)}\n`,
  )
  return `{\n${members.join('')}}`
}

function signatureOf({ name, params, query, body, reply }: Operation): string {
  const given = [
    ...params.map((param) => ({ name: param, type: 'string', required: true })),
    ...(body ? [{ name: 'body', type: typeName(name, 'Body'), required: body.required }] : []),
    ...(query ? [{ name: 'query', type: typeName(name, 'Query'), required: query.required }] : []),
    { name: 'options', type: 'CallOptions', required: false },
  ]
  const lastRequired = given.findLastIndex((parameter) => parameter.required)
  const parameters = given.map(({ name: word, type, required }, index) => {
    if (required) return `${word}: ${type}`
    return index < lastRequired ? `${word}: ${type} | undefined` : `${word}?: ${type}`
  })
  return `(${parameters.join(', ')}): ${answerOf(name, reply.kind)}`
}

function answerOf(name: string, kind: Operation['reply']['kind']): string {
  if (kind === 'stream') return `AsyncGenerator<${typeName(name, 'Frame')}, void, undefined>`
  return `Promise<${kind === 'json' ? typeName(name, 'Reply') : kind === 'text' ? 'string' : 'Uint8Array'}>`
}

function entryOf({ method, path, body, query, idempotent, reply }: Operation) {
  return {
    method,
    path,
    ...(body && { body: true as const }),
    ...(query && { query: true as const }),
    ...(idempotent && { idempotent: true as const }),
    // Most replies are JSON, and the app loads this table.
    ...(reply.kind !== 'json' && { reply: reply.kind }),
  }
}

const isForStaff = ({ name }: Operation): boolean => name.startsWith('admin.')

function printTable(operations: readonly Operation[]): string {
  const lines = operations.map((operation) => {
    const fields = Object.entries(entryOf(operation)).map(([key, value]) => `${key}: ${literal(value)}`)
    return `  ${literal(operation.name)}: { ${fields.join(', ')} },\n`
  })
  return `export const operations: Readonly<Record<string, Operation>> = {\n${lines.join('')}}\n`
}
