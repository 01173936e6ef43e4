// Settings of this browser that are on until the user switches them off.
import { type ReadonlySignal, signal } from '@preact/signals'
import { readLocal, writeLocal } from '../storage/local-storage.ts'

function createSwitch(key: string): { isOn: ReadonlySignal<boolean>; turn(on: boolean): void } {
  const isOn = signal(readLocal(key) !== 'off')
  return {
    isOn,
    turn(on) {
      isOn.value = on
      writeLocal(key, on ? 'on' : 'off')
    },
  }
}

/** Whether each answer shows its cost. */
export const { isOn: showsCosts, turn: setShowsCosts } = createSwitch('cowrie.show-costs')

export const { isOn: hasShortcuts, turn: setShortcuts } = createSwitch('cowrie.shortcuts')
