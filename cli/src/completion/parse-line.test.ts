import { expect, test } from 'vitest'
import type { Command } from '../command.ts'
import { completionAt } from './parse-line.ts'

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `About ${name}.`,
  args: { min: 0, max: 0 },
  run: async () => undefined,
  ...more,
})
const COMMANDS = [
  command('wallet'),
  command('wallet topup', {
    args: { min: 1, max: 1 },
    options: { channel: { type: 'string', summary: 'Which.', complete: 'channels' } },
  }),
  command('wallet ledger'),
  command('apply', { args: { min: 0, max: 1 }, complete: 'results' }),
  command('completion', { args: { min: 1, max: 1 }, complete: ['bash', 'fish'] }),
  command('__complete', { hidden: true }),
]
const at = (...line: string[]) => completionAt(line, COMMANDS)
const words = (...line: string[]) => at(...line).words.map(({ word }) => word)

test('the first word completes to commands, without duplicates and hidden ones', () => {
  expect(words('')).toEqual(['wallet', 'apply', 'completion'])
  expect(words('w')).toEqual(['wallet'])
  expect(words()).toEqual(['wallet', 'apply', 'completion'])
  expect(words('x')).toEqual([])
})

test('the next word completes to subcommands', () => {
  expect(at('wallet', '').words).toEqual([
    { word: 'topup', summary: 'About wallet topup.' },
    { word: 'ledger', summary: 'About wallet ledger.' },
  ])
  expect(words('--json', '--org', 'x', 'wallet', 'l')).toEqual(['ledger'])
})

test('options of the command and global options are offered', () => {
  expect(words('wallet', 'topup', '--ch')).toEqual(['--channel'])
  expect(words('wallet', '--ch')).toEqual([])
  expect(words('wallet', '--js')).toEqual(['--json'])
})

test('values of an option are offered, with a space or an equals sign', () => {
  const expected = { words: [], from: 'channels', begin: 'us' }
  expect(at('wallet', 'topup', '--channel', 'us')).toEqual(expected)
  expect(at('wallet', 'topup', '--channel=us')).toEqual(expected)
  // As bash passes it.
  expect(at('wallet', 'topup', '--channel', '=', 'us')).toEqual(expected)
  expect(at('wallet', 'topup', '--channel', '=')).toEqual({ ...expected, begin: '' })
})

test('arguments are offered up to the number that the command takes', () => {
  expect(at('apply', '7')).toEqual({ words: [], from: 'results', begin: '7' })
  expect(at('apply', '7k2f', '')).toEqual({ words: [], from: null, begin: '' })
  expect(words('completion', '')).toEqual(['bash', 'fish'])
  expect(words('completion', '--json', 'f')).toEqual(['fish'])
})
