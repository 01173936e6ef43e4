// Prints the Python client: a table of operations, types for replies and bodies, and the signatures of the methods.
import type { errorRows } from './generate-errors.ts'
import {
  capital,
  type Description,
  type Field,
  type Group,
  groupOperations,
  type PortableOperation,
  type Type,
} from './portable.ts'

const HEADER = '# Printed from openapi.json by `npm run print`; do not edit.\n'
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** `toolResults` is `tool_results`, and `from` is `from_`. */
export const pythonName = (name: string): string => {
  const snake = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).toLowerCase()
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}

export function pythonOperations(
  { operations }: Description,
  version: string,
  errors: ReturnType<typeof errorRows>,
): string {
  const rows = operations.map(({ name, method, path, params, query, body, idempotent, reply }) => {
    const fields = [
      ['params', `(${params.map((param) => `${quote(param)},`).join(' ')})`],
      [
        'query',
        `{${query.map((field) => `${quote(pythonName(field.name))}: ${quote(field.name)}`).join(', ')}}`,
      ],
      ['body', body ? quote(body.isRequired ? 'required' : 'optional') : 'None'],
      ['idempotent', idempotent ? 'True' : 'False'],
      ['reply', quote(reply.kind)],
    ]
    return `    ${quote(name.split('.').map(pythonName).join('.'))}: Operation(${quote(method)}, ${quote(path)}, ${fields.map(([key, value]) => `${key}=${value}`).join(', ')}),\n`
  })
  const codes = errors.map(
    ([status, outcome, members]) => `    (${status}, ${quote(outcome)}, ${quote(members.join(' '))}),\n`,
  )
  return `${HEADER}from ._operation import Operation

VERSION = ${quote(version)}

OPERATIONS = {
${rows.join('')}}

#: The codes of each status and outcome, separated by spaces. Codes below 500 that are not here are decided.
ERRORS = (
${codes.join('')})
`
}

export function pythonTypes({ types }: Description): string {
  const declared = types.map(({ name, description, fields }) => {
    const doc = description === '' ? '' : `    """${escapeDoc(description)}"""\n\n`
    const required = fields.filter(({ isRequired }) => isRequired)
    const optional = fields.filter(({ isRequired }) => !isRequired)
    const isWritable = fields.every(
      (field) => pythonName(field.name).replace(/_$/, '') === pythonName(field.name),
    )
    if (!isWritable) return functional(name, description, fields)
    if (optional.length === 0) return `class ${name}(TypedDict):\n${doc}${required.map(fieldLine).join('')}`
    if (required.length === 0)
      return `class ${name}(TypedDict, total=False):\n${doc}${optional.map(fieldLine).join('')}`
    return `class _${name}(TypedDict):\n${required.map(fieldLine).join('')}\n\nclass ${name}(_${name}, total=False):\n${doc}${optional.map(fieldLine).join('')}`
  })
  return `${HEADER}#
# Replies and bodies are plain dictionaries with the field names of the API. Amounts in "…Minor" are integers.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict

${declared.map((text) => `\n${text}`).join('\n')}`
}

/** For a type with a field such as \`from\`, which a class cannot have. */
function functional(name: string, description: string, fields: readonly Field[]): string {
  const line = (field: Field) => `        ${quote(field.name)}: ${quote(pythonType(field))},\n`
  const comment = description === '' ? '' : `# ${description}\n`
  const base = `_${name} = TypedDict(\n    "_${name}",\n    {\n${fields
    .filter(({ isRequired }) => isRequired)
    .map(line)
    .join('')}    },\n)\n`
  const rest = fields.filter(({ isRequired }) => !isRequired)
  return `${comment}${base}\n_${name}Optional = TypedDict(\n    "_${name}Optional",\n    {\n${rest.map(line).join('')}    },\n    total=False,\n)\n\n\nclass ${name}(_${name}, _${name}Optional):\n    pass\n`
}

function fieldLine(field: Field): string {
  const comment = field.description === '' ? '' : `    # ${field.description}\n`
  return `${comment}    ${field.name}: ${pythonType(field)}\n`
}

const pythonType = ({ type, isNullable }: Pick<Field, 'type' | 'isNullable'>): string =>
  isNullable && type.kind !== 'any' ? `Optional[${plainType(type)}]` : plainType(type)

function plainType(type: Type): string {
  switch (type.kind) {
    case 'string':
      return type.values.length === 0 ? 'str' : `Literal[${type.values.map(quote).join(', ')}]`
    case 'list':
      return `List[${plainType(type.item)}]`
    case 'map':
      return `Dict[str, ${plainType(type.item)}]`
    case 'named':
      return type.name
    case 'any':
      return 'Any'
    default:
      return type.kind
  }
}

/** The signatures for editors and type checkers. The methods themselves are bound from the table. */
export function pythonStubs({ types, operations }: Description): string {
  const classes: string[] = []
  const root = groupOperations(operations)
  const sync = printGroup(root, 'Api', false, classes)
  const async_ = printGroup(root, 'AsyncApi', true, classes)
  return `${HEADER}from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Union

from ._operation import Operation
from .types import (
${types.map(({ name }) => `    ${name} as ${name},\n`).join('')})

${classes.join('\n')}
${sync}
${async_}
def bind(client: object, table: Mapping[str, Operation], make: Callable[[str, Operation], Any]) -> None: ...
`
}

function printGroup(group: Group, name: string, isAsync: boolean, classes: string[]): string {
  const members: string[] = []
  for (const [word, inner] of group.groups) {
    const innerName = `${name.replace(/Api$/, '')}${capital(word)}Api`
    classes.push(printGroup(inner, innerName, isAsync, classes))
    members.push(`    @property\n    def ${pythonName(word)}(self) -> ${innerName}: ...\n`)
  }
  for (const [word, operation] of group.operations) members.push(signature(word, operation, isAsync))
  return `class ${name}:\n${members.join('')}`
}

function signature(word: string, operation: PortableOperation, isAsync: boolean): string {
  const { params, query, body, idempotent, reply, method, path, summary } = operation
  const optional = [...query].sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
  const given = [
    'self',
    ...params.map((param) => `${pythonName(param)}: str`),
    ...(body ? [`body: ${bodyType(body.type)}${body.isRequired ? '' : ' = ...'}`] : []),
    '*',
    ...optional.map((field) => {
      const type = plainType(field.type)
      return `${pythonName(field.name)}: ${field.isRequired ? type : `Optional[${type}] = ...`}`
    }),
    ...(idempotent ? ['idempotency_key: Optional[str] = ...'] : []),
    'timeout: Optional[float] = ...',
    'retries: Optional[int] = ...',
    'headers: Optional[Mapping[str, str]] = ...',
  ]
  const isStream = reply.kind === 'stream'
  const result =
    reply.kind === 'json'
      ? plainType(reply.type)
      : reply.kind === 'text'
        ? 'str'
        : reply.kind === 'bytes'
          ? 'bytes'
          : `${isAsync ? 'AsyncIterator' : 'Iterator'}[${plainType(reply.type)}]`
  return `    ${isAsync && !isStream ? 'async ' : ''}def ${pythonName(word)}(${given.join(', ')}) -> ${result}:\n        """${escapeDoc(`${summary} \`${method} ${path}\``)}"""\n`
}

const bodyType = (type: Type): string =>
  type.kind === 'named' ? `Union[${type.name}, Mapping[str, Any]]` : 'Mapping[str, Any]'
const quote = (text: string): string => JSON.stringify(text)
const escapeDoc = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
