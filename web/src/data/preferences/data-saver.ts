// Data saver: the switch of the user, else of the browser; and the bytes that this visit has used.
import { computed, signal } from '@preact/signals'
import { recall, remember } from '../storage/local-storage.ts'

const KEY = 'cowrie.data-saver'
type Switch = 'on' | 'off' | 'browser'

const isSwitch = (value: string | null): value is Switch => value === 'on' || value === 'off'
const asked = recall(KEY)
const chosen = signal<Switch>(isSwitch(asked) ? asked : 'browser')

export const dataSaver = computed(() => chosen.value)

/** Whether to load as few bytes as possible. */
export const isSaving = computed(() => {
  if (chosen.value !== 'browser') return chosen.value === 'on'
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
})

export function setDataSaver(value: Switch): void {
  chosen.value = value
  remember(KEY, value)
}

/** Bytes that this page has loaded over the network. */
export const bytesSpent = signal(0)

export function watchBytes(): void {
  new PerformanceObserver((list) => {
    let sum = 0
    for (const entry of list.getEntries()) sum += (entry as PerformanceResourceTiming).transferSize
    if (sum > 0) bytesSpent.value += sum
  }).observe({ type: 'resource', buffered: true })
}
