// Parameters of callbacks: messages, names of files, resolvers and tools.

import type { AbstractValue } from '../../abstract-value.ts'
import { nameOf, type ParameterQuery } from './parameter-query.ts'
import { fileNames, REQUEST, requestTaint } from './requests.ts'

/** `socket.on('message', (data) => …)`, `window.addEventListener('message', …)` and the chunks of a body. */
export function fromMessage({
  index,
  registered,
  source,
  where,
  name,
}: ParameterQuery): AbstractValue | undefined {
  if (!registered || index !== 0) return undefined
  const { by } = registered
  if (by === `${REQUEST}#on`) return requestTaint({ ...source, label: 'the request body' })
  const isListener = /(?:^|[.#])on$/.test(by)
  if (
    isListener &&
    where.imports(/^(?:socket\.io|ws|sockjs)$/) &&
    !/^(?:socket|ws|client|conn|err|error|e|code|reason)\w*$/.test(name)
  )
    return requestTaint({ ...source, label: `the message ${name}` })
  return undefined
}

/** `fs.readdir(folder, (error, names) => …)`. A user who can store a file chooses its name. */
export function fromFolder({ index, registered, source }: ParameterQuery): AbstractValue | undefined {
  if (index !== 1 || !/^(?:fs|fs-extra|graceful-fs)\.readdir$/.test(registered?.by ?? '')) return undefined
  return fileNames(source)
}

/** The second parameter of a GraphQL resolver holds the arguments of the query. */
export function fromResolver({
  index,
  definition,
  where,
  source,
}: ParameterQuery): AbstractValue | undefined {
  const [first] = definition.parameters
  if (index !== 1 || !first || !where.imports(/graphql|apollo|mercurius|yoga/)) return undefined
  if (!/^(?:_+|parent|_parent|root|_root|obj|source|_source)$/.test(nameOf(first))) return undefined
  return requestTaint({ ...source, label: 'the query arguments' })
}

/** The arguments of a tool of the Model Context Protocol. A model chooses them, and follows texts it reads. */
export function fromTool({ index, registered, where, source }: ParameterQuery): AbstractValue | undefined {
  if (
    index !== 0 ||
    !registered ||
    !/(?:^|[.#])(?:tool|registerTool|addTool|setRequestHandler)$/.test(registered.by)
  )
    return undefined
  if (!where.imports(/^(?:@modelcontextprotocol\/|fastmcp|mcp-framework)/)) return undefined
  return requestTaint({ ...source, label: 'the tool arguments' })
}
