// Options that a session in a terminal and `cowrie exec` share.
import type { Option } from '../../command.ts'

export const SESSION_OPTIONS = {
  budget: {
    type: 'string',
    placeholder: '<amount>',
    summary: 'The maximum cost of the session, such as 500. Default: the setting.',
  },
  approve: {
    type: 'string',
    placeholder: '<mode>',
    summary: 'ask: edits and commands need consent; edits: only commands; full: nothing inside the sandbox.',
    complete: ['ask', 'edits', 'full'],
  },
  plan: { type: 'boolean', summary: 'Read and plan only. Nothing is changed.' },
  model: {
    type: 'string',
    placeholder: '<model>',
    summary: 'open, frontier or a model of "cowrie models". Default: the setting.',
    complete: ['open', 'frontier'],
  },
  network: { type: 'boolean', summary: 'Allow commands to use the network.' },
} as const satisfies Record<string, Option>

export const TERMINAL_OPTIONS = {
  ...SESSION_OPTIONS,
  plain: {
    type: 'boolean',
    summary: 'For screen readers: no cursor movement, and words instead of colours and symbols.',
  },
} as const satisfies Record<string, Option>
