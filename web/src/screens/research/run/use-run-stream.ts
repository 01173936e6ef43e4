// The frames of a run for as long as a screen shows it.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, problem } from '../../../data/failure.ts'
import { isSaving } from '../../../data/preferences/data-saver.ts'
import { t } from '../../../i18n/t.ts'
import { follow, type Link } from './follow-stream.ts'
import { type Frame, withFrames } from './run-state.ts'

export type Following = {
  readonly frames: ReadonlySignal<readonly Frame[]>
  readonly link: ReadonlySignal<Link>
  /** How many frames came with the last connection that had to be made again; null while none had to. */
  readonly caughtUp: ReadonlySignal<number | null>
  readonly refused: ReadonlySignal<ApiFailure | null>
}

/** A replay comes in one go: it is drawn a few times, not once for every frame. */
const GATHER_MS = 80
/** Networks forget connections of a phone that slept for so long, and neither side is told. */
const SLEPT_MS = 20_000

/** Only while it is wanted; what was heard stays. */
export function useFollowing(id: string, isWanted: boolean): Following {
  const frames = useSignal<readonly Frame[]>([])
  const link = useSignal<Link>('joining')
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
    const follower = follow({
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
  return { frames, link, caughtUp, refused }
}

/** By hand, because it must be known when there is a connection, also while nothing is said on it. */
async function openStream(id: string, after: number, signal: AbortSignal): Promise<AsyncIterable<Frame>> {
  const { frames } = await api.request('GET', `/research/${encodeURIComponent(id)}/stream`, {
    query: { after },
    headers: { accept: 'text/event-stream' },
    signal,
    retries: 0,
  })
  if (!frames)
    throw problem(t('Something else answered in place of the service.'), { code: 'malformed_reply' })
  return frames as AsyncIterable<Frame>
}
