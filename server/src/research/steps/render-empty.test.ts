// A page whose text is made by its scripts is read after rendering, where a browser is set.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChromium } from '@cowrie/testkit/harness/chromium.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPage } from '../../platform/web/web.ts'
import { renderEmpty } from './render-empty.ts'

const FACT =
  'The port of Makoro opens berth 15 for grain ships in June 2027, and dials *170# for each delivery.'
const PAGE = `<!doctype html><title>Port</title><main id="app"></main><script>
  document.getElementById('app').innerHTML = '<h1>Berths</h1>' + '<p>${FACT}</p>' + '<p>It has 14 others.</p>'
</script>`

let site: Server
let origin: string
beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(PAGE)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => {
  site.close()
})

async function read(chromium: string | null) {
  const rules = { allow: [origin], userAgent: 'CowrieTest/1.0' }
  const { signal } = new AbortController()
  const page = await fetchPage(`http://${origin}/`, rules, signal)
  const warnings: unknown[] = []
  const log = { warn: (...words: unknown[]) => void warnings.push(words) }
  const app = { config: { chromium, environment: 'test' as const }, log }
  const result = await renderEmpty({ app, orgId: 'org_1' as const }, page, rules, signal)
  return { text: 'text' in result ? result.text : result.reason, warnings }
}

test('the text that scripts make is read byte for byte', async () => {
  expect((await read(findChromium())).text).toContain(FACT)
})

test('without a browser, and when it fails, the page counts as empty', async () => {
  expect(await read(null)).toEqual({ text: 'empty', warnings: [] })
  expect(await read('/nonexistent/chromium')).toMatchObject({ text: 'empty', warnings: { length: 1 } })
})
