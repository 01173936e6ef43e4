// The address of one payment: known again, and made by nobody else.

import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentOfToken, railOfToken, webhookUrl, webhookUrlFor } from './webhook-url.ts'

const REFERENCE = 'tp01m7g3bgkswntn7dm6749mvbw5'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const tokenIn = (address: string): string => address.split('/').at(-1) ?? ''
const tokenOf = (reference: string): string => tokenIn(webhookUrlFor(server.app, 'daraja', reference))

describe('the address of one payment', () => {
  test('leads back to that payment, and to its rail', () => {
    expect(paymentOfToken(server.app, tokenOf(REFERENCE))).toBe(REFERENCE)
    expect(railOfToken(server.app, tokenOf(REFERENCE))).toBe('daraja')
  })

  test('has digits alone in its token, so that no word in it can offend', () => {
    expect(tokenOf('tpexecmdsql0mpesa0query00000')).toMatch(/^[0-9a-f]{88}$/)
  })

  test('cannot be made from that of another payment', () => {
    const another = Buffer.from('tp01m7g3bgkswntn7dm6749mvbw6').toString('hex')
    const token = `${tokenOf(REFERENCE).slice(0, 32)}${another}`
    expect(paymentOfToken(server.app, token)).toBeNull()
    expect(railOfToken(server.app, token)).toBeNull()
  })

  test.for([
    ['cut', (token: string) => token.slice(0, -2)],
    ['with a digit changed', (token: string) => token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
    ['in capitals', (token: string) => token.toUpperCase()],
    ['with more behind it', (token: string) => `${token}00`],
  ] as const)('%s is nobody’s', ([, change]) => {
    const token = change(`${tokenOf(REFERENCE)}`)
    expect(token).not.toBe(tokenOf(REFERENCE))
    expect(paymentOfToken(server.app, token)).toBeNull()
    expect(railOfToken(server.app, token)).toBeNull()
  })

  test('is the address of the whole rail where the provider knows our references', () => {
    expect(webhookUrlFor(server.app, 'momo', REFERENCE)).toBe(webhookUrl(server.app, 'momo'))
    expect(paymentOfToken(server.app, tokenIn(webhookUrl(server.app, 'daraja')))).toBeNull()
  })

  test('stays good when the service gets another secret', async () => {
    const rotated = await startTestServer({
      url: server.url,
      variables: {
        SERVICE_SECRET: 'another secret that is long enough too',
        SERVICE_SECRET_PREVIOUS: 'a secret that only tests know, long enough',
      },
    })
    expect(paymentOfToken(rotated.app, tokenOf(REFERENCE))).toBe(REFERENCE)
    expect(webhookUrlFor(rotated.app, 'daraja', REFERENCE)).not.toContain(tokenOf(REFERENCE))
    await rotated.close()
  })
})
