// Whether each answer shows what it cost. On unless the reader hides it: some find it hard to think beside a running sum.
import { type ReadonlySignal, signal } from '@preact/signals'
import { recall, remember } from './memory.ts'

const KEY = 'cowrie.show-costs'

const shown = signal(recall(KEY) !== 'off')
export const showsCosts: ReadonlySignal<boolean> = shown

export function setShowsCosts(value: boolean): void {
  shown.value = value
  remember(KEY, value ? 'on' : 'off')
}
