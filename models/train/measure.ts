// `node models/train/measure.ts <folder of sources>`: measures retrieval on held-out packages in languages
// that the lockfile does not contain. `npm run bench -- --only retrieval` measures the installed ones.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { measureRetrieval } from '@cowrie/server/bench/retrieval/measure.ts'
import { retrievalText } from '@cowrie/server/bench/retrieval/report.ts'
import { heldOutList } from './held-out.ts'
import { pairsBelow } from './mining/mine.ts'

const PAIRS = { least: 30, most: 400 }

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node models/train/measure.ts <folder of sources>')

const sets = heldOutList()
  .map(({ source, name }) => ({ name, path: join(folder, source, name.replace('/', '+')) }))
  .filter(({ path }) => existsSync(path))
  .map(({ name, path }) => ({ name, pairs: pairsBelow(path).slice(0, PAIRS.most) }))
  .filter(({ pairs }) => pairs.length >= PAIRS.least)
const columns = (rows: string[][]): string => rows.map((row) => row.join('\t')).join('\n')
process.stdout.write(`${retrievalText(measureRetrieval(sets), columns)}\n`)
