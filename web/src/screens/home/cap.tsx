// What a member with a cap may still spend; only they ask for its code.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Me } from '../../data/session.ts'

type Shown = ComponentType<{ me: Me }>

export function Cap({ me }: { me: Me }) {
  const loaded: Signal<Shown | null> = useSignal<Shown | null>(null)
  useEffect(() => {
    if (!me.cap) return
    // Without a network it is missing until the next visit: the cap itself is the service's to keep.
    void import('../../ui/charts/own-cap.tsx').then(
      ({ OwnCap }) => {
        loaded.value = OwnCap
      },
      () => undefined,
    )
  }, [])
  if (!me.cap) return null
  const { value: Shown } = loaded
  return <div class="home-cap">{Shown && <Shown me={me} />}</div>
}
