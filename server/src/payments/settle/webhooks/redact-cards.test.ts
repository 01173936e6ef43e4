import { expect, test } from 'vitest'
import { redactCards } from './redact-cards.ts'

const kept = (text: string) => redactCards(Buffer.from(text)).toString()

test('removes card authorization codes in every notation', () => {
  const message = `{"data":{"authorization":{"authorization_code" : "AUTH_\\"x", "last4":"4081","signature":"SIG_1"},"b":"é"}}`
  expect(kept(message)).toBe(
    `{"data":{"authorization":{"authorization_code" : "-", "last4":"4081","signature":"-"},"b":"é"}}`,
  )
})

test('keeps all other bytes unchanged', () => {
  for (const bytes of [
    Buffer.from('{"reference":"tp1","authorization":null}'),
    Buffer.from([0xff, 0xc3, 0x28, 0]),
  ])
    expect(redactCards(bytes)).toBe(bytes)
  const mixed = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('"signature":"x"')])
  expect(redactCards(mixed)).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('"signature":"-"')]),
  )
})
