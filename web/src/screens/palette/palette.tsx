// Dialogs opened by keyboard: the screen finder and the list of shortcuts.
import { type ComponentType, render } from 'preact'
import { loadTranslations } from '../../i18n/load-translations.ts'
import { loadStyle } from '../../router/load-screen.ts'
import { Finder } from './finder.tsx'
import { ShortcutList } from './shortcut-list.tsx'

export const openPalette = (): Promise<void> => show(Finder)
export const openHelp = (): Promise<void> => show(ShortcutList)

/** Removed from the page when closed. */
async function show(Window: ComponentType<{ onClose: () => void }>): Promise<void> {
  await Promise.all([loadTranslations('palette'), loadStyle('palette')])
  // Pressed twice while loading.
  if (document.querySelector('dialog[open]')) return
  const host = document.body.appendChild(document.createElement('div'))
  render(
    <Window
      onClose={() => {
        render(null, host)
        host.remove()
      }}
    />,
    host,
  )
}
