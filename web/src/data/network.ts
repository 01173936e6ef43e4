// Whether the browser is online, as far as it knows.
import { type ReadonlySignal, signal } from '@preact/signals'

// Browsers without this property count as online.
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
