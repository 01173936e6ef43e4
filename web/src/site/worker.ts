// Service worker of the public pages: shows the last copy of a page without a network. It never touches other requests.

/** From the build: the files of these pages, and an identifier that changes with every build. */
declare const FILES: readonly string[]
/** The files of the documentation, kept once a page of it was visited. */
declare const DOCS_FILES: readonly string[]
declare const BUILD: string

type Scope = {
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', act: (event: Waiting) => void): void
  addEventListener(type: 'fetch', act: (event: Asked) => void): void
}
type Waiting = { waitUntil(work: Promise<unknown>): void }
type Asked = Waiting & { request: Request; respondWith(answer: Promise<Response>): void }

const scope = globalThis as unknown as Scope
const PAGES = ['/', '/pricing', '/terms', '/privacy', '/security', '/status']
const DOCS_INDEX = '/docs/search.json'
const CACHE = 'cowrie-site'
/** After this time the copy is shown instead. */
const PATIENCE_MS = 3_000

scope.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([store(), scope.skipWaiting()]))
})

scope.addEventListener('activate', (event) => {
  event.waitUntil(dropOld())
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (DOCS_FILES.includes(url.pathname)) event.respondWith(docsFile(request))
  else if (request.mode === 'navigate' ? isPage(url.pathname) : url.pathname === DOCS_INDEX)
    event.respondWith(page(event, url.pathname))
  else if (FILES.includes(url.pathname)) event.respondWith(file(request))
})

/** Pages of results are not kept: the index answers without a network. */
const isDocs = (path: string): boolean => /^\/docs(?:\/(?!search$)|$)/.test(path)
const isPage = (path: string): boolean => PAGES.includes(path) || (isDocs(path) && !path.includes('.'))

/** The front page and its files, which the browser has just loaded. */
async function store(): Promise<void> {
  const cache = await caches.open(CACHE)
  const front = await fetch('/')
  if (front.ok && !front.redirected) await cache.put('/', front)
  await cache.addAll(FILES)
}

async function page(event: Asked, path: string): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.ok && !answer.redirected && answer.type === 'basic') await cache.put(path, answer.clone())
    return answer
  })
  const earlier = await cache.match(path, { ignoreVary: true })
  if (!earlier) return fresh
  event.waitUntil(fresh.catch(() => undefined))
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(earlier), PATIENCE_MS))
  return Promise.race([fresh.catch(() => earlier), late])
}

/** Files with a hash in their name never change. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

async function docsFile(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const stored = await cache.match(request, { ignoreVary: true })
  if (stored) return stored
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

async function dropOld(): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    const kept = [DOCS_INDEX, ...FILES, ...DOCS_FILES].includes(pathname) || isPage(pathname)
    if (!kept) await cache.delete(request)
  }
}

// Makes the script differ between builds, so that browsers notice an update.
Object.assign(globalThis, { build: BUILD })

export {}
