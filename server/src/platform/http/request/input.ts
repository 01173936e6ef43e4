// What a request brings, through the shapes of its route.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError, type Field } from '../../../kernel/errors.ts'
import { fieldErrors } from '../reply/error-response.ts'
import type { RequestInfo, Route } from '../route.ts'
import { parseBody, parseForm } from './parse-body.ts'

export type Input = { params: unknown; query: unknown; body: unknown; given: unknown }

/** Params, query and body through their shapes; all that is wrong is told at once. */
export function readInput(route: Route, request: FastifyRequest, info: RequestInfo): Input {
  const fields: Field[] = []
  const take = (shape: z.ZodType, value: unknown, place?: 'query') => {
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    fields.push(...fieldErrors(parsed.error.issues, place))
    return undefined
  }
  // An absent body is an empty one: a route whose fields are all optional can be called without any.
  const read = route.form ? parseForm : (raw: Buffer) => parseBody(raw, route.takesAnyText)
  const given = route.body ? (info.raw?.length ? read(info.raw) : {}) : undefined
  const body = route.body ? take(route.body, given) : undefined
  const query = route.query ? take(route.query, request.query, 'query') : undefined
  const params = route.params ? route.params.safeParse(request.params) : null
  if (params && !params.success) throw new ApiError('not_found')
  if (fields.length > 0) throw new ApiError('invalid_fields', { fields })
  return { params: params ? params.data : request.params, query, body, given }
}
