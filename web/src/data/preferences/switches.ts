// Settings of this browser that are on until the user switches them off.
import { type ReadonlySignal, signal } from '@preact/signals'
import { recall, remember } from '../storage/local-storage.ts'

function createSwitch(key: string): { isOn: ReadonlySignal<boolean>; turn(on: boolean): void } {
  const isOn = signal(recall(key) !== 'off')
  return {
    isOn,
    turn(on) {
      isOn.value = on
      remember(key, on ? 'on' : 'off')
    },
  }
}

/** Whether each answer shows its cost. */
export const { isOn: showsCosts, turn: setShowsCosts } = createSwitch('cowrie.show-costs')

export const { isOn: hasShortcuts, turn: setShortcuts } = createSwitch('cowrie.shortcuts')
