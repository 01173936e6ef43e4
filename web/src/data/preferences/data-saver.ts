// Data saver: the switch of the user, else of the browser; and the bytes that this visit has used.
import { computed, signal } from '@preact/signals'
import { readLocal, writeLocal } from '../storage/local-storage.ts'

const KEY = 'cowrie.data-saver'
type Switch = 'on' | 'off' | 'browser'

const isSwitch = (value: string | null): value is Switch => value === 'on' || value === 'off'
const stored = readLocal(KEY)
const chosen = signal<Switch>(isSwitch(stored) ? stored : 'browser')

export const dataSaver = computed(() => chosen.value)

/** Whether to load as few bytes as possible. */
export const isSaving = computed(() => {
  if (chosen.value !== 'browser') return chosen.value === 'on'
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
})

export function setDataSaver(value: Switch): void {
  chosen.value = value
  writeLocal(KEY, value)
}

/** Bytes that this page has loaded over the network. */
export const bytesLoaded = signal(0)

export function watchBytes(): void {
  new PerformanceObserver((list) => {
    let sum = 0
    for (const entry of list.getEntries()) sum += (entry as PerformanceResourceTiming).transferSize
    if (sum > 0) bytesLoaded.value += sum
  }).observe({ type: 'resource', buffered: true })
}
