// A share of a whole as a bar: a picture of what stands beside it in words.
import { useEffect, useRef } from 'preact/hooks'

export function Share({ of }: { of: number }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    bar.current?.style.setProperty('--share', String(of))
  }, [of])
  return <span ref={bar} class="share" aria-hidden="true" />
}
