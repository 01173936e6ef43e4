// Whether there is a network, as far as the browser can tell.
import { type ReadonlySignal, signal } from '@preact/signals'

const online = signal(navigator.onLine)
export const isOnline: ReadonlySignal<boolean> = online

export function watchNetwork(): void {
  addEventListener('online', () => {
    online.value = true
  })
  addEventListener('offline', () => {
    online.value = false
  })
}
