import { nowhere, refusal, site, unending } from '@cowrie/testkit/platform/web.ts'
import { expect, test } from 'vitest'
import { createImageFetcher, imageTypeOf } from './image.ts'
import { WEB_ENVIRONMENT } from './web-environment.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')

test('an image is recognised by its first bytes', () => {
  const types = [
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff\xe0',
    'GIF89a',
    'RIFF\n\0\0\nWEBPVP8 ',
    '<svg>',
    'RIFF1234WAVE',
  ]
  expect(types.map((text) => imageTypeOf(Buffer.from(text, 'latin1')))).toEqual([
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    null,
    null,
  ])
})

test('an image is fetched through redirects, without a look at robots.txt', async () => {
  const { origin, rules, requestedPaths } = await site((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/a.png' }).end()
    else response.end(PNG)
  })
  const fetch = createImageFetcher(WEB_ENVIRONMENT)
  expect(await fetch(`${origin}/moved`, rules, unending())).toEqual(PNG)
  expect(requestedPaths).toEqual(['/moved', '/a.png'])
})

test('an image that takes too long, is too large or leads elsewhere is refused', async () => {
  const { origin, rules } = await site((request, response) => {
    if (request.url === '/slow') response.write(PNG)
    else if (request.url === '/large') response.writeHead(200, { 'content-length': 6_000_000 }).end(PNG)
    else response.writeHead(302, { location: String(request.url).slice(1) }).end()
  })
  const fetch = createImageFetcher(
    { ...WEB_ENVIRONMENT, dial: (to) => (to.port === 443 ? nowhere() : WEB_ENVIRONMENT.dial(to)) },
    200,
  )
  const reasonOf = (path: string) => refusal(fetch(`${origin}/${path}`, rules, unending()))
  expect(await reasonOf('slow')).toBe('timeout')
  expect(await reasonOf('large')).toBe('too_large')
  expect(await reasonOf('http://93.184.216.34/a.png')).toBe('port_refused')
  expect(await reasonOf('https://93.184.216.34:8443/a.png')).toBe('port_refused')
  expect(await reasonOf('https://169.254.169.254/latest')).toBe('private_address')
  expect(await reasonOf('https://localhost/a.png')).toBe('private_address')
  expect(await reasonOf('https://93.184.216.34/a.png')).toBe('unreachable')
})
