// Reads advisory files: one record, a list of records, or one record per line.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Advisory, type AdvisoryIndex, addRecord } from '@cowrie/analysis/advisories/osv.ts'

const DEPTH_MAX = 4
const FILES_MAX = 500_000
const FILE_BYTES_MAX = 256 * 1024 * 1024
/** Other requests are served after this many records. */
const RECORDS_PER_TURN = 200

/** The file itself, or all `.json`, `.jsonl` and `.ndjson` files of the folder, in order. */
export async function listAdvisoryFiles(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place]
  const files: string[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && depth < DEPTH_MAX) await walk(path, depth + 1)
      else if (entry.isFile() && /\.(?:json|jsonl|ndjson)$/i.test(entry.name) && files.length < FILES_MAX)
        files.push(path)
    }
  }
  await walk(place, 1)
  return files.sort()
}

export type ReadAdvisories = {
  readonly index: AdvisoryIndex
  readonly records: number
  /** Files that are not in the OSV format, or have records that are not. */
  readonly unreadable: readonly string[]
}

export async function readAdvisories(files: readonly string[]): Promise<ReadAdvisories> {
  const index = new Map<string, Advisory[]>()
  const unreadable: string[] = []
  let records = 0
  for (const file of files) {
    const found = (await stat(file)).size > FILE_BYTES_MAX ? null : recordsOf(await readFile(file, 'utf8'))
    let isReadable = found !== null
    for (const record of found ?? []) {
      if (!addRecord(index, record)) isReadable = false
      if (++records % RECORDS_PER_TURN === 0) await nextTurn()
    }
    if (!isReadable) unreadable.push(file)
  }
  return { index, records, unreadable }
}

/** Null if it is not JSON. */
function recordsOf(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return recordsByLine(text)
  }
}

function recordsByLine(text: string): unknown[] | null {
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown)
  } catch {
    return null
  }
}
