// A connection that could not be opened, or was lost. Errors of the server itself are those of `pg`.

export type FaultCode = 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'CONNECTION_DESTROYED' | 'CONNECT_TIMEOUT'

export class ConnectionFault extends Error {
  readonly code: string
  constructor(code: FaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** An error of the socket or of the server keeps its code; one that has none gets ours. */
export const asConnectionFault = (error: unknown): Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error : lostBecauseOf(error)

export function lostBecauseOf(error: unknown): ConnectionFault {
  const reason = error instanceof Error ? error.message : String(error)
  return new ConnectionFault('CONNECTION_CLOSED', `The connection to the database was lost: ${reason}.`, {
    cause: error,
  })
}
