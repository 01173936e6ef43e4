// The error that handlers throw. Its codes, statuses and texts are in the catalogue.
import { ERRORS, type ErrorCode, type ErrorEntry } from './error-catalogue.ts'

export { ERRORS, type ErrorCode, type ErrorEntry }
export type Field = { path: string; message: string }

/** An expected error that is returned to the caller. Bugs are never ApiErrors. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Further fields of the response, such as `fields` or `requiredMinor`. Never secrets. */
  readonly detail: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined

  /** `detail.error` replaces the message of the catalogue with a more specific one. */
  constructor(code: ErrorCode, detail: Record<string, unknown> = {}) {
    const entry = ERRORS[code]
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
