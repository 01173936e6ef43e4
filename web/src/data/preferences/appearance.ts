// The appearance of the app, and the choice of the user.
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  type Appearance,
  type AppearanceChoice,
  applyStoredAppearance,
  storeChoice,
  storeDefault,
  storedChoice,
} from './stored-appearance.ts'

const choice = signal<AppearanceChoice>(storedChoice())
export const chosenAppearance: ReadonlySignal<AppearanceChoice> = choice

/** Applies the operator's default and stores it for the first paint of the next visit. */
export function applyDefaultAppearance(set: Appearance): void {
  storeDefault(set)
  applyStoredAppearance()
}

/** Values missing from a choice fall back to the operator's default. */
export function chooseAppearance(next: AppearanceChoice): void {
  choice.value = next
  storeChoice(next)
  applyStoredAppearance()
}
