// Service worker: caches the files of the app for offline use and for faster visits. It never
// touches API requests.

/** From the build: its files, and an identifier that changes with every build. */
declare const FILES: readonly string[]
declare const BUILD: string

type Scope = {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', act: (event: Waiting) => void): void
  addEventListener(type: 'fetch', act: (event: Asked) => void): void
}
type Waiting = { waitUntil(work: Promise<unknown>): void }
type Asked = Waiting & { request: Request; respondWith(answer: Promise<Response>): void }

const scope = globalThis as unknown as Scope
const PAGE = '/app'
/** After this time the cached page is shown instead. */
const PATIENCE_MS = 3_000
const CACHE = 'cowrie-app'

scope.addEventListener('install', (event) => {
  event.waitUntil(
    Promise.all([
      caches.open(CACHE).then((cache) => cache.add(new Request(PAGE, { cache: 'reload' }))),
      scope.skipWaiting(),
    ]),
  )
})

/** Deletes the files of earlier builds. */
scope.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([dropOld(), scope.clients.claim()]))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate' && isInApp(url.pathname)) event.respondWith(page(event))
  else if (FILES.includes(url.pathname)) event.respondWith(file(request))
})

const isInApp = (path: string): boolean =>
  path === PAGE || (path.startsWith(`${PAGE}/`) && !path.includes('.'))

/** Requests the page first, so that a new build shows at once. Offline, or on a very slow network, uses the cached page. */
async function page(event: Asked): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.ok && !answer.redirected) await cache.put(PAGE, answer.clone())
    return answer
  })
  const earlier = await cache.match(PAGE)
  if (!earlier) return fresh
  // A late response is cached for the next visit.
  event.waitUntil(fresh.catch(() => undefined))
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(earlier), PATIENCE_MS))
  return Promise.race([fresh.catch(() => earlier), late])
}

/** Files with a hash in their name never change. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const stored = await cache.match(request)
  if (stored) return stored
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

async function dropOld(): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname !== PAGE && !FILES.includes(pathname)) await cache.delete(request)
  }
}

// Makes the script differ between builds, so that browsers notice an update.
Object.assign(globalThis, { build: BUILD })
