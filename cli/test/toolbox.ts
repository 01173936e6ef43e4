// A toolbox on a folder with files, for tests.
import { join } from 'node:path'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import type { Assessment, Toolbox, ToolReport } from '../src/session/types.ts'
import { openToolbox, type ToolboxOptions } from '../src/tools/open-toolbox.ts'
import { environmentOf, type WorkFolder } from './work-folder.ts'

/** A live key, made for tests. */
export const KEY = planted('paystack-live').secret
/** A small project with a secret in a file. */
export const SHOP = {
  '.gitignore': 'dist/\n.env\n',
  'README.md': '# Shop\n\nSells things.\n',
  'src/app.ts': 'export class Cart {\n  sum(rate: number): number {\n    return rate\n  }\n}\n',
  'src/config.ts': `export const name = 'shop'\nexport const key = '${KEY}'\n`,
  'run.sh': '#!/bin/sh\necho one\n',
}

export type TestToolbox = {
  readonly box: Toolbox
  /** Runs a call with a new id, or with this one. */
  call(tool: string, input: Record<string, unknown>, more?: CallOptions): Promise<ToolReport>
  assess(tool: string, input: Record<string, unknown>): Promise<Assessment>
}
type CallOptions = { readonly callId?: string; readonly turnId?: string }

export const stateOf = ({ root }: WorkFolder): string => join(root, '..', 'state')

let calls = 0

/** `root`: another path to the folder. */
export async function openTestToolbox(
  folder: WorkFolder,
  more: Partial<ToolboxOptions> = {},
): Promise<TestToolbox> {
  const home = join(folder.root, '..')
  const box = await openToolbox({
    root: folder.root,
    folder: stateOf(folder),
    env: environmentOf(home),
    home,
    isDataSaver: false,
    groups: [],
    ...more,
  })
  const { signal } = new AbortController()
  const next = () => `call-${process.pid}-${++calls}`
  return {
    box,
    call: (tool, input, { callId = next(), turnId = 'turn-1' } = {}) =>
      box.run({ callId, turnId, tool, input }, { signal }),
    assess: (tool, input) => box.assess({ callId: next(), turnId: 'turn-1', tool, input }),
  }
}
