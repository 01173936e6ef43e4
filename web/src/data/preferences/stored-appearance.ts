// The appearance of the last visit: the choice of the user, else the operator's default. The boot script uses it, so it
// imports almost nothing.
import { recall, remember } from '../storage/local-storage.ts'

export type Look = { skin: string; mode: string; layout: string }
/** The choice of the user. Missing values are the operator's default. */
export type Choice = Partial<Look & { motion: 'less' }>

const SET = 'cowrie.appearance'
const CHOSEN = 'cowrie.chosen-appearance'

export const rememberSet = ({ skin, mode, layout }: Look): void =>
  remember(SET, [skin, mode, layout].join(' '))
export const rememberChoice = (choice: Choice): void => remember(CHOSEN, JSON.stringify(choice))

export function wearRemembered(): void {
  const [skin = 'indigo', mode = 'system', layout = 'comfortable'] = recall(SET)?.split(' ') ?? []
  const { motion = 'full', ...chosen } = rememberedChoice()
  Object.assign(document.documentElement.dataset, { skin, mode, layout, ...chosen, motion })
}

export function rememberedChoice(): Choice {
  try {
    const read: unknown = JSON.parse(recall(CHOSEN) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as Choice) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
