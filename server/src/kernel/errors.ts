// Every refusal the API can give, by name. docs/reference/errors.md and the OpenAPI document are printed from this table.

import type { ErrorEntry } from './error-entry.ts'
import { REFUSED_REQUESTS } from './errors-of-request.ts'
import { REFUSED_BY_US } from './errors-of-service.ts'
import { REFUSED_STATES } from './errors-of-state.ts'

export type { ErrorEntry }
export const ERRORS = { ...REFUSED_REQUESTS, ...REFUSED_STATES, ...REFUSED_BY_US } as const

export type ErrorCode = keyof typeof ERRORS
export type Field = { path: string; message: string }

/** A refusal: the caller did or met something we foresaw. Bugs are never ApiErrors. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Further fields of the answer, such as `fields` or `requiredMinor`. Never secrets. */
  readonly detail: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined

  /** `detail.error` replaces the catalogue's sentence where a more helpful one is known. */
  constructor(code: ErrorCode, detail: Record<string, unknown> = {}) {
    const entry: ErrorEntry = ERRORS[code]
    const { error, retryAfter, ...rest } = detail
    super(typeof error === 'string' ? error : entry.message)
    this.name = 'ApiError'
    this.code = code
    this.status = entry.status
    this.detail = rest
    this.retryAfter = typeof retryAfter === 'number' ? retryAfter : entry.retryAfter
  }
}

export const invalidFields = (...fields: Field[]): ApiError => new ApiError('invalid_fields', { fields })
