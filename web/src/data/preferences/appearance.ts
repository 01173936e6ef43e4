// The appearance of the app, and the choice of the user.
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  type Choice,
  type Look,
  rememberChoice,
  rememberedChoice,
  rememberSet,
  wearRemembered,
} from './stored-appearance.ts'

const choice = signal<Choice>(rememberedChoice())
export const chosenAppearance: ReadonlySignal<Choice> = choice

/** Applies the operator's default and stores it for the first paint of the next visit. */
export function wear(set: Look): void {
  rememberSet(set)
  wearRemembered()
}

/** Values missing from a choice fall back to the operator's default. */
export function choose(next: Choice): void {
  choice.value = next
  rememberChoice(next)
  wearRemembered()
}
