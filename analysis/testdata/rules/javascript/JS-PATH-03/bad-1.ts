import fs from 'node:fs'
import path from 'node:path'
export function readPage(root: string, name: string) {
  const file = path.join(root, name)
  if (!file.startsWith(root)) throw new Error('outside of the folder') // ← here
  return fs.readFileSync(file)
}
