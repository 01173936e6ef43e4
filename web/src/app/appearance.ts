// How the app looks: as the operator set it, kept for the next visit so that its first paint is already right.
import { recall, remember } from './memory.ts'
import type { Appearance } from './service.ts'

const KEY = 'cowrie.appearance'

export function wear({ skin, mode, layout }: Appearance): void {
  Object.assign(document.documentElement.dataset, { skin, mode, layout })
  remember(KEY, [skin, mode, layout].join(' '))
}

/** Before the first paint, from what the last visit learned. */
export function wearRemembered(): void {
  const [skin, mode, layout] = recall(KEY)?.split(' ') ?? []
  if (skin && mode && layout) wear({ skin, mode, layout })
}
