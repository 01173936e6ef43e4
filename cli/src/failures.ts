// How a command ends when it does not succeed: one sentence, the code, the request id, and an exit code for scripts.
import { CowrieError } from '@cowrie/sdk'
import { Failure, UsageError } from './command.ts'
import type { Output } from './output.ts'
import type { KeySource } from './service.ts'

export const EXIT = { ok: 0, refused: 1, usage: 2, network: 3, interrupted: 130 } as const

export function report(
  error: unknown,
  out: Output,
  { signal, keySource }: { signal: AbortSignal | undefined; keySource: KeySource },
): number {
  if (signal?.aborted) return EXIT.interrupted
  if (error instanceof UsageError) {
    out.note(`cowrie: ${error.message}`)
    out.note('Run "cowrie help" to see what there is.')
    return EXIT.usage
  }
  if (error instanceof Failure) {
    if (out.json) out.error({ error: error.message, code: error.code })
    else out.note(`cowrie: ${error.message} (${error.code})`)
    return EXIT.refused
  }
  if (!(error instanceof CowrieError)) throw error
  explain(error, out, keySource)
  return error.status === 0 ? EXIT.network : EXIT.refused
}

function explain(error: CowrieError, out: Output, keySource: KeySource): void {
  const { message, code, requestId, status, fields, retryAfter } = error
  if (out.json) {
    out.error({ error: message, code, requestId, status, fields, retryAfter })
    return
  }
  out.note(`cowrie: ${message} (${code}${requestId ? `, request ${requestId}` : ''})`)
  for (const field of fields) out.note(`  ${field.path}: ${field.message}`)
  if (retryAfter !== null) out.note(`  Try again in ${retryAfter} s.`)
  if (code === 'unauthenticated') out.note(`  ${HINTS[keySource ?? 'none']}`)
}

const HINTS = {
  none: 'Run "cowrie login", or set COWRIE_API_KEY.',
  stored: 'The stored key does not work any more; run "cowrie login".',
  environment: 'COWRIE_API_KEY does not work here; check it and the address.',
} as const
