import fs from 'node:fs'
import path from 'node:path'
// Names of files, not folders.
export function listPrefixed(folder: string, prefix: string) {
  return fs.readdirSync(folder).filter((name) => name.startsWith(prefix) && fs.statSync(path.join(folder, name)).isFile())
}
