// Worker task: searches the files of a workspace.
import { createFileReader, type ScannedFiles } from '@cowrie/workspace/search/file-reader.ts'
import { type ScanOutput, type ScanQuery, scan } from '@cowrie/workspace/search/scan.ts'
import { SECRET_FORMATS } from './secret-formats.ts'

export type ScanInput = ScannedFiles & { readonly query: ScanQuery }

export function run(input: ScanInput): ScanOutput {
  const work = scan(createFileReader(input, SECRET_FORMATS), input.query)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
