// Windows that the keyboard opens: every screen by its name, and the list of keys.
import { type ComponentType, render } from 'preact'
import { learn } from '../../i18n/load-translations.ts'
import { wearStyle } from '../../router/load-screen.ts'
import { Finder } from './finder.tsx'
import { Keys } from './shortcut-list.tsx'

export const openPalette = (): Promise<void> => show(Finder)
export const openHelp = (): Promise<void> => show(Keys)

/** Once it is closed nothing of it stays. */
async function show(Window: ComponentType<{ onClose: () => void }>): Promise<void> {
  await Promise.all([learn('palette'), wearStyle('palette')])
  // Pressed twice while it was on its way.
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
