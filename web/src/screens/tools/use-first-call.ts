// Waits for the first model call of a key, or of any key since the page was opened.
import type { RequestRow } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { asFailure } from '../../data/failure.ts'

const EVERY_MS = 3_000
const AT_MOST_MS = 600_000

export type FirstCallState =
  | { state: 'idle' }
  | { state: 'waiting'; isUnreachable: boolean; failed: RequestRow | null }
  /** The time is over. */
  | { state: 'paused'; failed: RequestRow | null }
  | { state: 'received'; row: RequestRow }

export type CallFilter = { keyId: string } | { from: string }

/** Asks while the page is visible, until a call succeeds or the time is over. Another filter starts again. */
export function useFirstCall(filter: CallFilter | null): ReadonlySignal<FirstCallState> {
  const current = useSignal<FirstCallState>({ state: 'idle' })
  useEffect(() => {
    if (filter === null) return
    const until = Date.now() + AT_MOST_MS
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let failed: RequestRow | null = null
    async function ask(of: CallFilter) {
      const answer = document.visibilityState === 'visible' ? await newestCall(of) : 'unasked'
      if (isGone) return
      if (typeof answer === 'object' && answer !== null) {
        if (answer.code === null) {
          current.value = { state: 'received', row: answer }
          return
        }
        failed = answer
      }
      if (Date.now() >= until) current.value = { state: 'paused', failed }
      else {
        current.value = { state: 'waiting', isUnreachable: answer === 'unreachable', failed }
        timer = setTimeout(() => void ask(of), EVERY_MS)
      }
    }
    current.value = { state: 'waiting', isUnreachable: false, failed }
    void ask(filter)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [filter])
  return current
}

async function newestCall(filter: CallFilter): Promise<RequestRow | null | 'unreachable'> {
  try {
    const { requests } = await api.usage.requests({ ...filter, limit: 1 })
    return requests[0] ?? null
  } catch (error) {
    asFailure(error)
    return 'unreachable'
  }
}
