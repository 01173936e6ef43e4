// Service worker: caches the files of the app for offline use and for faster visits, and shows push notifications. It never
// touches API requests of the app.

/** From the build: its files, and an identifier that changes with every build. */
declare const FILES: readonly string[]
declare const BUILD: string

type Scope = {
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<AppWindow[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: ServiceWorkerRegistration
  addEventListener(type: 'push', act: (event: Pushed) => void): void
  addEventListener(type: 'notificationclick', act: (event: Clicked) => void): void
  addEventListener(
    type: 'install' | 'activate' | 'pushsubscriptionchange',
    act: (event: Waiting) => void,
  ): void
  addEventListener(type: 'fetch', act: (event: Asked) => void): void
}
type Waiting = { waitUntil(work: Promise<unknown>): void }
type AppWindow = {
  readonly url: string
  readonly focused: boolean
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}
type Pushed = Waiting & { data: { json(): unknown } | null }
type Clicked = Waiting & { notification: Notification }
/** From the server; see server/src/push/texts.ts. */
type PushText = { title: string; body: string; url: string; tag: string; lang: string }
type Asked = Waiting & { request: Request; respondWith(answer: Promise<Response>): void }

const scope = globalThis as unknown as Scope
const PAGE = '/app'
/** After this time the cached page is shown instead. */
const PATIENCE_MS = 3_000
const CACHE = 'cowrie-app'
const ICON = '/app/icon-192.png'

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

scope.addEventListener('push', (event) => {
  const text = event.data?.json() as PushText | undefined
  if (text) event.waitUntil(show(text))
})

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = String((event.notification.data as { url?: string } | null)?.url)
  if (isInApp(url)) event.waitUntil(openAt(url))
})

/** The browser has replaced its subscription. */
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription()))

const SUBSCRIPTIONS = '/me/push-subscriptions'
type Subscriptions = {
  publicKey: string | null
  subscriptions: { id: string; kinds: string[]; language: string; isThisSession: boolean }[]
}

/** Sends the new subscription with the choices of the old one. After a sign-out there is nothing to renew. */
async function renewSubscription(): Promise<void> {
  const listed = await fetch(SUBSCRIPTIONS)
  if (!listed.ok) return
  const { publicKey, subscriptions } = (await listed.json()) as Subscriptions
  const old = subscriptions.find(({ isThisSession }) => isThisSession)
  if (!old || publicKey === null) return
  const { pushManager } = scope.registration
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = made.toJSON()
  const body = JSON.stringify({ endpoint, keys, kinds: old.kinds, language: old.language })
  const saved = await fetch(SUBSCRIPTIONS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { subscription } = (await saved.json()) as { subscription?: { id: string } }
  if (subscription && subscription.id !== old.id)
    await fetch(`${SUBSCRIPTIONS}/${old.id}`, { method: 'DELETE' })
}

/** A person who looks at the screen in question is not disturbed. Browsers require that every message is shown, so it is closed at once. */
async function show({ title, body, url, tag, lang }: PushText): Promise<void> {
  const isWatched = (await appWindows()).some((each) => each.focused && new URL(each.url).pathname === url)
  const dir = lang === 'ar' ? 'rtl' : 'ltr'
  const options = { body, tag, lang, dir, icon: ICON, data: { url }, silent: isWatched } as const
  await scope.registration.showNotification(title, options)
  if (isWatched) for (const shown of await scope.registration.getNotifications({ tag })) shown.close()
}

/** Reuses a window of the app. */
async function openAt(url: string): Promise<void> {
  const windows = await appWindows()
  const [first] = windows
  const same = windows.find((each) => new URL(each.url).pathname === url)
  if (same) await same.focus()
  else if (first) await Promise.all([first.focus(), first.navigate(url)])
  else await scope.clients.openWindow(url)
}

const appWindows = async (): Promise<AppWindow[]> =>
  (await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(({ url }) =>
    isInApp(new URL(url).pathname),
  )

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
