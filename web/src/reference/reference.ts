// Script of the documentation: search, the chosen language of samples, copying, old addresses, and "Try it". All pages work without it.
import { setUpCopying } from './copy.ts'
import { requireElement } from './dom.ts'
import { rememberSampleLanguage } from './sample-language.ts'
import { setUpSearch } from './search.ts'
import { setUpTrial } from './trial.ts'

/** Anchors of the former page by their start. */
const FORMER = [
  ['shape', '/docs/api/shapes'],
  ['error-', '/docs/api/errors'],
  ['refusals', '/docs/api/errors'],
  ['credentials', '/docs/api/errors'],
] as const

leadOn()
openContents()
setUpSearch(requireElement<HTMLFormElement>(document, 'form.search'))
rememberSampleLanguage()
if (navigator.clipboard) setUpCopying()
const form = document.querySelector<HTMLFormElement>('form.token')
if (form) {
  const token = requireElement<HTMLInputElement>(form, '#token')
  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  for (const article of document.querySelectorAll<HTMLElement>('article.operation'))
    setUpTrial(article, () => token.value.trim())
}
addEventListener('load', () => {
  // Without storage, as in private windows, the pages need the network.
  navigator.serviceWorker?.register('/site-worker.js').catch(() => null)
})

/** The reference was one page. Its addresses, such as /docs#tasks.get, lead to the pages of today. */
function leadOn(): void {
  if (location.pathname !== '/docs') return
  const anchor = decodeURIComponent(location.hash.slice(1))
  if (anchor === '') return
  const listed = document.getElementById(anchor)
  const page = FORMER.find(([start]) => anchor.startsWith(start))?.[1]
  if (listed?.closest('.operations')) location.replace(requireElement<HTMLAnchorElement>(listed, 'a').href)
  else if (page) location.replace(`${page}#${anchor}`)
}

/** The style sheet shows the navigation on desktops in any case. Open, it is also open for assistive technology. */
function openContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents details')
  if (contents && matchMedia('(min-width: 900px)').matches) contents.open = true
}
