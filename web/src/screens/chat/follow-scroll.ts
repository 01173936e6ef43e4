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

/** Nothing is followed before the first message. */
export function useFollowScroll(log: RefObject<HTMLElement | null>, hasMessages: boolean): FollowScroll {
  const isBehind = useSignal(false)
  const isFollowing = useRef(true)
  const lastTop = useRef(0)
  const isOn = useRef(hasMessages)
  isOn.current = hasMessages

  function toNewest(): void {
    isFollowing.current = true
    isBehind.value = false
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  }

  useEffect(() => {
    function look() {
      const left = distance()
      // Only the user scrolls up; growing text never does.
      if (scrollY < lastTop.current && left > 1) isFollowing.current = false
      else if (left <= NEAR_PX) isFollowing.current = true
      lastTop.current = scrollY
      isBehind.value = !isFollowing.current && left > NEAR_PX
    }
    const grown = new ResizeObserver(() => {
      if (!isOn.current) return
      if (isFollowing.current) scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
      else look()
    })
    if (log.current) grown.observe(log.current)
    addEventListener('scroll', look, { passive: true })
    return () => {
      grown.disconnect()
      removeEventListener('scroll', look)
    }
  }, [])

  return { isBehind, toNewest }
}

const distance = (): number => document.documentElement.scrollHeight - innerHeight - scrollY
