import fs from 'node:fs'
import path from 'node:path'
import { openZip } from 'zip-reader'

export function unpackAll(archive: string, folder: string) {
  for (const entry of openZip(archive)) {
    const name = path.normalize(entry.entryName.toString())
    const target = path.resolve(folder, name)
    fs.writeFileSync(target, entry.getData()) // ← here
  }
}
