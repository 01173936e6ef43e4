// Parts of the frame that are needed late or rarely. Their code is loaded when they are first shown.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

type Props<P> = { load: () => Promise<{ default: ComponentType<P> }>; with?: P }

/** Offline such a part may be missing: every screen can be reached without it. */
export function Late<P extends object>({ load, with: props = {} as P }: Props<P>) {
  const part: Signal<ComponentType<P> | null> = useSignal<ComponentType<P> | null>(null)
  useEffect(() => {
    void load().then(
      (loaded) => {
        part.value = loaded.default
      },
      () => undefined,
    )
  }, [])
  const Part = part.value
  return Part === null ? <span class="blank line" /> : <Part {...props} />
}
