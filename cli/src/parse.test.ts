import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { parseLine } from './parse.ts'

const command = (name: string, options: Command['options'] = {}, max = 1): Command => ({
  name,
  summary: '',
  args: { min: 0, max },
  options,
  run: async () => undefined,
})
const COMMANDS = [
  command('wallet'),
  command('wallet topup', { phone: { type: 'string', summary: '' } }),
  command('run', { file: { type: 'string', short: 'f', multiple: true, summary: '' } }),
  command('research get'),
]
const read = (...args: string[]) => {
  const wanted = parseLine(args, COMMANDS)
  return wanted.kind === 'run'
    ? { name: wanted.command.name, given: wanted.given, values: { ...wanted.values } }
    : { help: wanted.command?.name ?? null }
}

test.for([
  { args: ['wallet'], name: 'wallet', given: [], values: {} },
  { args: ['wallet', 'topup', '2000'], name: 'wallet topup', given: ['2000'], values: {} },
  { args: ['--json', 'wallet', 'topup'], name: 'wallet topup', given: [], values: { json: true } },
  { args: ['--org', 'wallet', 'run'], name: 'run', given: [], values: { org: 'wallet' } },
  {
    args: ['--org=x', 'wallet', '-q', 'topup'],
    name: 'wallet topup',
    given: [],
    values: { org: 'x', quiet: true },
  },
  {
    args: ['run', '-f', 'a', '-f', 'b', 'do it'],
    name: 'run',
    given: ['do it'],
    values: { file: ['a', 'b'] },
  },
  { args: ['run', '--', '--help'], name: 'run', given: ['--help'], values: {} },
  { args: ['run', '-'], name: 'run', given: ['-'], values: {} },
  { args: ['wallet', 'topup', '--phone', 'run'], name: 'wallet topup', given: [], values: { phone: 'run' } },
])('$args is $name', ({ args, ...wanted }) => {
  expect(read(...args)).toEqual(wanted)
})

test.for([
  { args: ['help'], help: null },
  { args: ['-h'], help: null },
  { args: ['help', 'wallet', 'topup'], help: 'wallet topup' },
  { args: ['wallet', 'topup', '--phone', '--help'], help: 'wallet topup' },
])('$args explains $help', ({ args, help }) => {
  expect(read(...args)).toEqual({ help })
})

test.for([
  { args: ['walet'], says: 'There is no command "walet"; did you mean "wallet".' },
  { args: ['research'], says: 'There is no command "research" alone: research get.' },
  {
    args: ['research', 'gte'],
    says: 'There is no command "research" with "gte"; did you mean "research get".',
  },
  { args: ['wallet', '--phone', '1'], says: '"cowrie wallet" has no option --phone.' },
  { args: ['run', '--file'], says: "Option '-f, --file <value>' argument missing" },
  { args: ['wallet', 'a', 'b'], says: '"b" is one word too many.' },
  { args: ['--fast'], says: "Unknown option '--fast'" },
])('$args is answered with: $says', ({ args, says }) => {
  expect(() => read(...args)).toThrow(says)
})
