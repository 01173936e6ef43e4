// The display typeface of headlines and amounts. Text is readable without it, so it never delays or moves anything.
import { isSaving } from '../../data/preferences/data-saver.ts'
import { readLocal, writeLocal } from '../../data/storage/local-storage.ts'
import { loadStyle } from '../../router/load-screen.ts'
import { appLocation } from '../../router/location.ts'

const KEY = 'cowrie.face'

/** Applied at once where it is cached, which is before the first data; otherwise with the next screen. */
export async function loadDisplayFace(): Promise<void> {
  if (isSaving.peek()) return
  const isCached = readLocal(KEY) !== null
  if (!isCached) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
  await loadStyle('display')
  const loaded = await document.fonts.load('600 1em "Cowrie Display"', 'A₦').catch(() => [])
  if (loaded.length === 0) return
  writeLocal(KEY, 'cached')
  if (isCached) return apply()
  const { path } = appLocation.peek()
  const stop = appLocation.subscribe((next) => {
    if (next.path === path) return
    apply()
    stop()
  })
}

const apply = (): void => {
  document.documentElement.dataset.face = 'display'
}
