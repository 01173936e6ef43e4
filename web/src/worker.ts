// Keeps the app itself in the browser: what was opened once opens without a network, and costs no bytes again. It never
// touches calls to the service, only files of the app.

/** From the build: every file of it, and a name that is another one for every build. */
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
/** How long the page may take before the kept one is shown instead. */
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

/** Files of earlier builds are of no use to anybody. */
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

/** The page is asked for anew, so that a new build is seen at once; without a network, or with a very slow one, the kept one does. */
async function page(event: Asked): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.ok && !answer.redirected) await cache.put(PAGE, answer.clone())
    return answer
  })
  const earlier = await cache.match(PAGE)
  if (!earlier) return fresh
  // What comes too late is kept for the next time.
  event.waitUntil(fresh.catch(() => undefined))
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(earlier), PATIENCE_MS))
  return Promise.race([fresh.catch(() => earlier), late])
}

/** What has its hash in its name never changes. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
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

// Another build is another script, so that browsers notice it.
Object.assign(globalThis, { build: BUILD })
