import { startPushService } from '@cowrie/testkit/fakes/push-service.ts'
import { expect, test } from 'vitest'
import { encryptMessage, findKeyProblem } from './encrypt.ts'

const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

test('the example of RFC 8291 gives its bytes', () => {
  const sealed = encryptMessage(Buffer.from('When I grow up, I want to be a watermelon'), BROWSER, {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    paddedTo: 1,
  })
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('messages of different length have the same number of bytes', () => {
  const [short, long] = ['a', 'a'.repeat(200)].map((text) => encryptMessage(Buffer.from(text), BROWSER))
  expect(short?.length).toBe(long?.length)
})

test('keys of a wrong length and points off the curve are refused', async () => {
  const service = await startPushService()
  const { keys } = service.browser()
  await service.close()
  expect(findKeyProblem(keys)).toBeNull()
  expect(findKeyProblem({ ...keys, auth: 'AAAA' })).toBe('auth')
  expect(findKeyProblem({ ...keys, p256dh: keys.p256dh.slice(0, 40) })).toBe('p256dh')
  const off = Buffer.alloc(65, 7)
  off[0] = 4
  expect(findKeyProblem({ ...keys, p256dh: off.toString('base64url') })).toBe('p256dh')
})
