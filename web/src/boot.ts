// Runs before the first paint, so that colours and direction do not change on screen. It is small and loads nothing else.
// It also preloads the scripts of the screen in the address, which are otherwise known only once the app has loaded.

import { watchInstall } from './data/preferences/install-offer.ts'
import { applyStoredAppearance } from './data/preferences/stored-appearance.ts'
import { hasSignInCookie } from './data/storage/sign-in-cookie.ts'
import { applyLanguage, storedLanguage } from './i18n/stored-language.ts'

/** From the build: the script names of each screen, by path. */
declare const SCRIPTS: Readonly<Record<string, string>>

applyStoredAppearance()
watchInstall()
applyLanguage(storedLanguage())
const here = location.pathname.replace(/(.)\/+$/, '$1')
const wanted = Object.entries(SCRIPTS).find(([path]) =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(here),
)
const isWayIn = /^\/app\/(sign-in|register|forgot|reset|check-mail|operator-invite|contact)/.test(here)
const names = hasSignInCookie() || isWayIn ? wanted?.[1] : SCRIPTS['/app/sign-in']
for (const name of names?.split(' ').filter(Boolean) ?? []) {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'modulepreload', href: `/app/${name}` })
  document.head.append(link)
}
