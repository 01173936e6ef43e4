// Reports a failed command: one sentence, the next step, the request id, and the exit code.
import { CowrieError } from '@cowrie/sdk'
import { SCOPES } from './auth/keys.ts'
import type { KeySource } from './auth/service.ts'
import { Failure, UsageError } from './errors.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import type { Output } from './terminal/output.ts'

export function reportError(
  error: unknown,
  out: Output,
  {
    signal,
    keySource,
    name,
  }: { signal: AbortSignal | undefined; keySource: KeySource; name?: string | undefined },
): ExitCode {
  out.endProgress()
  // Ctrl-C needs no message, unless the command has one.
  if (signal?.aborted && !(error instanceof Failure)) return EXIT.cancelled
  if (error instanceof UsageError) {
    if (out.json) out.error({ error: error.message, code: 'usage' })
    else {
      out.complain(`cowrie: ${error.message}`)
      const about = error.command ?? name
      out.complain(`Run "cowrie help${about ? ` ${about}` : ''}" for usage.`)
    }
    return EXIT.usage
  }
  if (error instanceof Failure) {
    const { message, code, next, exit } = error
    if (out.json) out.error({ error: message, code, next })
    else {
      out.complain(`cowrie: ${message} (${code})`)
      if (next) out.complain(`  ${next}`)
    }
    return exit
  }
  if (isFileError(error)) {
    if (out.json) out.error({ error: error.message, code: 'file_unusable' })
    else out.complain(`cowrie: ${error.message} (file_unusable)`)
    return EXIT.failed
  }
  if (!(error instanceof CowrieError)) throw error
  reportApiError(error, out, keySource)
  return exitCodeOf(error)
}

/** A file system error, such as a full disk or missing permission. A stack trace would not help. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error

function reportApiError(error: CowrieError, out: Output, keySource: KeySource): void {
  const { message, code, requestId, status, fields, retryAfter, idempotencyKey } = error
  if (out.json) {
    out.error({ error: message, code, requestId, status, fields, retryAfter, idempotencyKey })
    return
  }
  out.complain(
    `cowrie: ${code === 'unauthenticated' ? UNAUTHENTICATED[keySource ?? 'none'] : withoutField(message)} (${code})`,
  )
  for (const field of fields) out.complain(`  ${field.path}: ${field.message}`)
  if (retryAfter !== null) out.complain(`  Try again in ${retryAfter} s.`)
  const next = nextStep(error, keySource)
  if (next) out.complain(`  ${next}`)
  if (requestId) out.complain(`  ref ${requestId}`)
}

/** The service names a field of its answer, which users of the CLI never see. */
const withoutField = (message: string): string => message.replace(' Allow at least "requiredMinor".', '')

/** The next step for the user. */
function nextStep({ code, status }: CowrieError, keySource: KeySource): string | null {
  if (status === 401) return HINTS[keySource ?? 'none']
  if (code === 'insufficient_scope') return SCOPE_HINTS[keySource ?? 'none']
  if (code === 'session_required') return 'Use the app: run "cowrie open".'
  if (code === 'second_factor_required')
    return 'A terminal cannot use a passkey. Add an authenticator app in your security settings, or use the app: run "cowrie open".'
  if (code === 'budget_too_low')
    return 'Allow more with --budget or --max-cost, or in a session with /budget.'
  if (code === 'insufficient_funds') return 'Top up with "cowrie wallet topup <amount>".'
  if (status === 0) return 'Check the connection with "cowrie doctor".'
  return null
}

/** The service's message mentions headers, which CLI users never write. */
const UNAUTHENTICATED = {
  none: 'You are not signed in.',
  stored: 'The stored key was revoked or has expired.',
  environment: 'The key in COWRIE_API_KEY is not valid for this service.',
} as const

const HINTS = {
  none: 'Run "cowrie auth login", or set COWRIE_API_KEY.',
  stored: 'Run "cowrie auth login".',
  environment: 'Check the key and the address with "cowrie doctor".',
} as const

const SCOPE_HINTS = {
  none: null,
  stored: `Sign in with more scopes: cowrie auth login --scopes ${SCOPES.join(',')}`,
  environment: `Set COWRIE_API_KEY to a key with that scope. Scopes: ${SCOPES.join(', ')}.`,
} as const
