// Failed requests.
import { CowrieError } from '@cowrie/sdk'

export { CowrieError as ApiFailure }

/** Rethrows everything that is not a failed request: that is a bug and must not be shown as a failure. */
export function asFailure(error: unknown): CowrieError {
  if (error instanceof CowrieError) return error
  throw error
}

/** A failure that the app itself reports. With a `path` the form shows it at that field. */
export const problem = (message: string, { code = 'invalid_fields', path = '' } = {}): CowrieError =>
  new CowrieError({ status: 422, code, message, fields: path ? [{ path, message }] : [] })
