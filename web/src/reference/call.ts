// The form of "Try it" as a request to send, and as the request of the samples beside it.
import {
  type Credential,
  FORM_TYPE,
  placeholder,
  type SampleCall,
} from '../../../server/src/platform/http/openapi/docs/print-sample.ts'
import { parseExactly } from './exact-json.ts'

export type ParameterLocation = 'path' | 'query' | 'header'
export type Field = { name: string; place: ParameterLocation; value: string }
/** A body as typed, with its media type. */
export type Body = { text: string; type: string }
export type Call = { method: string; address: string; headers: Record<string, string>; body: string | null }
export type Operation = {
  name: string
  method: string
  path: string
  sample: { isInSdk: boolean; streams: boolean; credential: Credential | null }
}

/** Omits empty fields. The address always starts with the path of the operation, so it stays on this origin. */
export function buildCall(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  fields: readonly Field[],
  body: Body | null,
): Call {
  const filled = fields.filter(({ value }) => value !== '')
  const of = (place: ParameterLocation) => filled.filter((field) => field.place === place)
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(of('path').find((field) => field.name === name)?.value ?? ''),
  )
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]))
  return {
    method,
    address: query.size > 0 ? `${address}?${query}` : address,
    headers: {
      ...(body === null ? {} : { 'content-type': body.type }),
      ...Object.fromEntries(of('header').map(({ name, value }) => [name.toLowerCase(), value])),
    },
    body: body?.text ?? null,
  }
}

/** The same request for the samples; null while the body is not valid. Empty path fields are placeholders. */
export function sampleOf(
  operation: Operation,
  fields: readonly Field[],
  body: Body | null,
): SampleCall | null {
  const { isInSdk, streams, credential } = operation.sample
  const placed = fields.map((field) =>
    field.place === 'path' && field.value === '' ? { ...field, value: placeholder(field.name) } : field,
  )
  const { method, address, headers } = buildCall(operation, placed, body)
  const value = body && bodyValue(body)
  if (value === undefined) return null
  const of = (place: ParameterLocation) =>
    placed.filter((field) => field.place === place && field.value !== '')
  const query = of('query').map(({ name, value: text }) => [name, queryValue(text)] as const)
  const values = [
    ...of('path').map(({ value: text }) => text),
    ...(body ? [value] : []),
    ...(query.length > 0 ? [Object.fromEntries(query)] : []),
  ]
  return {
    method,
    address,
    headers,
    body: body ? value : undefined,
    sdk: isInSdk ? { name: operation.name, values, streams } : null,
    credential,
  }
}

function bodyValue({ text, type }: Body): unknown {
  if (type === FORM_TYPE) return Object.fromEntries(new URLSearchParams(text))
  try {
    return parseExactly(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const queryValue = (text: string): unknown => {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}
