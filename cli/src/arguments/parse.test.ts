import { expect, test } from 'vitest'
import type { Command } from '../command.ts'
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
  const parsed = parseLine(args, COMMANDS)
  if (parsed.kind === 'version') return { version: true }
  if (parsed.kind === 'help')
    return { help: parsed.command?.name ?? null, below: parsed.below.map(({ name }) => name) }
  return { name: parsed.command.name, given: parsed.given, values: { ...parsed.values } }
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
])('$args parses as $name', ({ args, ...parsed }) => {
  expect(read(...args)).toEqual(parsed)
})

test.for([
  { args: [], help: null, below: [] },
  { args: ['help'], help: null, below: [] },
  { args: ['-h'], help: null, below: [] },
  { args: ['help', 'wallet', 'topup'], help: 'wallet topup', below: [] },
  { args: ['wallet', 'topup', '--phone', '--help'], help: 'wallet topup', below: [] },
  { args: ['help', 'wallet'], help: 'wallet', below: ['wallet topup'] },
  { args: ['help', 'research'], help: null, below: ['research get'] },
  { args: ['research', '--help'], help: null, below: ['research get'] },
])('$args shows help for $help, with subcommands $below', ({ args, help, below }) => {
  expect(read(...args)).toEqual({ help, below })
})

test.for([[['--version']], [['-V']]])('%s requests the version', ([args]) => {
  expect(read(...(args ?? []))).toEqual({ version: true })
})

test.for([
  { args: ['walet'], says: 'Unknown command "walet". Did you mean "wallet"?' },
  { args: ['topup', '5'], says: 'Unknown command "topup". Did you mean "wallet topup"?' },
  { args: ['reserch', 'get'], says: 'Unknown command "reserch". Did you mean "research get"?' },
  { args: ['reserch'], says: 'Unknown command "reserch". Did you mean "research"?' },
  { args: ['rm'], says: /^Unknown command "rm"\.$/ },
  { args: ['research'], says: 'Unknown command "research" alone. Use one of: research get.' },
  {
    args: ['research', 'gte'],
    says: 'Unknown command "research" with "gte". Did you mean "research get"?',
  },
  { args: ['wallet', '--phone', '1'], says: '"cowrie wallet" has no option --phone.' },
  { args: ['run', '--file'], says: "Option '-f, --file <value>' argument missing" },
  { args: ['wallet', 'a', 'b'], says: 'Unexpected argument "b".' },
  { args: ['--fast'], says: /^Unknown option --fast\.$/ },
])('$args is refused: $says', ({ args, says }) => {
  expect(() => read(...args)).toThrow(says)
})

test('a line without a command runs the usual one, if there is one', () => {
  const usual = command('session', { budget: { type: 'string', summary: '' } }, 0)
  const parse = (...args: string[]) => parseLine(args, [usual], usual)
  expect(parse()).toMatchObject({ kind: 'run', command: usual, values: {} })
  expect(parse('--budget', '500', '--data-saver')).toMatchObject({
    command: usual,
    values: { budget: '500', 'data-saver': true },
  })
  expect(parse('--help')).toMatchObject({ kind: 'help', command: null })
  expect(parse('--version')).toEqual({ kind: 'version' })
  expect(() => parse('--bugdet', '500')).toThrow('Unknown option --bugdet.')
  expect(() => parse('Fix it')).toThrow('Unknown command "Fix it"')
  expect(() => parseLine(['--data-saver'], [usual])).toThrow('No command given.')
})
