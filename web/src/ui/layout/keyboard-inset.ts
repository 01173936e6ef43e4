// Room for the keyboard of a phone, in browsers that lay it over the page instead of making the page smaller.
import { useEffect } from 'preact/hooks'

type View = { height: number; offsetTop: number; scale: number }

/** No keyboard is lower than this; bars of the browser that come and go are. */
const LEAST_PX = 100

/** How much of the window's end is covered. Where the page was made smaller, nothing is; who has zoomed in sees a part by choice. */
export function coveredPx({ height, offsetTop, scale }: View, windowHeight: number): number {
  const covered = Math.round(windowHeight - offsetTop - height)
  return scale > 1.01 || covered < LEAST_PX ? 0 : covered
}

/** Keeps `--keyboard` at what is covered while what uses it is on the screen. */
export function useKeyboardRoom(): void {
  useEffect(() => {
    const view = window.visualViewport
    if (!view) return
    const { style } = document.documentElement
    const measure = () => style.setProperty('--keyboard', `${coveredPx(view, innerHeight)}px`)
    const events = ['resize', 'scroll']
    for (const each of events) view.addEventListener(each, measure)
    measure()
    return () => {
      for (const each of events) view.removeEventListener(each, measure)
      style.removeProperty('--keyboard')
    }
  }, [])
}
