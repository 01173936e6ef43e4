// The current address in the app, a path under /app. Navigation uses the browser history, so that Back works.
import { type ReadonlySignal, signal } from '@preact/signals'

export type AppLocation = {
  readonly path: string
  readonly query: URLSearchParams
  /** Parameters after the `#` of a link. They are often secret, so they stay in the memory of this page. */
  readonly secrets: URLSearchParams
  /** The section that a link leads to, such as `top-up`. It leaves the address, or Back would lead there again and again. */
  readonly section: string
  /** State that the screen needs after a reload. Never secret: browsers store it on disk. */
  readonly state: LocationState
}
export type LocationState = Readonly<Record<string, string>>

const NOTHING = new URLSearchParams()
const current = signal<AppLocation>(read())
export const appLocation: ReadonlySignal<AppLocation> = current

type Move = { replace?: boolean; state?: LocationState; secrets?: URLSearchParams }

export function navigate(
  address: string,
  { replace = false, state: stored = {}, secrets = NOTHING }: Move = {},
): void {
  const [bare = '', part = ''] = address.split('#')
  if (replace) history.replaceState(stored, '', bare)
  else history.pushState(stored, '', bare)
  current.value = { ...read(), secrets, section: part }
  scrollTo(0, 0)
}

/** Removes the `#` part from the address bar at once, follows Back and Forward, and handles clicks on links of the app. */
export function watchLocation(): void {
  takeHash()
  addEventListener('popstate', () => {
    // A jump within the page, such as to the main section, is no navigation.
    if (isSamePage() && location.hash && !hasSecrets()) return
    current.value = read()
    takeHash()
  })
  document.addEventListener('click', (event) => {
    const address = addressOf(event)
    if (address === null) return
    event.preventDefault()
    navigate(address)
  })
}

const hasSecrets = (): boolean => location.hash.includes('=')

const isSamePage = (): boolean =>
  read().path === current.value.path && String(read().query) === String(current.value.query)

function takeHash(): void {
  const behind = location.hash.slice(1)
  if (behind === '') return
  const taken = hasSecrets() ? { secrets: new URLSearchParams(behind) } : { section: behind }
  history.replaceState(history.state, '', location.pathname + location.search)
  current.value = { ...current.value, ...taken }
}

function read(): AppLocation {
  return {
    path: location.pathname.replace(/(.)\/+$/, '$1'),
    query: new URLSearchParams(location.search),
    secrets: NOTHING,
    section: '',
    state: isLocationState(history.state) ? history.state : {},
  }
}

function isLocationState(state: unknown): state is LocationState {
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
  return isInApp(link.pathname) ? link.pathname + link.search + link.hash : null
}

export const isInApp = (path: string): boolean => path === '/app' || path.startsWith('/app/')
