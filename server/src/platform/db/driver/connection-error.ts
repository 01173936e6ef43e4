// Errors of connections that could not be opened or were lost. Errors that the server reports are those of `pg`.

export type ConnectionErrorCode =
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_ENDED'
  | 'CONNECTION_DESTROYED'
  | 'CONNECT_TIMEOUT'

export class ConnectionError extends Error {
  readonly code: string
  constructor(code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Keeps an error that has a code. Any other error becomes a ConnectionError. */
export const toConnectionError = (error: unknown): Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error
    : connectionLostError(error)

export function connectionLostError(error: unknown): ConnectionError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ConnectionError('CONNECTION_CLOSED', `The connection to the database was lost: ${reason}.`, {
    cause: error,
  })
}
