// Three-way merge of an edit with local changes made since the file was sent.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Git } from '../../git/git.ts'

const CONFLICTS_MAX = 127

/** Null on a conflict. */
export async function mergeTexts(
  git: Git,
  { ours, base, theirs }: { ours: string; base: string; theirs: string },
): Promise<string | null> {
  // Outside of the repository, so that its configuration does not apply; readable by the owner only.
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-merge-'))
  try {
    const texts = { ours, base, theirs }
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
    const { code, text } = await git.run(['merge-file', '-p', '-q', 'ours', 'base', 'theirs'], {
      cwd: folder,
      env: { GIT_CEILING_DIRECTORIES: tmpdir(), GIT_WORK_TREE: folder },
      answers: (answer) => answer <= CONFLICTS_MAX,
    })
    return code === 0 ? text : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
