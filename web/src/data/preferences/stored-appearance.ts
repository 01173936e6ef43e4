// The appearance of the last visit: the choice of the user, else the operator's default. The boot script uses it, so it
// imports almost nothing.
import { readLocal, writeLocal } from '../storage/local-storage.ts'

export type Appearance = { skin: string; mode: string; layout: string }
/** The choice of the user. Missing values are the operator's default. */
export type AppearanceChoice = Partial<Appearance & { motion: 'less' }>

const DEFAULT_KEY = 'cowrie.appearance'
const CHOICE_KEY = 'cowrie.chosen-appearance'

export const storeDefault = ({ skin, mode, layout }: Appearance): void =>
  writeLocal(DEFAULT_KEY, [skin, mode, layout].join(' '))
export const storeChoice = (choice: AppearanceChoice): void => writeLocal(CHOICE_KEY, JSON.stringify(choice))

export function applyStoredAppearance(): void {
  const [skin = 'indigo', mode = 'system', layout = ''] = readLocal(DEFAULT_KEY)?.split(' ') ?? []
  const { motion = 'full', ...chosen } = storedChoice()
  // Without a choice the density follows the device: only a default of `compact` changes it.
  const density = layout === 'compact' ? 'compact' : 'auto'
  Object.assign(document.documentElement.dataset, { skin, mode, layout: density, ...chosen, motion })
}

export function storedChoice(): AppearanceChoice {
  try {
    const read: unknown = JSON.parse(readLocal(CHOICE_KEY) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as AppearanceChoice) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
