// The events of a run while a screen shows it.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, problem } from '../../../data/failure.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import { t } from '../../../i18n/t.ts'
import { type ConnectionState, followStream } from './follow-stream.ts'
import { type Frame, withFrames } from './run-state.ts'

export type RunStream = {
  readonly frames: ReadonlySignal<readonly Frame[]>
  readonly link: ReadonlySignal<ConnectionState>
  /** The number of events replayed by the last reconnect; null before the first. */
  readonly caughtUp: ReadonlySignal<number | null>
  readonly failure: ReadonlySignal<ApiFailure | null>
}

/** A replay arrives at once, so render it in batches. */
const GATHER_MS = 80
/** After such a sleep networks have dropped the connection without notice. */
const SLEPT_MS = 20_000

/** Follows only while `isWanted`; received events stay. */
export function useRunStream(id: string, isWanted: boolean): RunStream {
  const frames = useSignal<readonly Frame[]>([])
  const link = useSignal<ConnectionState>('joining')
  const caughtUp = useSignal<number | null>(null)
  const refused = useSignal<ApiFailure | null>(null)
  useEffect(() => {
    if (!isWanted) return
    let gathered: Frame[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasLost = false
    function draw(): void {
      timer = undefined
      const before = frames.peek()
      const after = withFrames(before, gathered)
      gathered = []
      frames.value = after
      if (wasLost) caughtUp.value = (caughtUp.peek() ?? 0) + after.length - before.length
    }
    const follower = followStream({
      open: (after, signal) => openStream(id, after, signal),
      take(frame) {
        gathered.push(frame)
        timer ??= setTimeout(draw, GATHER_MS)
      },
      say(next) {
        if (next === 'lost') {
          wasLost = true
          caughtUp.value = 0
        }
        link.value = next
      },
      refuse(failure) {
        refused.value = failure
      },
    })
    let hiddenAt = performance.now()
    function look(): void {
      if (!document.hidden) follower.wake(performance.now() - hiddenAt > SLEPT_MS)
      else if (isSaving.peek()) follower.rest()
      hiddenAt = performance.now()
    }
    const wake = () => follower.wake(true)
    document.addEventListener('visibilitychange', look)
    addEventListener('online', wake)
    return () => {
      follower.stop()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('online', wake)
    }
  }, [id, isWanted])
  return { frames, link, caughtUp, failure: refused }
}

/** Opened by hand, because the caller must know when the connection stands, even before the first event. */
async function openStream(id: string, after: number, signal: AbortSignal): Promise<AsyncIterable<Frame>> {
  const { frames } = await api.request('GET', `/research/${encodeURIComponent(id)}/stream`, {
    query: { after },
    headers: { accept: 'text/event-stream' },
    signal,
    retries: 0,
  })
  if (!frames) throw problem(t('The response did not come from Cowrie.'), { code: 'malformed_reply' })
  return frames as AsyncIterable<Frame>
}
