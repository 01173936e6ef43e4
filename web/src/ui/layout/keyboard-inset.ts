// Room for the on-screen keyboard, in browsers that lay it over the page.
import { useEffect } from 'preact/hooks'

type View = { height: number; offsetTop: number; scale: number }

/** Keyboards are taller than this; toolbars of the browser are not. */
const LEAST_PX = 100

/** How much of the window the keyboard covers. Zero where the page was resized or zoomed. */
export function coveredPx({ height, offsetTop, scale }: View, windowHeight: number): number {
  const covered = Math.round(windowHeight - offsetTop - height)
  return scale > 1.01 || covered < LEAST_PX ? 0 : covered
}

/** Keeps `--keyboard` at the covered height while mounted. */
export function useKeyboardInset(): void {
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
