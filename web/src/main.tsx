// The app starts here: paint at once, ask meanwhile.
import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app/app.tsx'
import { wear } from './app/appearance.ts'
import { watchPlace } from './app/place.ts'
import { authConfig, build } from './app/service.ts'
import { followOtherTabs, resume } from './identity/session.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has a place for the app')

effect(() => {
  const config = authConfig.current.value
  if (config.state === 'ready') wear(config.value.appearance)
})
watchPlace()
followOtherTabs()
void Promise.all([authConfig.load(), build.load(), resume()])
root.replaceChildren()
render(<App />, root)
