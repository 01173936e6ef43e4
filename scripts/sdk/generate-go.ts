// Prints the Go client: structs for replies and bodies, and a method for every operation.
import type { errorRows } from './generate-errors.ts'
import {
  capital,
  type Description,
  type Field,
  type Group,
  groupOperations,
  type ObjectType,
  type PortableOperation,
  type Type,
} from './portable.ts'

const HEADER = '// Code generated from openapi.json by `npm run print`. DO NOT EDIT.\n\npackage cowrie\n'
const INITIALISMS = /(?:Id|Url|Api|Ip|Html|Json|Mfa|Sso|Http)(?=[A-Z0-9]|s?$)/g

/** `installationId` is `InstallationID`. */
const goName = (name: string): string => capital(name).replaceAll(INITIALISMS, (word) => word.toUpperCase())

export function goTypes({ types, operations }: Description): string {
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map(({ name, query }) => ({ name: queryName(name), description: '', fields: query }))
  const declared = [...types, ...queries].map(printStruct)
  const isRaw = declared.some((text) => text.includes('json.RawMessage'))
  return `${HEADER}${isRaw ? '\nimport "encoding/json"\n' : ''}\n${declared.join('\n')}`
}

const queryName = (operation: string): string => `${operation.split('.').map(goName).join('')}Query`

function printStruct({ name, description, fields }: ObjectType): string {
  const names = fields.map((field) => goName(field.name))
  const types = fields.map((field) => fieldType(field, name))
  // gofmt aligns the columns of lines without comments between them.
  const lines = fields.map((field, i) => {
    const tag = `\`json:"${field.name}${field.isRequired ? '' : ',omitempty'}"\``
    const comment = commentOf(field)
    return { text: [names[i] ?? '', types[i] ?? '', tag] as const, comment }
  })
  const doc = description === '' ? '' : `// ${goName(name)}: ${description}\n`
  return `${doc}type ${goName(name)} struct {\n${align(lines)}}\n`
}

type Row = { readonly text: readonly [string, string, string]; readonly comment: string }

/** In the columns of gofmt: a comment line starts a new section. */
function align(rows: readonly Row[]): string {
  const sections: Row[][] = []
  for (const row of rows)
    if (row.comment !== '' || sections.length === 0) sections.push([row])
    else sections.at(-1)?.push(row)
  return sections
    .map((section) => {
      const width = (column: 0 | 1) => Math.max(...section.map(({ text }) => text[column].length))
      const [names, types] = [width(0), width(1)]
      return section
        .map(
          ({ text: [name, type, tag], comment }) =>
            `${comment === '' ? '' : `\t// ${comment}\n`}\t${name.padEnd(names)} ${type.padEnd(types)} ${tag}\n`,
        )
        .join('')
    })
    .join('')
}

function commentOf({ type, description }: Field): string {
  const values = type.kind === 'string' && type.values.length > 0 ? `One of ${type.values.join(', ')}.` : ''
  return [description, values].filter((part) => part !== '').join(' ')
}

function fieldType({ type, isRequired, isNullable }: Field, parent: string): string {
  const plain = goType(type)
  if (type.kind === 'list' || type.kind === 'map' || type.kind === 'any') return plain
  // Nil is left out, and Null is sent as null.
  if (!isRequired && isNullable) return `*Nullable[${plain}]`
  const isOwn = type.kind === 'named' && goName(type.name) === goName(parent)
  return isRequired && !isNullable && !isOwn ? plain : `*${plain}`
}

function goType(type: Type): string {
  switch (type.kind) {
    case 'string':
      return 'string'
    case 'bool':
      return 'bool'
    case 'int':
      return 'int64'
    case 'float':
      return 'float64'
    case 'list':
      return `[]${goType(type.item)}`
    case 'map':
      return `map[string]${goType(type.item)}`
    case 'named':
      return goName(type.name)
    case 'any':
      return 'json.RawMessage'
  }
}

export function goOperations({ operations }: Description, version: string): string {
  const structs: string[] = []
  const methods: string[] = []
  const root = groupOperations(operations)
  const fields = printMembers(root, '', structs, methods)
  const imports = methods.some((text) => text.includes('json.RawMessage'))
    ? 'import (\n\t"context"\n\t"encoding/json"\n)'
    : 'import "context"'
  return `${HEADER}
${imports}

// Version is that of the service which this client was printed from.
const Version = "${version}"

// API has a method for every operation that an API key can call.
type API struct {
${fields}}

func (c *Client) bind() {
${bindLines(root, 'c')}}

${structs.join('\n')}
${methods.join('\n')}`
}

