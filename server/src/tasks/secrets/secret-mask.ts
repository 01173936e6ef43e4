// The secret mask of a task, which searches for secrets on the worker threads.
import { isSecretFile, type SecretSpan } from '@cowrie/analysis/secret-formats/secrets.ts'
import { createMask, type SecretMask, type SpanFinder } from '@cowrie/workspace/secrets/secret-mask.ts'
import { findSecretSpans } from '../../agent/agent.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { TaskTimeout } from '../../platform/workers/workers.ts'

export type { SecretMask } from '@cowrie/workspace/secrets/secret-mask.ts'

export type SecretMaskOptions = {
  /** Random and private to the server, at least 16 bytes: placeholders are derived from it. No model may see it. */
  readonly nonce: string
  /** The organisation, for fair scheduling on the worker threads. */
  readonly owner: OrgId
  /** Files that the caller named together with `allowSecrets`. */
  readonly allowedPaths: ReadonlySet<string>
  /** For one text. Default: 10 s. */
  readonly timeoutMs?: number
}

export const createSecretMask = ({ nonce, owner, allowedPaths, timeoutMs }: SecretMaskOptions): SecretMask =>
  createMask({ nonce, allowedPaths, isSecretFile, findSpans: createSpanFinder(owner, timeoutMs) })

const TEXTS_REMEMBERED = 50

/** Remembers the last text of each path, because tools mostly read the same files. */
function createSpanFinder(owner: OrgId, timeoutMs: number | undefined): SpanFinder {
  const last = new Map<string, { readonly text: string; readonly spans: readonly SecretSpan[] }>()
  return async (path, text) => {
    const before = last.get(path)
    if (before?.text === text) return before.spans
    try {
      const [spans = []] = await findSecretSpans([text], owner, timeoutMs)
      last.delete(path)
      last.set(path, { text, spans })
      const [oldest] = last.keys()
      if (last.size > TEXTS_REMEMBERED && oldest !== undefined) last.delete(oldest)
      return spans
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'busy'
      if (error instanceof TaskTimeout || isBusy) return undefined
      throw error
    }
  }
}
