// Webhook URLs of single payments: recognised, and not forgeable.

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

describe('the webhook URL of one payment', () => {
  test('identifies the payment and its rail', () => {
    expect(paymentOfToken(server.app, tokenOf(REFERENCE))).toBe(REFERENCE)
    expect(railOfToken(server.app, tokenOf(REFERENCE))).toBe('daraja')
  })

  test('has only hexadecimal digits in its token', () => {
    expect(tokenOf('tpexecmdsql0mpesa0query00000')).toMatch(/^[0-9a-f]{88}$/)
  })

  test('cannot be derived from that of another payment', () => {
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
  ] as const)('%s is rejected', ([, change]) => {
    const token = change(`${tokenOf(REFERENCE)}`)
    expect(token).not.toBe(tokenOf(REFERENCE))
    expect(paymentOfToken(server.app, token)).toBeNull()
    expect(railOfToken(server.app, token)).toBeNull()
  })

  test('is that of the rail if the provider stores our references', () => {
    expect(webhookUrlFor(server.app, 'momo', REFERENCE)).toBe(webhookUrl(server.app, 'momo'))
    expect(paymentOfToken(server.app, tokenIn(webhookUrl(server.app, 'daraja')))).toBeNull()
  })

  test('stays valid after the service secret changed', async () => {
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
