import fs from 'node:fs'
import path from 'node:path'
import yauzl from 'yauzl'

export class Unpacker {
  constructor(private readonly folder: string) {}

  check(entry: yauzl.Entry) {
    const relativeTarget = path.relative(this.folder, path.join(this.folder, entry.fileName))
    if (relativeTarget.split(path.sep).includes('..')) throw new Error('outside of the folder')
  }

  write(entry: yauzl.Entry, content: NodeJS.ReadableStream) {
    content.pipe(fs.createWriteStream(path.join(this.folder, entry.fileName)))
  }
}
