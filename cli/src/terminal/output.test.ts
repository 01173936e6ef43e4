import { expect, test } from 'vitest'
import { screenOf } from '../../test/pty.ts'
import { red } from './line.ts'
import { Output, type OutputMode } from './output.ts'
import { truncate, widthOf } from './width.ts'
import { columns } from './wrap.ts'

function collect(mode: Partial<OutputMode>) {
  const written = { stdout: '', stderr: '' }
  const out = new Output(
    { write: (text) => (written.stdout += String(text)) },
    { write: (text) => (written.stderr += String(text)) },
    {
      json: false,
      quiet: false,
      color: false,
      live: false,
      terminals: { stdout: false, stderr: false },
      width: () => 40,
      ...mode,
    },
  )
  return { out, written }
}

test('styles are printed if enabled, and escape codes in data never', () => {
  const line = ['a ', red('b\x1b[2Jc')]
  const [colored, plain] = [collect({ color: true }), collect({})]
  for (const { out } of [colored, plain]) out.result(null, [line])
  expect(colored.written.stdout).toBe('a \x1b[31mb [2Jc\x1b[0m\n')
  expect(plain.written.stdout).toBe('a b [2Jc\n')
})

test('JSON keeps its value, and control characters are escaped', () => {
  const { out, written } = collect({ json: true })
  const value = { title: 'a\u009b2J\u007f\u202eb', path: '\x1b[2J' }
  out.result(value, [])
  out.error(value)
  for (const text of [written.stdout, written.stderr]) {
    expect(JSON.parse(text)).toEqual(value)
    expect(text).toMatch(/^[\x20-\x7e]+\n$/)
  }
})

test('progress is one line on a terminal, and results appear above it', () => {
  const { out, written } = collect({ live: true, width: () => 12 })
  out.progress('verify 1 of 3 and more')
  out.note('a remark')
  out.progress('verify 2')
  out.endProgress()
  out.note('done')
  expect(written.stderr).toContain('verify 1 o…')
  expect(screenOf(written.stderr)).toBe('a remark\ndone\n')
})

test('without a terminal, each new progress text is a line', () => {
  const { out, written } = collect({})
  for (const text of ['plan', 'plan', 'edit']) out.progress(text)
  out.progress('tick', false)
  out.endProgress()
  expect(written.stderr).toBe('plan\nedit\n')
})

test.for([{ json: true }, { quiet: true }])('%j prints no notes and no progress', (mode) => {
  const { out, written } = collect({ ...mode, live: true })
  out.progress('plan')
  out.note('a remark')
  out.endProgress()
  expect(written.stderr).toBe('')
})

test('the width of wide and combining letters is counted', () => {
  expect([widthOf('₦1,500'), widthOf('مرحبا'), widthOf('日本'), widthOf('e\u0301')]).toEqual([6, 5, 4, 1])
  expect([truncate('日本語', 4), truncate('abc', 3), truncate('abcd', 3)]).toEqual(['日…', 'abc', 'ab…'])
})

test('on a narrow terminal, values are on separate lines', () => {
  expect(columns([['name', 'value']], 100)).toEqual(['  name  value'])
  expect(columns([['name', 'value']], 20)).toEqual(['  name', '    value'])
})