const groupName = (words: readonly string[]): string => `${words.map(goName).join('')}API`

function printMembers(group: Group, prefix: string, structs: string[], methods: string[]): string {
  const words = prefix === '' ? [] : prefix.split('.')
  const rows = [...group.groups].map(([word, inner]) => {
    const path = [...words, word]
    const name = groupName(path)
    const members = printMembers(inner, path.join('.'), structs, methods)
    const own = inner.operations.size > 0 ? '\tc *Client\n' : ''
    structs.push(
      `// ${name} has the operations of ${path.join('.')}.\ntype ${name} struct {\n${aligned(own, members)}}\n`,
    )
    for (const [last, operation] of inner.operations) methods.push(printMethod(name, last, operation))
    return [goName(word), name] as const
  })
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, type]) => `\t${name.padEnd(width)} ${type}\n`).join('')
}

/** The client and the groups in one column. */
function aligned(own: string, members: string): string {
  if (own === '' || members === '') return own + members
  const width = Math.max(
    ...members
      .trimEnd()
      .split('\n')
      .map((line) => /^\t(\w+ *)/.exec(line)?.[1]?.length ?? 0),
  )
  return `\t${'c'.padEnd(width)}*Client\n${members}`
}

/** Gives the client to every group that has operations. */
function bindLines(group: Group, path: string): string {
  return [...group.groups]
    .map(([word, inner]) => {
      const field = `${path}.${goName(word)}`
      return (inner.operations.size > 0 ? `\t${field}.c = c\n` : '') + bindLines(inner, field)
    })
    .join('')
}

function printMethod(group: string, word: string, operation: PortableOperation): string {
  const { name, method, path, summary, params, query, body, idempotent, reply } = operation
  const given = [
    'ctx context.Context',
    ...params.map((param) => `${parameter(param)} string`),
    ...(body ? [`body ${body.isRequired ? goType(body.type) : `*${goType(body.type)}`}`] : []),
    ...(query.length > 0 ? [`query *${queryName(name)}`] : []),
    'options ...Option',
  ]
  const fields = [
    `name: ${JSON.stringify(name)}`,
    `method: ${JSON.stringify(method)}`,
    `path: ${pathOf(path, params)}`,
    ...(body ? ['body: body'] : []),
    ...(query.length > 0 ? ['query: query'] : []),
    ...(idempotent ? ['idempotent: true'] : []),
  ]
  const [result, helper] = resultOf(reply)
  return `// ${goName(word)}: ${summary} ${method} ${path}\nfunc (a ${group}) ${goName(word)}(${given.join(', ')}) ${result} {\n\treturn ${helper}(ctx, a.c, call{${fields.join(', ')}}, options)\n}\n`
}

function resultOf({ kind, type }: PortableOperation['reply']): readonly [result: string, helper: string] {
  if (kind === 'stream') return [`*Stream[${goType(type)}]`, `openStream[${goType(type)}]`]
  if (kind === 'json') return [`(*${goType(type)}, error)`, `fetchJSON[${goType(type)}]`]
  return kind === 'text' ? ['(string, error)', 'fetchText'] : ['([]byte, error)', 'fetchBytes']
}

/** Not a keyword, and not one of our names. */
const parameter = (param: string): string =>
  ['body', 'query', 'options', 'ctx', 'type', 'range'].includes(param) ? `${param}_` : param

const pathOf = (path: string, params: readonly string[]): string =>
  params.length === 0
    ? `fixed(${JSON.stringify(path)})`
    : `filled(${JSON.stringify(path)}, ${params.map(parameter).join(', ')})`

export const goErrors = (rows: ReturnType<typeof errorRows>): string =>
  `${HEADER}
// The codes of each status and outcome, separated by spaces. Codes below 500 that are not here are decided.
var errorTable = []errorRow{
${rows.map(([status, outcome, codes]) => `\t{${status}, ${JSON.stringify(outcome)}, ${JSON.stringify(codes.join(' '))}},\n`).join('')}}
`
