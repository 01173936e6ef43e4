// The app starts here: paint at once, ask meanwhile.
import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app/app.tsx'
import { wear } from './app/appearance.ts'
import { watchBytes } from './app/data-saver.ts'
import { keepApp } from './app/keep-app.ts'
import { watchTeam } from './app/left-team.tsx'
import { watchNetwork } from './app/network.ts'
import { watchPlace } from './app/place.ts'
import { authConfig, build } from './app/service.ts'
import { watchKeys } from './app/shortcuts.ts'
import { language } from './i18n/language.ts'
import { speak } from './i18n/speak.ts'
import { followOtherTabs, resume } from './identity/session.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has a place for the app')

effect(() => {
  const config = authConfig.current.value
  if (config.state === 'ready') wear(config.value.appearance)
})
watchPlace()
watchNetwork()
watchBytes()
watchKeys()
keepApp()
followOtherTabs()
watchTeam()
void Promise.all([authConfig.load(), build.load(), resume()])
// Nobody reads one language and then another: the words of the frame come before the frame.
if (language.peek() !== 'en') await speak(language.peek())
root.replaceChildren()
render(<App />, root)
