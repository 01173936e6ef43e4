// cowrie exec: one message to the agent, for scripts and CI.
import type { Command } from '../../command.ts'
import { SESSION_OPTIONS } from './options.ts'

export const exec: Command = {
  name: 'exec',
  usage: '"<prompt>"',
  summary:
    'Let the agent work in this folder without questions, for scripts and CI. "-" reads standard input.',
  args: { min: 0, max: 1 },
  options: {
    ...SESSION_OPTIONS,
    allow: {
      type: 'string',
      multiple: true,
      placeholder: '<pattern>',
      summary: 'Allow commands or tools that match, such as "npm test*". Can be repeated.',
    },
    file: {
      type: 'string',
      short: 'f',
      multiple: true,
      placeholder: '<path>',
      summary: 'Attach a text file. Can be repeated.',
      complete: 'files',
    },
    image: {
      type: 'string',
      multiple: true,
      placeholder: '<path>',
      summary: 'Attach a PNG, JPEG, GIF or WebP image. Can be repeated.',
      complete: 'files',
    },
    verify: {
      type: 'string',
      placeholder: '<command>',
      summary:
        'A command that must pass at the end. The agent fixes failures, at most twice; then exit code 10.',
    },
    continue: { type: 'boolean', summary: 'Continue the last session of this folder.' },
    session: {
      type: 'string',
      placeholder: '<id>',
      summary: 'Continue this session.',
      complete: 'sessions',
    },
    'no-git': { type: 'boolean', summary: 'Work in this folder although it is not a git repository.' },
  },
  async run(context) {
    const { execute } = await import('../../interactive/exec/exec.ts')
    await execute(context)
  },
}
