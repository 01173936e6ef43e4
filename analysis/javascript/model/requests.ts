// The request objects of the frameworks.

import type { AbstractValue } from '../../abstract-value.ts'
import { tainted } from '../../engine/values/values.ts'
import type { SourceRange } from '../../syntax/tree.ts'

/** Internal type names that rules and models recognize. */
export const REQUEST = 'Request'
export const RESPONSE = 'Response'
export const CONTEXT = 'Context'
export const UPLOAD = 'Upload'

export type SourcePosition = { readonly label: string; readonly at: SourceRange; readonly path: string }

/** The request of Express, Fastify, Hapi, Next.js and Node.js, with the member names of all of them. */
export function requestValue(source: SourcePosition): AbstractValue {
  const parts = (...names: readonly string[]) =>
    names.map((name): [string, AbstractValue] => [name, part(source, name)])
  const texts = (...names: readonly string[]) =>
    names.map((name): [string, AbstractValue] => [name, text(source, name)])
  const maps = (...names: readonly string[]) =>
    names.map((name): [string, AbstractValue] => [name, textMap(source, name)])
  return {
    taints: [],
    type: REQUEST,
    fields: new Map([
      ...parts('body', 'query', 'payload', 'rawBody'),
      ...texts('url', 'originalUrl', 'path', 'hostname', 'host', 'querystring', 'search'),
      ...maps('params', 'headers', 'cookies', 'signedCookies', 'header'),
      ['file', upload(source, 'file')],
      ['files', { taints: [], others: upload(source, 'files') }],
      ['nextUrl', { taints: [], fields: urlFields(source, 'nextUrl') }],
      ['raw', { taints: [], fields: new Map([...texts('url'), ...maps('headers')]) }],
    ]),
  }
}

/** The context of Koa and Hono, which contains the request and repeats parts of it. */
export function contextValue(source: SourcePosition): AbstractValue {
  const { fields } = requestValue(source)
  const request = requestValue({ ...source, label: `${source.label}.request` })
  const own = [...(fields ?? [])].filter(([name]) => name !== 'body' && name !== 'payload')
  return {
    taints: [],
    type: CONTEXT,
    fields: new Map([
      ...own,
      ['request', request],
      ['req', request],
      ['res', { taints: [], type: RESPONSE }],
    ]),
  }
}

/** The event of API Gateway. */
export function eventValue(source: SourcePosition): AbstractValue {
  const names = ['queryStringParameters', 'pathParameters', 'multiValueQueryStringParameters', 'headers']
  return {
    taints: [],
    fields: new Map([
      ...names.map((name): [string, AbstractValue] => [name, textMap(source, name)]),
      ['body', text(source, 'body')],
      ['rawPath', text(source, 'rawPath')],
      ['rawQueryString', text(source, 'rawQueryString')],
    ]),
  }
}

/** A value taken from a request as a whole: the body, a message or a resolver argument. */
export const requestTaint = ({ label, at, path }: SourcePosition): AbstractValue =>
  tainted('request', label, at, path)

/** The names of the files in a folder. */
export const fileNames = ({ at, path }: SourcePosition): AbstractValue => ({
  taints: [],
  type: 'list',
  fields: new Map([['length', { taints: [], type: 'number' }]]),
  others: { ...tainted('stored', 'a file name', at, path), type: 'string' },
})

const part = ({ label, at, path }: SourcePosition, name: string): AbstractValue =>
  tainted('request', `${label}.${name}`, at, path)

const text = (source: SourcePosition, name: string): AbstractValue => ({
  ...part(source, name),
  type: 'string',
})

/** Every entry is a string. */
function textMap(source: SourcePosition, name: string): AbstractValue {
  const whole = part(source, name)
  return { ...whole, others: { ...whole, type: 'string' } }
}

/** The sender controls the name and content of an upload. The server controls where it is stored. */
function upload(source: SourcePosition, name: string): AbstractValue {
  const own = (field: string): [string, AbstractValue] => [
    field,
    { ...part(source, `${name}.${field}`), type: 'string' },
  ]
  return {
    taints: [],
    type: UPLOAD,
    fields: new Map([
      own('originalname'),
      own('originalFilename'),
      own('name'),
      own('mimetype'),
      own('data'),
      own('buffer'),
    ]),
  }
}

function urlFields(source: SourcePosition, name: string): ReadonlyMap<string, AbstractValue> {
  const fields = ['pathname', 'search', 'href', 'searchParams', 'host', 'hostname']
  return new Map(fields.map((field): [string, AbstractValue] => [field, text(source, `${name}.${field}`)]))
}
