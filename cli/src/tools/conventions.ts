// The file in which a repository describes its conventions to coding agents.
import { decodeText } from '@cowrie/workspace/tools/workspace-text.ts'
import type { LocalFiles } from './files/local-files.ts'
import type { LocalMask } from './files/local-mask.ts'

const NAMES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md']
/** The service accepts no more. */
const CHARACTERS_MAX = 24_000
const CUT = '\n\n(The rest of this file was left out because it is too long. Read it with the tool read.)'

/** Without secrets; null without such a file. */
export async function readConventions(
  files: LocalFiles,
  mask: LocalMask,
): Promise<{ readonly path: string; readonly text: string } | null> {
  for (const path of NAMES) {
    const { workspace } = await files.open(path, 'read')
    const content = workspace.files.has(path) ? await workspace.read(path) : null
    const text = content && decodeText(content)
    if (!text?.trim()) continue
    await mask.refresh()
    return { path, text: cut((await mask.hide(path, text)).text) }
  }
  return null
}

const cut = (text: string): string =>
  text.length <= CHARACTERS_MAX ? text : `${text.slice(0, CHARACTERS_MAX - CUT.length).toWellFormed()}${CUT}`
