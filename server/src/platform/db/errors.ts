// Classifies database errors: retryable, temporary, or a bug.
import { ApiError } from '../../kernel/errors.ts'

const CONNECTION_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  '08001',
  '08004',
  '08P01',
])
const CONFLICT_CODES = new Set(['40001', '40P01'])
const BUSY_CODES = new Set(['57014', '55P03', '53300'])
// Disk or memory full, or the server refuses the login. Waiting may help; otherwise an operator has to act.
const UNAVAILABLE_CODES = new Set(['53100', '53200', '58030', '55000', '28000', '28P01', '3D000'])

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const isConnectionError = (error: unknown): boolean => CONNECTION_CODES.has(codeOf(error))
export const isConflict = (error: unknown): boolean => CONFLICT_CODES.has(codeOf(error))
/** Whether a node refused an operation, before any effect, because it has no longer the shard of the wallet. */
export const isShardElsewhere = (error: unknown): boolean => codeOf(error) === 'CW003'
/** Whether a unique constraint rejected the row. Domain code passes the name of the constraint. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: string }).constraint === constraint)

/** Whether the database cannot be reached or refuses the login. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionError(error) || UNAVAILABLE_CODES.has(codeOf(error))

/** An ApiError for a failure of the environment. A bug is returned unchanged. */
export function toApiError(error: unknown, committing: boolean): unknown {
  if (isConnectionError(error)) return new ApiError(committing ? 'outcome_unknown' : 'database_unavailable')
  if (isConflict(error) || isShardElsewhere(error) || BUSY_CODES.has(codeOf(error)))
    return new ApiError('busy')
  if (UNAVAILABLE_CODES.has(codeOf(error))) return new ApiError('database_unavailable')
  return error
}
