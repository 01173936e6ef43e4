// Two changes of the same text put together: the edit, and what was done on this computer since the text was sent.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Git } from '../git/git.ts'

const CONFLICTS_MAX = 127

/** Null when both have changed the same lines. */
export async function mergeTexts(
  git: Git,
  { ours, base, theirs }: { ours: string; base: string; theirs: string },
): Promise<string | null> {
  // Outside of the repository, so that nothing of its configuration counts; for nobody else to read.
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
