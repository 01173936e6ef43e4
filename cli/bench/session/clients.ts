// The clients of the comparison. Each runs the same turns, one process for each turn, as its documentation describes for scripts.
// Ours also runs them in one process, in a terminal.
import { CODEX, type CodingClient, OPENCODE } from '@cowrie/testkit/clients/clients.ts'
import { installClient } from '@cowrie/testkit/clients/install.ts'

export type TurnSetting = { readonly prompt: string; readonly isFirst: boolean; readonly program: string }

export type SessionClient = {
  readonly name: string
  /** The client that `cowrie setup` configures. Null: our own. */
  readonly recipe: string | null
  readonly variables: Readonly<Record<string, string>>
  /** The path of its program. */
  install(cowrie: string): Promise<string>
  command(setting: TurnSetting): readonly string[]
  /** One process in a terminal takes all messages. */
  readonly isTerminal?: boolean
}

const peer = (client: CodingClient, command: SessionClient['command']): SessionClient => ({
  name: `${client.id} ${client.version}`,
  recipe: client.id,
  variables: client.variables?.({ address: '', key: '', model: '', prompt: '', folder: '' }) ?? {},
  install: () => installClient(client),
  command,
})

const UNASKED = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json']

export const CLIENTS: readonly SessionClient[] = [
  peer(CODEX, ({ prompt, isFirst, program }) => [
    program,
    'exec',
    ...(isFirst ? UNASKED : ['resume', '--last', ...UNASKED]),
    prompt,
  ]),
  peer(OPENCODE, ({ prompt, isFirst, program }) => [
    program,
    'run',
    '--auto',
    ...(isFirst ? [] : ['--continue']),
    prompt,
  ]),
  {
    name: 'cowrie exec',
    recipe: null,
    variables: {},
    install: (cowrie) => Promise.resolve(cowrie),
    command: ({ prompt, isFirst, program }) => [
      process.execPath,
      program,
      'exec',
      prompt,
      '--budget',
      '100000',
      '--approve',
      'full',
      '--json',
      ...(isFirst ? [] : ['--continue']),
    ],
  },
  {
    name: 'cowrie in a terminal',
    recipe: null,
    variables: {},
    install: (cowrie) => Promise.resolve(cowrie),
    isTerminal: true,
    command: ({ program }) => [process.execPath, program, '--budget', '100000', '--approve', 'full'],
  },
]
