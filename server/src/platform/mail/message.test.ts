import { expect, test } from 'vitest'
import { checkMail, parseMessage } from './message.ts'

const message = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

test('the address and the subject cannot inject a header', () => {
  const addresses = [
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\nx',
    'ada@example.com, eve@example.com',
    'ada@example.com;eve@example.com',
    'Eve <eve@example.com>',
    '"ada eve"@example.com',
    'ada@example.com\u0000',
    'ada@example.com\u2028',
    'ada@example.com\u200b',
    'ada @example.com',
    'ada@@example.com',
    'group:ada@example.com;',
    'ada',
    '',
    `${'a'.repeat(250)}@example.com`,
  ]
  for (const to of addresses)
    expect(() => checkMail({ ...message, to }), JSON.stringify(to)).toThrow('one address')
  for (const subject of [
    'Hi\r\nBcc: eve@example.com',
    'Hi\n',
    '\tHi',
    'a\u0085b',
    'a\u2028b',
    '',
    'x'.repeat(201),
  ])
    expect(() => checkMail({ ...message, subject }), JSON.stringify(subject)).toThrow('one line')
})

test('ordinary and international addresses are accepted', () => {
  for (const to of ['ada@example.com', 'a.b+c@sub.example.co.ke', 'işık@örnek.com', "o'hara@example.com"])
    expect(checkMail({ ...message, to })).toEqual({ ...message, to })
})

test('a body above the limit is rejected, and unknown fields are dropped', () => {
  expect(() => checkMail({ ...message, text: 'x'.repeat(50_001) })).toThrow('50,000')
  expect(parseMessage(JSON.stringify({ ...message, bcc: 'eve@example.com' }))).toEqual(message)
  expect(() => parseMessage('{"to":"ada@example.com"}')).toThrow()
})
