// The versions of package managers on this host. Packages that one version installed may not work with another.
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ENVIRONMENT } from '../local/bubblewrap.ts'
import type { PrepareTool } from './tools/tool.ts'

const FOLDERS = (ENVIRONMENT.PATH ?? '').split(':')

/** Changes when a program is installed, replaced or removed. */
export async function describePrograms(tools: readonly PrepareTool[]): Promise<string> {
  const names = [...new Set(tools.flatMap(({ programs }) => programs))]
  return (await Promise.all(names.map(describeProgram))).join('\n')
}

async function describeProgram(name: string): Promise<string> {
  for (const folder of FOLDERS) {
    const path = await realpath(join(folder, name)).catch(() => null)
    if (path === null) continue
    const { size, mtimeMs } = await stat(path)
    return `${path} ${size} ${mtimeMs}`
  }
  return `no ${name}`
}
