// Asks a provider for its list of models, to learn whether it answers and accepts our key.
import type { App } from '../../app.ts'
import type { ProviderWire, Target } from '../model-request.ts'
import { getPool } from './connection-pool.ts'
import { isAccountRejection, isRetryable } from './response-status.ts'
import { authHeaders } from './send.ts'

export type ProbeResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly isRejected: boolean; readonly error: string }

const TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 64 * 1024

/** The address of the list below the base URL. */
const MODELS_PATH: Readonly<Record<ProviderWire, string>> = {
  openai: '/models',
  anthropic: '/v1/models',
  gemini: '/v1beta/models',
}

/** Never rejects. A service without the list answers 404 or 405 and is alive. */
export async function probeUpstream(app: App, target: Target, signal: AbortSignal): Promise<ProbeResult> {
  const { connectMs, firstByteMs } = app.config.upstreamTimeouts
  const timeoutMs = Math.min(TIMEOUT_MS, firstByteMs)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const { statusCode, body } = await getPool(target.baseUrl, connectMs).request({
      method: 'GET',
      path: `${new URL(target.baseUrl).pathname.replace(/\/+$/, '')}${MODELS_PATH[target.wire ?? 'openai']}`,
      headers: { accept: 'application/json', 'user-agent': 'cowrie', ...authHeaders(target) },
      signal: AbortSignal.any([timeout, signal]),
    })
    // A longer list is cut off by closing the connection. The status has already answered the question.
    await body.dump({ limit: BODY_BYTES_MAX }).catch(() => undefined)
    return resultOf(statusCode)
  } catch (error) {
    const reason = timeout.aborted
      ? `The provider gave no answer within ${timeoutMs} ms.`
      : `The provider cannot be reached${codeOf(error)}.`
    return { ok: false, isRejected: false, error: reason }
  }
}

function resultOf(status: number): ProbeResult {
  if (isAccountRejection(status))
    return {
      ok: false,
      isRejected: true,
      error: `The provider rejects our key or account with status ${status}.`,
    }
  if (isRetryable(status))
    return { ok: false, isRejected: false, error: `The provider returns status ${status}.` }
  return { ok: true }
}

/** Only the code: the message of a connection error may contain an address. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : ''
}
