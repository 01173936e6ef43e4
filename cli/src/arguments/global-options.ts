// Options that every command takes.
import type { Option } from '../command.ts'

export const GLOBAL_OPTIONS = {
  org: { type: 'string', placeholder: '<id>', summary: 'The organisation to use.', complete: 'orgs' },
  json: { type: 'boolean', summary: 'Print the result or error as JSON; streams as JSON lines.' },
  quiet: { type: 'boolean', short: 'q', summary: 'Hide notes and progress.' },
  yes: { type: 'boolean', short: 'y', summary: 'Answer yes to every question.' },
  'max-cost': {
    type: 'string',
    placeholder: '<amount>',
    summary: 'The maximum cost, such as 500. A command that could cost more does not start.',
  },
  'idempotency-key': {
    type: 'string',
    placeholder: '<key>',
    summary: 'A name for this request. Sending it twice runs and charges it once.',
  },
  timeout: { type: 'string', placeholder: '<seconds>', summary: 'How long to wait for a response.' },
  'data-saver': { type: 'boolean', summary: 'Send and download as little as possible.' },
  'no-color': { type: 'boolean', summary: 'No colours; same as NO_COLOR.' },
  profile: { type: 'string', placeholder: '<name>', summary: 'Use the keys and settings of this profile.' },
  'base-url': {
    type: 'string',
    placeholder: '<url>',
    summary:
      'The address of the service. Default: COWRIE_URL, then your last sign-in, then http://127.0.0.1:8080.',
  },
  help: { type: 'boolean', short: 'h', summary: 'Show help for a command.' },
} as const satisfies Record<string, Option>
