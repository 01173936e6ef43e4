// The app under test: one browser and one service per worker. Every page of a test is closed at its end.

import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, test } from 'vitest'
import { type OpenedPage, openBrowser, openPage } from './browser.ts'
import { startAtLocalhost, type TestService } from './service.ts'

export type AppUnderTest = {
  readonly server: TestServer
  readonly origin: string
  /** A page with separate cookies, as in another browser; at another address if one is given. */
  open(options?: BrowserContextOptions, origin?: string): Promise<OpenedPage>
}

const worker = test
  .extend('flags', { scope: 'worker' }, [])
  .extend('browser', { scope: 'worker' }, async ({ flags }, { onCleanup }) => {
    const browser = await openBrowser(...flags)
    onCleanup(() => browser.close())
    return browser
  })
  .extend('variables', { scope: 'worker' }, {})
  .extend('service', { scope: 'worker' }, async ({ variables }, { onCleanup }) => {
    const service = await startAtLocalhost(variables)
    onCleanup(() => service.server.close())
    return service
  })

/**
 * For the top of a test file. Without `start`, its tests use the service that all files of the worker share, with organisations
 * and addresses that no other file uses, and they revert global changes. A file that needs special settings, a clock or a
 * platform starts a separate service.
 */
export function startApp(start?: () => Promise<TestService>): AppUnderTest {
  let service: TestService | undefined
  let browser: Browser | undefined
  const opened: OpenedPage[] = []

  if (start === undefined)
    worker.beforeAll(({ browser: sharedBrowser, service: sharedService }) => {
      browser = sharedBrowser
      service = sharedService
    })
  else {
    worker.beforeAll(async ({ browser: shared }) => {
      service = await start()
      browser = service.flags ? await openBrowser(...service.flags) : shared
    })
    afterAll(async () => {
      if (service?.flags) await browser?.close()
      await service?.server.close()
    })
  }
  afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())))

  return {
    get server() {
      return started(service).server
    },
    get origin() {
      return started(service).origin
    },
    async open(options = {}, origin = started(service).origin) {
      const page = await openPage(started(browser), origin, options)
      opened.push(page)
      return page
    },
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The app is not started: use it inside a test or a hook.')
  return part
}
