// A home folder with a work folder for tools that start programs of the user or of the repository: hooks and MCP servers.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterAll, beforeEach } from 'vitest'
import type { Line } from '../src/terminal/line.ts'
import { openSandbox } from '../src/tools/commands/sandbox/sandbox.ts'

export const neverAborted = new AbortController().signal

const textOf = (line: Line): string =>
  typeof line === 'string' ? line : line.map((part) => (typeof part === 'string' ? part : part.text)).join('')

export function useTrustPlace(variables: Readonly<Record<string, string>> = {}) {
  const home = scratchFolder()
  const root = join(home, 'work')
  mkdirSync(root)
  const env = { PATH: process.env.PATH ?? '', HOME: home, COWRIE_API_KEY: 'csk_own', ...variables }
  const [notes, questions]: [string[], string[]] = [[], []]
  const trustFile = join(home, 'trust.json')
  const place = {
    home,
    root,
    notes,
    questions,
    /** The answer to the next questions. */
    isAgreed: true,
    options: () => ({
      root,
      env,
      home,
      trust: {
        stateFile: trustFile,
        ask: async (title: Line, body: readonly Line[]) => {
          questions.push([title, ...body].map(textOf).join('\n'))
          return place.isAgreed
        },
      },
      sandbox: openSandbox({
        root,
        env,
        home,
        platform: 'linux' as const,
        folder: join(home, 'sandbox'),
        hidden: [],
        isSecret: () => false,
      }),
      onNote: (note: string) => notes.push(note),
    }),
  }
  beforeEach(() => {
    notes.length = 0
    questions.length = 0
    place.isAgreed = true
    rmSync(trustFile, { force: true })
  })
  afterAll(() => rmSync(home, { recursive: true }))
  return place
}
