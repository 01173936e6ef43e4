// The remaining cap of a member. Its code is loaded only for members with a cap.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Me } from '../../data/session.ts'

type LoadedCap = ComponentType<{ me: Me }>

export function Cap({ me }: { me: Me }) {
  const loaded: Signal<LoadedCap | null> = useSignal<LoadedCap | null>(null)
  useEffect(() => {
    if (!me.cap) return
    // Offline it is missing until the next visit. The service enforces the cap.
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
