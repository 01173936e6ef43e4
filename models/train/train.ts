// `node models/train/train.ts <folder of sources>`: trains the built-in embedding model. README.md
// describes the sources.
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWeights } from '../embedding/weights.ts'
import { installedSets } from './evaluation.ts'
import { heldOutFilter } from './held-out.ts'
import { batches, batchesPer, type PackagedExample } from './learning/batches.ts'
import { encode } from './learning/encode.ts'
import { emptyGradient } from './learning/gradient.ts'
import { initialParameters } from './learning/parameters.ts'
import { quantize } from './learning/quantize.ts'
import { randomFrom } from './learning/random.ts'
import { trainStep } from './learning/step.ts'
import { vocabularyOf } from './learning/vocabulary.ts'
import { type Corpus, type PackageProvenance, readCorpus } from './mining/corpus.ts'
import { textWithPath } from './mining/pair.ts'

const SIZES = { words: 23_000, buckets: 3_000, dimensions: 256 }
const EPOCHS = 2
const RATE = { first: 0.05, last: 0.005 }
const SEED = 1
const MODELS = join(import.meta.dirname, '../embedding/weights')

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node models/train/train.ts <folder of sources>')

const measured = installedSets().flatMap(({ pairs }) => pairs)
const corpus = readCorpus(folder, heldOutFilter(), measured)
log(`${corpus.pairs.length} pairs from ${corpus.provenance.length} packages`)
train(corpus)

function train({ pairs: lessons, provenance: origins }: Corpus): void {
  const random = randomFrom(SEED)
  const words = vocabularyOf(lessons, SIZES.words)
  const vocabulary = { numbers: new Map(words.map((word, i) => [word, i])), buckets: SIZES.buckets }
  const remembered = new Map()
  const examples: PackagedExample[] = lessons.map((lesson, i) => ({
    package: lesson.package,
    query: encode(vocabulary, remembered, lesson.question, 'query'),
    // An index prepends path and name to the code. Other callers embed the code alone.
    text: encode(vocabulary, remembered, i % 2 === 0 ? textWithPath(lesson) : lesson.code, 'text'),
  }))
  log(`${words.length} words`)

  const texts = examples.map(({ text }) => text)
  const parameters = initialParameters(words.length + SIZES.buckets, SIZES.dimensions, texts, random)
  const gradient = emptyGradient(parameters)
  const provenance = provenanceOf(origins)
  const steps = EPOCHS * batchesPer(examples.length)
  let step = 0
  for (let round = 1; round <= EPOCHS; round++) {
    let loss = 0
    for (const batch of batches(examples, random)) {
      const rate = RATE.first + (RATE.last - RATE.first) * (step / steps)
      loss += trainStep(parameters, gradient, batch, rate)
      step++
      if (step % 200 === 0) log(`step ${step} of ${steps}`)
    }
    log(`round ${round}: loss ${(loss / batchesPer(examples.length)).toFixed(4)}`)
    // Saved after every epoch, so that an interrupted run keeps its result.
    const sha256 = createHash('sha256').update(provenance).digest('hex')
    writeAtomically('provenance.tsv', provenance)
    writeAtomically('cowrie-embed-1.bin', writeWeights(quantize(parameters, words, sha256)))
  }
}

function provenanceOf(origins: readonly PackageProvenance[]): string {
  const rows = origins.map(({ source, name, version, licence, pairs }) => [
    source,
    name,
    version,
    licence,
    pairs,
  ])
  return [['source', 'package', 'version', 'licence', 'pairs'], ...rows]
    .map((row) => `${row.join('\t')}\n`)
    .join('')
}

/** Replaced atomically, because a service may be reading the file. */
function writeAtomically(name: string, content: string | Buffer): void {
  mkdirSync(MODELS, { recursive: true })
  const file = join(MODELS, name)
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

function log(text: string): void {
  process.stderr.write(`${text}\n`)
}
