// Entry point of the app: paints at once and loads data meanwhile.
import { effect } from '@preact/signals'
import { render } from 'preact'
import { watchNetwork } from './data/network.ts'
import { applyDefaultAppearance } from './data/preferences/appearance.ts'
import { watchBytes } from './data/preferences/data-saver.ts'
import { authConfig } from './data/service-info.ts'
import { followOtherTabs, resumeSession } from './data/session.ts'
import { language } from './i18n/language.ts'
import { switchLanguage } from './i18n/load-translations.ts'
import { watchLocation } from './router/location.ts'
import { App } from './screens/frame/app.tsx'
import { loadDisplayFace } from './screens/frame/display-face.ts'
import { registerRemedies } from './screens/frame/remedies.tsx'
import { watchMembership } from './screens/frame/removed-from-team.tsx'
import { watchShortcuts } from './screens/frame/shortcuts.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has a place for the app')

effect(() => {
  const config = authConfig.current.value
  if (config.state === 'ready') applyDefaultAppearance(config.value.appearance)
})
watchLocation()
watchNetwork()
watchBytes()
watchShortcuts()
registerWorker()
followOtherTabs()
registerRemedies()
watchMembership()
void loadDisplayFace()
void Promise.all([authConfig.load(), resumeSession()])
// Load the translations of the frame before the first render, so that no text changes language on screen.
if (language.peek() !== 'en') await switchLanguage(language.peek())
root.replaceChildren()
render(<App />, root)

/** The worker keeps the app for the next visit, which then works offline. */
function registerWorker(): void {
  // Insecure pages and some private windows have no service workers. The app works without one.
  if (!('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    void navigator.serviceWorker.register('/app/worker.js', { scope: '/app' }).catch(() => undefined)
  })
}
