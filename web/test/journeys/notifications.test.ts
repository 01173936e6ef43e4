// Push notifications: the choice in the settings, and what the service worker does with a message.
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { enterAt } from '../people.ts'
import { isFine, SMALL_PHONE } from './journey.ts'

const app = startApp()

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/** No push service can be reached here, so the browser's part of a subscription is replaced. */
const FAKE_PUSH_MANAGER = `
  let current = null
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer
  const KEYS = ${JSON.stringify(KEYS)}
  PushManager.prototype.getSubscription = async () => current
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => (current = {
    endpoint: 'http://127.0.0.1:9/push/1',
    options: { applicationServerKey: bytes(applicationServerKey) },
    getKey: (name) => bytes(KEYS[name]),
    unsubscribe: async () => { current = null; return true },
  })
  Notification.requestPermission = async () => 'granted'
  Object.defineProperty(Notification, 'permission', { get: () => 'default' })`

test('a person chooses the kinds of notifications, and turns them off', async () => {
  const { page, faults } = await app.open({ ...SMALL_PHONE, serviceWorkers: 'allow' })
  await page.addInitScript(FAKE_PUSH_MANAGER)
  await enterAt(page, '/app/settings', 'reader@notifications.example.com')
  const kindsOf = async () =>
    (
      await app.server.sql.rows<{ kinds: string[] }>`
        select s.kinds from push_subscriptions s join users u on u.id = s.user_id
        where u.email = 'reader@notifications.example.com'`
    ).map(({ kinds }) => kinds)
  await page.getByLabel('Payment arrived').check()
  await expect.poll(kindsOf, PATIENT).toEqual([['paid']])
  await page.getByLabel('Task needs approval').check()
  await expect.poll(kindsOf, PATIENT).toEqual([['paid', 'needs_approval']])
  await isFine(page)
  await page.getByLabel('Payment arrived').uncheck()
  await expect.poll(kindsOf, PATIENT).toEqual([['needs_approval']])
  await page.getByLabel('Task needs approval').uncheck()
  await expect.poll(kindsOf, PATIENT).toEqual([])
  expect(faults).toEqual([])
})

/** Headless Chromium has no place for notifications. */
const RECORD = `self.registration.showNotification = async (...shown) => { self.shown = shown }`
const CLICK = `self.dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
  notification: { close() {}, data: self.shown[1].data },
}))`

soakTest('the worker shows a message, a click opens its screen, and the app has a manifest', async () => {
  const { page } = await app.open({ serviceWorkers: 'allow', permissions: ['notifications'] })
  await enterAt(page, '/app/settings', 'shown@notifications.example.com')
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(RECORD)
  const session = await page.context().newCDPSession(page)
  const registrations: { registrationId: string; scopeURL: string }[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
  await session.send('ServiceWorker.enable')
  await expect.poll(() => registrations.length, PATIENT).toBeGreaterThan(0)
  const text = { title: 'أُضيف ₦5,000.00', body: 'Cowrie', url: '/app/wallet', tag: 'top_1', lang: 'ar' }
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: app.origin,
    registrationId: registrations.find(({ scopeURL }) => scopeURL.endsWith('/app'))?.registrationId ?? '',
    data: JSON.stringify(text),
  })
  const { url, tag, ...rest } = text
  await expect
    .poll(() => worker?.evaluate('self.shown'), PATIENT)
    .toMatchObject([
      text.title,
      { body: rest.body, tag, lang: 'ar', dir: 'rtl', data: { url }, silent: false },
    ])
  // Chromium lets a worker focus a window only after a real click, so only the address is checked.
  await worker?.evaluate(CLICK)
  await page.waitForURL('**/app/wallet')

  // The browser replaces its subscription: the server gets the new address with the same choices.
  const old = { endpoint: 'http://127.0.0.1:9/push/old', keys: KEYS, kinds: ['paid'], language: 'ar' }
  expect((await page.request.post('/me/push-subscriptions', { data: old })).status()).toBe(201)
  await worker?.evaluate(`PushManager.prototype.subscribe = async () => ({ toJSON: () =>
    (${JSON.stringify({ endpoint: 'http://127.0.0.1:9/push/new', keys: KEYS })}) })
    self.dispatchEvent(new ExtendableEvent('pushsubscriptionchange'))`)
  const saved = () =>
    app.server.sql.rows`
      select s.endpoint, s.kinds, s.language from push_subscriptions s join users u on u.id = s.user_id
      where u.email = 'shown@notifications.example.com'`
  await expect
    .poll(saved, PATIENT)
    .toEqual([{ endpoint: 'http://127.0.0.1:9/push/new', kinds: ['paid'], language: 'ar' }])

  const { errors, data } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(data).toContain('icon-maskable-512.png')
})
