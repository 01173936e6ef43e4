// Whether there is a network, as far as the browser can tell.
import { type ReadonlySignal, signal } from '@preact/signals'

// Where nobody can tell, there is one.
const online = signal(navigator.onLine !== false)
export const isOnline: ReadonlySignal<boolean> = online

export function watchNetwork(): void {
  addEventListener('online', () => {
    online.value = true
  })
  addEventListener('offline', () => {
    online.value = false
  })
}
