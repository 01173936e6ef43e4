// The sample request of an operation, from the document.
import { exampleOf } from '../example.ts'
import type { ListedOperation, Operation, Schemas } from './document.ts'
import { type Credential, FORM_TYPE, placeholder, type SampleCall } from './print-sample.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

export function sampleCall({ method, path, operation }: ListedOperation, schemas: Schemas): SampleCall {
  const { parameters = [], requestBody } = operation
  const placed = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => placeholder(name))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema = {} }) => [name, exampleOf(schema, schemas, 'request')] as const)
  const [type = JSON_TYPE, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = media?.example
  const key = operation['x-idempotency'] === 'required' ? { 'idempotency-key': 'a-new-key-per-intent' } : {}
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name))
  const search = new URLSearchParams(Object.fromEntries(query.map(([name, value]) => [name, String(value)])))
  const values = [
    ...placed,
    ...(body === undefined ? [] : [body]),
    ...(query.length > 0 ? [Object.fromEntries(query)] : []),
  ]
  return {
    method,
    address: search.size > 0 ? `${address}?${search}` : address,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...key },
    body,
    sdk: isInSdk(path, operation)
      ? { name: operation.operationId, values, streams: streams(operation) }
      : null,
    credential: credentialOf(operation),
  }
}

/**
 * The SDK has no MCP, no forms, and no redirects for browsers. Where the body chooses between JSON and a stream, it only has the
 * stream, and the example asks for JSON.
 */
function isInSdk(path: string, operation: Operation): boolean {
  const { requestBody, responses } = operation
  const types = Object.keys(responses[200]?.content ?? {})
  const isChosenByBody =
    types.length > 1 && types.includes(STREAM_TYPE) && operation['x-streams'] !== 'accept'
  const isForm = requestBody?.content[FORM_TYPE] !== undefined
  const succeeds = Object.keys(responses).some((status) => status.startsWith('2'))
  return path !== '/mcp' && !isForm && !isChosenByBody && succeeds
}

export const streams = ({ responses }: Operation): boolean =>
  Object.keys(responses[200]?.content ?? {}).join() === STREAM_TYPE

/** By scheme of the document, most useful first. */
const CREDENTIALS: Readonly<Record<string, Credential>> = {
  apiKey: { header: 'authorization', prefix: 'Bearer ', variable: 'COWRIE_API_KEY' },
  metricsToken: { header: 'authorization', prefix: 'Bearer ', variable: 'METRICS_TOKEN' },
  internalSecret: { header: 'x-internal-secret', prefix: '', variable: 'INTERNAL_SECRET' },
  session: { header: 'cookie', prefix: 'service_session=', variable: 'COWRIE_SESSION' },
}

export function credentialOf({ security = [] }: Operation): Credential | null {
  const accepted = security.flatMap((scheme) => Object.keys(scheme))
  const [, credential = null] = Object.entries(CREDENTIALS).find(([name]) => accepted.includes(name)) ?? []
  return credential
}
