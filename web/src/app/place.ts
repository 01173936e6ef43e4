// Where the reader is in the app: a path under /app. Moving goes through the browser's own history, so that Back works.
import { type ReadonlySignal, signal } from '@preact/signals'

export type Place = {
  readonly path: string
  readonly query: URLSearchParams
  /** What came behind the `#` of a link: often secret, so it stays in this page's memory and nowhere else. */
  readonly secrets: URLSearchParams
  /** What the screen needs again after a reload. Nothing secret: browsers write it down. */
  readonly kept: Kept
}
export type Kept = Readonly<Record<string, string>>

const NOTHING = new URLSearchParams()
const current = signal<Place>(read())
export const place: ReadonlySignal<Place> = current

type Move = { replace?: boolean; kept?: Kept; secrets?: URLSearchParams }

export function goTo(address: string, { replace = false, kept = {}, secrets = NOTHING }: Move = {}): void {
  if (replace) history.replaceState(kept, '', address)
  else history.pushState(kept, '', address)
  current.value = { ...read(), secrets }
  scrollTo(0, 0)
}

/** Takes secrets out of the address bar at once, follows Back and Forward, and makes links of the app move within it. */
export function watchPlace(): void {
  takeSecrets()
  addEventListener('popstate', () => {
    // A jump within the page, such as to the main part, is not a move.
    if (new URL(location.href).pathname === current.value.path && location.hash && !hasSecrets()) return
    current.value = read()
    takeSecrets()
  })
  document.addEventListener('click', (event) => {
    const address = addressOf(event)
    if (address === null) return
    event.preventDefault()
    goTo(address)
  })
}

const hasSecrets = (): boolean => location.hash.includes('=')

function takeSecrets(): void {
  if (!hasSecrets()) return
  const secrets = new URLSearchParams(location.hash.slice(1))
  history.replaceState(history.state, '', location.pathname + location.search)
  current.value = { ...current.value, secrets }
}

function read(): Place {
  return {
    path: location.pathname.replace(/(.)\/+$/, '$1'),
    query: new URLSearchParams(location.search),
    secrets: NOTHING,
    kept: isKept(history.state) ? history.state : {},
  }
}

function isKept(state: unknown): state is Kept {
  if (typeof state !== 'object' || state === null) return false
  return Object.values(state).every((value) => typeof value === 'string')
}

/** The address within the app that a plain click on a link leads to; null for every other click. */
function addressOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return null
  if (link.getAttribute('href')?.startsWith('#')) return null
  return isInApp(link.pathname) ? link.pathname + link.search : null
}

export const isInApp = (path: string): boolean => path === '/app' || path.startsWith('/app/')
