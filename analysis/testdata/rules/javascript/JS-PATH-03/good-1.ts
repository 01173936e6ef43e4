import fs from 'node:fs'
import path from 'node:path'
export function readPage(root: string, name: string) {
  const file = path.join(root, name)
  if (!file.startsWith(root + path.sep)) throw new Error('outside of the folder')
  return fs.readFileSync(file)
}
