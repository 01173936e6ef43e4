// From the value that a handler returns to the bytes that are sent and, under an idempotency key, stored.
import type { z } from 'zod'
import { assert } from '../../../kernel/assert.ts'
import { toJson } from '../../../kernel/json.ts'
import { Answer } from '../answer.ts'
import type { EncodedReply } from '../idempotency/idempotency.ts'
import { RecordedStream } from '../idempotency/recorded-stream.ts'
import { fieldErrors } from '../reply/error-response.ts'
import { streamFormatOf } from '../reply/stream-format.ts'
import { isRaw, type Route } from '../route.ts'
import type { Exchange } from './exchange.ts'

export function encodeReply({ endpoint, request }: Exchange, outcome: unknown): EncodedReply {
  const { route, successStatus, jsonType, checksReplies } = endpoint
  if (route.stream && !route.lastFrame && !(outcome instanceof Answer)) {
    const { contentType, frame } = streamFormatOf(request.url, request.headers)
    const text = outcome instanceof RecordedStream ? outcome.text : frame(outcome as object)
    return { status: 200, contentType, text }
  }
  const status = outcome instanceof Answer ? outcome.status : successStatus
  const body = outcome instanceof Answer ? outcome.body : outcome
  const type = outcome instanceof Answer ? outcome.headers['content-type'] : undefined
  if (type !== undefined) {
    requireDescribedType(route, type)
    return { status, contentType: type, text: body as string }
  }
  const spec = route.reply[status]
  assert(spec, `${route.name} describes its reply with status ${status}`)
  if (isRaw(spec))
    return { status, contentType: spec.contentType || 'text/plain; charset=utf-8', text: body as string }
  if (checksReplies) requireShape(route, spec, body)
  return { status, contentType: jsonType, text: toJson(body) }
}

export function requireDescribedType(route: Route, type: string): void {
  const isDescribed = Object.hasOwn(route.also, type.split(';')[0] ?? '')
  assert(isDescribed, `${route.name} describes its replies of type ${type}`)
}

function requireShape(route: Route, shape: z.ZodType, body: unknown): void {
  const checked = shape.safeParse(body)
  assert(
    checked.success,
    `the reply of ${route.name} has its described shape: ${checked.success ? '' : toJson(fieldErrors(checked.error.issues))}`,
  )
  // Parsing drops unknown fields, but a client that validates against the document rejects them.
  const undescribed = findUndescribed(body, checked.data)
  assert(undescribed === null, `${undescribed} in the reply of ${route.name} is described`)
}

/** The path of the first field of a reply that its shape does not name; null when there is none. */
function findUndescribed(reply: unknown, parsed: unknown, path = ''): string | null {
  if (!isContainer(reply) || !isContainer(parsed)) return null
  for (const [name, value] of Object.entries(reply)) {
    if (value === undefined) continue
    const at = path === '' ? name : `${path}.${name}`
    if (!Object.hasOwn(parsed, name)) return at
    const found = findUndescribed(value, (parsed as Record<string, unknown>)[name], at)
    if (found !== null) return found
  }
  return null
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
