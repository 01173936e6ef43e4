// How a command ends when it does not succeed: one sentence, what to type next, the request id, and an exit code for scripts.
import { CowrieError } from '@cowrie/sdk'
import { EXIT, type Exit, exitOf } from './exits.ts'
import type { KeySource } from './service.ts'
import type { Output } from './terminal/output.ts'
import { Failure, UsageError } from './wrong.ts'

export function report(
  error: unknown,
  out: Output,
  { signal, keySource }: { signal: AbortSignal | undefined; keySource: KeySource },
): Exit {
  out.endProgress()
  // What broke off with Ctrl-C needs no words; what a command says about it does.
  if (signal?.aborted && !(error instanceof Failure)) return EXIT.cancelled
  if (error instanceof UsageError) {
    if (out.json) out.error({ error: error.message, code: 'usage' })
    else {
      out.complain(`cowrie: ${error.message}`)
      out.complain('Run "cowrie help" to see what there is.')
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
  if (!(error instanceof CowrieError)) throw error
  explain(error, out, keySource)
  return exitOf(error)
}

function explain(error: CowrieError, out: Output, keySource: KeySource): void {
  const { message, code, requestId, status, fields, retryAfter, idempotencyKey } = error
  if (out.json) {
    out.error({ error: message, code, requestId, status, fields, retryAfter, idempotencyKey })
    return
  }
  out.complain(`cowrie: ${message} (${code})`)
  for (const field of fields) out.complain(`  ${field.path}: ${field.message}`)
  if (retryAfter !== null) out.complain(`  Try again in ${retryAfter} s.`)
  const next = nextStep(error, keySource)
  if (next) out.complain(`  ${next}`)
  if (requestId) out.complain(`  ref ${requestId}`)
}

/** What to type now. */
function nextStep({ code, status }: CowrieError, keySource: KeySource): string | null {
  if (status === 401) return HINTS[keySource ?? 'none']
  if (code === 'insufficient_funds') return 'Top up with "cowrie wallet topup <amount>".'
  if (status === 0) return 'See what is reachable with "cowrie doctor".'
  return null
}

const HINTS = {
  none: 'Run "cowrie auth login", or set COWRIE_API_KEY.',
  stored: 'The stored key does not work any more; run "cowrie auth login".',
  environment: 'COWRIE_API_KEY does not work here; check it and the address.',
} as const
