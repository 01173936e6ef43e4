// The task from the command line, the settings and standard input.

import { repoOf } from '../code-index/repo-name.ts'
import { type Context, type Option, textOf } from '../command.ts'
import { type GatheredFiles, gather } from '../context/gather.ts'
import { checkSecrets } from '../context/secret-check.ts'
import { UsageError } from '../errors.ts'
import type { SentFile } from '../results/result.ts'
import type { Config } from '../system/config.ts'

export type Task = {
  readonly prompt: string
  readonly files: readonly SentFile[]
  readonly how: GatheredFiles['how']
  /** The indexed repository for code context. */
  readonly repo: string | undefined
  readonly frontier: boolean | null
  readonly allowSecrets: boolean
  readonly loop: Loop | null
}
export type Loop = {
  readonly sandbox: NonNullable<Config['sandbox']>
  readonly testCmd: string | null
  /** Default: the plan's maximum. */
  readonly maxIters: number | null
  readonly allowTestEdits: boolean
}

const PROMPT_CHARACTERS_MAX = 200_000
const SANDBOXES = ['none', 'local', 'docker'] as const
const LANES = ['open', 'frontier'] as const

export const TASK_OPTIONS = {
  stdin: { type: 'boolean', summary: 'Add standard input to the prompt; same as "-".' },
  lane: {
    type: 'string',
    placeholder: '<open|frontier>',
    summary: 'open or frontier. Default: the service chooses.',
    complete: LANES,
  },
} as const satisfies Record<string, Option>

export const LOOP_OPTIONS = {
  test: {
    type: 'string',
    placeholder: '<command>',
    summary: 'The test command of a loop, such as "npm test".',
  },
  'max-iters': { type: 'string', placeholder: '<n>', summary: 'The maximum number of iterations, 1 to 8.' },
  sandbox: {
    type: 'string',
    placeholder: '<where>',
    summary: 'Where the service runs the test: local, docker, or none to skip it.',
    complete: SANDBOXES,
  },
  'allow-test-edits': { type: 'boolean', summary: 'Let a loop edit the tests and their configuration.' },
} as const satisfies Record<string, Option>

export async function readTask(context: Context, isLoop: boolean): Promise<Task> {
  const loop = isLoop ? loopIn(context) : null
  const frontier = laneIn(context)
  const prompt = await promptIn(context)
  const gathered = await gather(context, prompt)
  const guarded = await checkSecrets(context, gathered, prompt)
  return { prompt, ...guarded, how: gathered.how, repo: await repoOf(context), frontier, loop }
}

/** The command line, then standard input. */
async function promptIn({ args: [written = ''], values, machine, signal }: Context): Promise<string> {
  const isPiped = values.stdin === true || written === '-'
  const typed = written === '-' ? '' : written
  if (isPiped && machine.isStdinTerminal)
    throw new UsageError('Standard input is this terminal. Pipe something into it, or write the prompt.')
  const piped = isPiped ? await readAll(machine.stdin(signal)) : ''
  const prompt = [typed, piped].filter((part) => part.trim() !== '').join('\n\n')
  if (prompt === '') throw new UsageError('No task given. Write it in quotes, or pipe it in with "-".')
  if (prompt.length > PROMPT_CHARACTERS_MAX) throw tooLong()
  return prompt
}

async function readAll(input: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length > PROMPT_CHARACTERS_MAX) throw tooLong()
  }
  return text
}

function laneIn({ values, config }: Context): boolean | null {
  const lane = textOf(values, 'lane') ?? config.lane
  if (lane === undefined) return null
  if (lane !== 'open' && lane !== 'frontier')
    throw new UsageError(`--lane must be open or frontier, not "${lane}".`)
  return lane === 'frontier'
}

function loopIn({ values, config }: Context): Loop {
  const testCmd = textOf(values, 'test') ?? config.test ?? null
  const named = textOf(values, 'sandbox') ?? config.sandbox ?? (testCmd === null ? undefined : 'local')
  if (named === undefined)
    throw new UsageError('A loop needs a test command: --test "npm test", or --sandbox none.')
  const sandbox = SANDBOXES.find((each) => each === named)
  if (!sandbox) throw new UsageError(`--sandbox must be none, local or docker, not "${named}".`)
  if (sandbox !== 'none' && testCmd === null)
    throw new UsageError(`With --sandbox ${sandbox} a loop needs a test command: --test "npm test".`)
  return {
    sandbox,
    testCmd,
    maxIters: itersIn(textOf(values, 'max-iters')),
    allowTestEdits: values['allow-test-edits'] === true,
  }
}

function itersIn(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-8]$/.test(text)) throw new UsageError('--max-iters must be a number from 1 to 8.')
  return Number(text)
}

const tooLong = () =>
  new UsageError('The prompt is longer than 200,000 characters. Send long texts as files.')
