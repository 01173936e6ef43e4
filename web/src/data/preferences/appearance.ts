// How the app looks, and the reader's choice about it.
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

/** As the operator set it: for the next visit too, so that its first paint is already right. */
export function wear(set: Look): void {
  rememberSet(set)
  wearRemembered()
}

/** What is left out of a choice is the operator's again. */
export function choose(next: Choice): void {
  choice.value = next
  rememberChoice(next)
  wearRemembered()
}
