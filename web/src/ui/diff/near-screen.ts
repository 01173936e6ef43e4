// Whether an element is near the screen. Long differences render only such parts; the others keep their height.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const MARGIN = '900px 0px'
const callbacks = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | null = null

function observe(element: Element, callback: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) callbacks.get(target)?.(isIntersecting)
    },
    // Boxes that scroll by themselves have a margin too, where the browser knows it.
    { rootMargin: MARGIN, scrollMargin: MARGIN } as IntersectionObserverInit,
  )
  callbacks.set(element, callback)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer?.unobserve(element)
  }
}

/** `rows` estimates the height until the part was rendered once. `isFirst`: rendered at once, before anything is measured. */
export function useNearScreen(
  box: RefObject<HTMLElement | null>,
  rows: number,
  isFirst: boolean,
): ReadonlySignal<boolean> {
  const isNear = useSignal(isFirst)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.setProperty('--rows', String(rows))
    return observe(element, (now) => {
      if (now === isNear.peek()) return
      // A part with the focus or an open form stays.
      if (!now && (element.contains(document.activeElement) || element.querySelector('form'))) return
      if (!now) element.style.setProperty('--height', `${element.getBoundingClientRect().height}px`)
      isNear.value = now
    })
  }, [rows])
  return isNear
}
