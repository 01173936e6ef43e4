// Something that is on unless the reader has switched it off in this browser.
import { type ReadonlySignal, signal } from '@preact/signals'
import { recall, remember } from './memory.ts'

export function keptSwitch(key: string): { isOn: ReadonlySignal<boolean>; turn(on: boolean): void } {
  const isOn = signal(recall(key) !== 'off')
  return {
    isOn,
    turn(on) {
      isOn.value = on
      remember(key, on ? 'on' : 'off')
    },
  }
}
