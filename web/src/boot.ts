// Runs before the first paint, alone and small: colours and direction must not change under the reader's eyes. It also asks
// at once for the scripts of the screen that the address names, which are otherwise known only when the app itself has come.

import { wearRemembered } from './data/preferences/stored-appearance.ts'
import { isMarked } from './data/storage/sign-in-cookie.ts'
import { rememberedLanguage, wearLanguage } from './i18n/stored-language.ts'

/** From the build: the names of the scripts of each screen, by its path. */
declare const SCRIPTS: Readonly<Record<string, string>>

wearRemembered()
wearLanguage(rememberedLanguage())
const here = location.pathname.replace(/(.)\/+$/, '$1')
const wanted = Object.entries(SCRIPTS).find(([path]) =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(here),
)
const isWayIn = /^\/app\/(sign-in|register|forgot|reset|check-mail|operator-invite|contact)/.test(here)
const names = isMarked() || isWayIn ? wanted?.[1] : SCRIPTS['/app/sign-in']
for (const name of names?.split(' ').filter(Boolean) ?? []) {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'modulepreload', href: `/app/${name}` })
  document.head.append(link)
}
