// The app under test: service and browser are started once for a file, every page of a test is closed when it ends.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { TestServer } from '../../server/test/harness.ts'
import { type OpenedPage, openBrowser, openPage } from './browser.ts'
import { startAtLocalhost, type TestService } from './service.ts'

export type AppUnderTest = {
  readonly server: TestServer
  readonly origin: string
  /** A page with cookies of its own, as if in another browser; at the address of another service where one is given. */
  open(options?: BrowserContextOptions, origin?: string): Promise<OpenedPage>
}

/** For the top of a test file. */
export function startApp(start: () => Promise<TestService> = startAtLocalhost): AppUnderTest {
  let service: TestService | undefined
  let browser: Browser | undefined
  const opened: OpenedPage[] = []

  beforeAll(async () => {
    service = await start()
    browser = await openBrowser(...(service.flags ?? []))
  })
  afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())))
  afterAll(async () => {
    await browser?.close()
    await service?.server.close()
  })

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
  if (part === undefined) throw new Error('the app is there only while tests run')
  return part
}
