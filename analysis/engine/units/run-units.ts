// Analyzes the functions of each file apart: from the state after the top level of all files, and without the changes
// of other functions. The result depends only on what it reads, so a later scan can reuse it.

import type { FunctionDefinition } from '../../ir.ts'
import { addHit } from '../hits.ts'
import type { HitTable, IncompleteReason, Machine, ReportedHit, SourceFile } from '../machine.ts'
import { hashOf, type ReuseCache } from '../reuse-cache.ts'
import { withOwnValueWork } from '../values/value-work.ts'
import { fingerprintOf, type StateTexts, stateTexts, type UnitInputs } from './state-texts.ts'
import { createTrace } from './trace.ts'
import { undoAll } from './undo.ts'

/** The result of the functions of a file. */
type UnitResult = {
  readonly hits: HitTable
  readonly internallyCalled: ReadonlySet<FunctionDefinition>
  readonly incompleteReason: IncompleteReason | null
  readonly steps: number
  /** Facts that rules collected are kept by it. */
  readonly part: object
}

/** Hits name their file by its path, so that they keep nothing of the earlier scan. */
export type StoredUnit = Omit<UnitResult, 'hits'> & {
  readonly hits: readonly (readonly [place: string, path: string, hit: Omit<ReportedHit, 'file'>])[]
  readonly inputs: UnitInputs
  readonly fingerprint: string
}

/** Results of earlier scans. The scope tells the owner, the rules and the settings apart. */
export type UnitCache = { readonly scope: string; readonly units: ReuseCache<StoredUnit> }

/** Analyzes all files, or takes the results of an equal earlier analysis. Returns the parts of the scan, in order. */
export function runUnits(
  m: Machine,
  analyze: (file: SourceFile) => void,
  cache: UnitCache | undefined,
): readonly object[] {
  const texts = cache && !m.isOrderDependent ? stateTexts(m) : null
  const parts = [m.part]
  for (const file of m.files.values()) {
    const key = cache ? hashOf([cache.scope, file.path]) : ''
    const known = texts ? findEqual(m, file, texts, cache?.units.get(key)) : undefined
    if (known) addKnown(m, file, known)
    else {
      const [unit, inputs] = runUnit(m, file, analyze)
      addResult(m, unit)
      const fingerprint = inputs && texts && fingerprintOf(m, texts, inputs)
      if (fingerprint && cache) {
        const stored = { ...unit, hits: listed(unit.hits), inputs, fingerprint }
        cache.units.set(key, stored, file.text.length + sizeOf(stored))
      }
      parts.push(unit.part)
      continue
    }
    parts.push(known.part)
  }
  return parts
}

/** The inputs are null if the result must not be used again. */
function runUnit(
  m: Machine,
  file: SourceFile,
  analyze: (file: SourceFile) => void,
): readonly [UnitResult, UnitInputs | null] {
  const { hits, internallyCalled, part, trace, results, bases, isOrderDependent, failures } = m
  const unit = { hits: new Map(), internallyCalled: new Set<FunctionDefinition>(), part: {} }
  const own = createTrace(file, true)
  const stepsBefore = file.steps
  Object.assign(m, unit, { trace: own, results: new Map(), bases: new Map(), isOrderDependent: false })
  m.unitOverlay = { parent: null, writes: new Map() }
  withOwnValueWork(() => analyze(file))
  undoAll(m)
  const isReusable = !m.isOrderDependent && m.failures === failures
  Object.assign(m, { hits, internallyCalled, part, trace, results, bases, isOrderDependent })
  m.unitOverlay = null
  const inputs = {
    reads: [...own.reads].map(({ path }) => path).sort(),
    lookups: [...own.lookups.keys()].sort(),
  }
  const result = { ...unit, incompleteReason: file.incompleteReason, steps: file.steps - stepsBefore }
  return [result, isReusable ? inputs : null]
}

function findEqual(
  m: Machine,
  file: SourceFile,
  texts: StateTexts,
  stored: StoredUnit | undefined,
): StoredUnit | undefined {
  if (!stored || stored.fingerprint !== fingerprintOf(m, texts, stored.inputs)) return undefined
  // With fewer steps left for the whole scan, the analysis might end earlier than before.
  const needed = Math.min(file.stepsMax - file.steps, m.budget.stepsPerFunction)
  return m.scanStepsLeft - stored.steps >= needed ? stored : undefined
}

function addKnown(m: Machine, file: SourceFile, unit: StoredUnit): void {
  file.incompleteReason ??= unit.incompleteReason
  file.steps += unit.steps
  m.scanStepsLeft -= unit.steps
  for (const [place, path, hit] of unit.hits) {
    const at = m.files.get(path)
    if (at) addHit(m.hits, place, { ...hit, file: at })
  }
  for (const definition of unit.internallyCalled) m.internallyCalled.add(definition)
}

function addResult(m: Machine, { hits, internallyCalled }: UnitResult): void {
  for (const [place, all] of hits) for (const hit of all) addHit(m.hits, place, hit)
  for (const definition of internallyCalled) m.internallyCalled.add(definition)
}

const listed = (hits: HitTable): StoredUnit['hits'] =>
  [...hits].flatMap(([place, all]) =>
    all.map(({ file, ...hit }): StoredUnit['hits'][number] => [place, file.path, hit]),
  )

const HIT_SIZE = 1_000
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length + 20, 0)

/** In characters, roughly, without the file, whose parsed code the result refers to. */
const sizeOf = ({ hits, inputs, internallyCalled }: StoredUnit): number =>
  500 +
  hits.length * HIT_SIZE +
  internallyCalled.size * 20 +
  lengthOf(inputs.reads) +
  lengthOf(inputs.lookups)
