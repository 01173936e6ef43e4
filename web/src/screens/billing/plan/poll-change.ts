// Polls a change whose payment is pending.
import { useEffect } from 'preact/hooks'
import { isSaving } from '../../../data/preferences/data-saver.ts'

const PAUSE_MS = 5_000
const SAVING_PAUSE_MS = 15_000
/** A bank has half an hour. */
const POLL_MAX_MS = 1_800_000

export function usePollChange(isChanging: boolean, look: () => Promise<void>): void {
  useEffect(() => {
    if (!isChanging) return
    const until = Date.now() + POLL_MAX_MS
    const timer = setInterval(
      () => {
        if (Date.now() > until) clearInterval(timer)
        else if (!document.hidden) void look()
      },
      isSaving.peek() ? SAVING_PAUSE_MS : PAUSE_MS,
    )
    return () => clearInterval(timer)
  }, [isChanging])
}
