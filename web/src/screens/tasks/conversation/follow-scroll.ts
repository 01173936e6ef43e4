// Scrolls with the answer while the user is at its end. Scrolling up stops it.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

const NEAR_PX = 120

export type FollowScroll = {
  /** Whether there is more text below. */
  readonly isBehind: ReadonlySignal<boolean>
  toNewest(): void
}

/** `box` scrolls itself on a desktop; on a phone the page does. `log` grows inside it. */
export function useFollowScroll(
  box: RefObject<HTMLElement | null>,
  log: RefObject<HTMLElement | null>,
  isRunning: boolean,
): FollowScroll {
  const isBehind = useSignal(false)
  const isFollowing = useRef(true)
  const lastTop = useRef(0)

  const scroller = (): Element =>
    box.current && getComputedStyle(box.current).overflowY === 'auto' ? box.current : document.documentElement
  const distance = (): number => {
    const { scrollHeight, clientHeight, scrollTop } = scroller()
    return scrollHeight - clientHeight - scrollTop
  }
  function toNewest(): void {
    isFollowing.current = true
    isBehind.value = false
    scroller().scrollTo({ top: scroller().scrollHeight, behavior: 'instant' })
  }

  // A finished conversation is read from its top.
  useEffect(() => {
    if (!isRunning) return
    toNewest()
    function look() {
      const left = distance()
      const { scrollTop } = scroller()
      // Only the user scrolls up; growing text never does.
      if (scrollTop < lastTop.current && left > 1) isFollowing.current = false
      else if (left <= NEAR_PX) isFollowing.current = true
      lastTop.current = scrollTop
      isBehind.value = !isFollowing.current && left > NEAR_PX
    }
    const grown = new ResizeObserver(() => {
      if (isFollowing.current) toNewest()
      else look()
    })
    if (log.current) grown.observe(log.current)
    const { current } = box
    addEventListener('scroll', look, { passive: true })
    current?.addEventListener('scroll', look, { passive: true })
    return () => {
      grown.disconnect()
      removeEventListener('scroll', look)
      current?.removeEventListener('scroll', look)
      isBehind.value = false
    }
  }, [isRunning])

  return { isBehind, toNewest }
}
