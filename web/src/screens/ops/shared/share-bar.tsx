// A share as a bar. The figures are written beside it.
import { useEffect, useRef } from 'preact/hooks'

export function ShareBar({ of }: { of: number }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    bar.current?.style.setProperty('--share', String(of))
  }, [of])
  return <span ref={bar} class="share" aria-hidden="true" />
}
