// The part of a key that is shown.

const SHOWN_CHARACTERS = 4
const SHOWN_FROM_CHARACTERS = 8
const HIDDEN = '••••'

/** Enough to recognise a key and too little to guess it. Short keys are hidden completely. Null without a key. */
export function lastCharacters(key: string): string | null {
  if (key === '') return null
  return key.length < SHOWN_FROM_CHARACTERS ? HIDDEN : key.slice(-SHOWN_CHARACTERS)
}
