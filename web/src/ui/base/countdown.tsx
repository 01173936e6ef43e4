// A countdown in seconds.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Whole seconds until a time, never negative. */
export function useSecondsUntil(moment: number): ReadonlySignal<number> {
  const left = useSignal(secondsUntil(moment))
  useEffect(() => {
    left.value = secondsUntil(moment)
    const timer = setInterval(() => {
      left.value = secondsUntil(moment)
      if (left.value === 0) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [moment, left])
  return left
}

export function Countdown({ seconds, before, after }: { seconds: number; before: string; after: string }) {
  const end = useSignal(Date.now() + seconds * 1_000)
  const left = useSecondsUntil(end.value).value
  return (
    <span>
      {left === 0 ? after : before} {left > 0 && <bdi dir="ltr">{clockText(left)}</bdi>}
    </span>
  )
}

/** "0:45", "12:05". */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1_000))
