// The interpreter: runs the programs of one language and emits events to the rules. Each file has a budget,
// so it always terminates. Failures of a rule or a program are reported and do not stop the scan.

import type { Callable } from '../abstract-value.ts'
import type { Program } from '../ir.ts'
import type { LanguageModel } from '../language-model.ts'
import type { Rule, Visitor } from '../rule.ts'
import { evaluateArguments, evaluateCall } from './calls/call.ts'
import { analyzeClass, registerClass } from './calls/classes.ts'
import { newFrame } from './calls/frames.ts'
import { analyzeFunction, invoke } from './calls/functions.ts'
import { evaluate } from './evaluation/expressions.ts'
import { refine } from './evaluation/refine.ts'
import { execute, hoist } from './evaluation/statements.ts'
import { bestHits } from './hits.ts'
import {
  type Budget,
  BudgetExceededError,
  type ClassInfo,
  type IncompleteReason,
  type IndexedModel,
  type Machine,
  type ReportedHit,
  type RuleHandlers,
  type SourceFile,
} from './machine.ts'
import { indexByName } from './name-patterns.ts'
import { createDispatch } from './rule-dispatch.ts'
import { collectFileEvents, emitProgram, emitProject } from './rule-events.ts'
import { appendToIndex } from './units/method-indexes.ts'
import { runUnits, type UnitCache } from './units/run-units.ts'
import { createTrace, recordRead, recordWrites } from './units/trace.ts'
import { newVersion, undoAll } from './units/undo.ts'
import { findCapturedWrites } from './values/captured-writes.ts'
import { folderOf, readMember } from './values/members.ts'
import { lookUp } from './values/name-resolution.ts'
import { withOwnValueWork } from './values/value-work.ts'
import { declare, runOptionally } from './values/variables.ts'

export const BUDGET: Budget = {
  stepsPerFunction: 600_000,
  stepsPerFile: { base: 60_000, perCharacter: 14, max: 1_000_000 },
  stepsPerScan: { base: 400_000, perCharacter: 3 },
}

export type LoweredFile = { readonly path: string; readonly text: string; readonly program: Program }

/** Receives failures of a model, a rule or the engine. */
export type FailureHandler = (path: string, error: unknown) => void

export type InterpretOptions = {
  readonly budget?: Budget
  readonly onFailure?: FailureHandler
  /** Results of earlier scans. */
  readonly units?: UnitCache | undefined
}

export type InterpretResult = {
  readonly hits: readonly ReportedHit[]
  readonly incompleteFiles: ReadonlyMap<string, IncompleteReason>
}

export function interpret(
  model: LanguageModel,
  rules: readonly Rule[],
  lowered: readonly LoweredFile[],
  { budget = BUDGET, onFailure: failed = () => undefined, units }: InterpretOptions = {},
): InterpretResult {
  const files = new Map(lowered.map((file) => [file.path, createSourceFile(file, budget)]))
  const [first] = files.values()
  if (!first) return { hits: [], incompleteFiles: new Map() }
  const m = createMachine(model, rules, files, first, budget, failed)
  for (const file of files.values()) runForFile(m, file, () => declareTopLevel(m, file))
  for (const file of files.values()) {
    m.trace = file.trace ?? m.trace
    runFile(m, file)
  }
  const parts = runUnits(m, (file) => analyzeFile(m, file), units)
  for (const file of files.values()) runForFile(m, file, () => emitProject(m, file, parts), PROGRAM_STEPS)
  const problems = new Map<string, IncompleteReason>()
  for (const { path, incompleteReason: problem } of files.values()) if (problem) problems.set(path, problem)
  return { hits: bestHits(m.hits, m.internallyCalled), incompleteFiles: problems }
}

/** The rules for whole files read what is known, so they run even if the budget is used up. */
const PROGRAM_STEPS = 1_000

/** Runs work for a file with a fresh interpreter state. */
function runForFile(m: Machine, file: SourceFile, run: () => void, stepsMin = 0): void {
  m.overlay = m.unitOverlay
  m.callStack.length = 0
  m.refineDepth = 0
  m.importDepth = 0
  m.frame = file.frame ?? m.frame
  runWithinBudget(m, file, run, stepsMin)
}

/** Charges the work to the budget of the file. On failure, the hits so far are kept. */
function runWithinBudget(m: Machine, file: SourceFile, run: () => void, stepsMin = 0): void {
  const { budget, stepsLeft } = m
  if (m.scanStepsLeft < Math.min(file.stepsMax - file.steps, budget.stepsPerFunction))
    m.isOrderDependent = true
  const left = Math.max(stepsMin, Math.min(file.stepsMax - file.steps, m.scanStepsLeft))
  if (left <= 0) {
    file.incompleteReason ??= 'too_complex'
    return
  }
  const steps = Math.min(left, budget.stepsPerFunction)
  m.stepsLeft = steps
  try {
    run()
  } catch (error) {
    file.incompleteReason ??= error instanceof BudgetExceededError ? 'too_complex' : 'failed'
    if (!(error instanceof BudgetExceededError)) {
      m.failures += 1
      m.onFailure(file.path, error)
    }
  }
  const spent = steps - Math.max(0, m.stepsLeft)
  file.steps += spent
  m.scanStepsLeft -= spent
  m.stepsLeft = stepsLeft
}

/** Declares the top-level names of a file before any code runs. */
function declareTopLevel(m: Machine, file: SourceFile): void {
  m.trace = file.trace ?? m.trace
  const frame = newFrame(
    { file },
    { definition: null, trace: file.trace, functions: [], classes: [], depth: 0 },
  )
  file.frame = frame
  m.frame = frame
  if (m.language === 'javascript') {
    declare(m, 'module', { taints: [], name: 'module' })
    declare(m, 'exports', { taints: [], name: 'exports', fields: new Map() })
  }
  hoist(m, file.program.body)
  for (const stmt of file.program.body) {
    if (stmt.kind === 'class') registerClass(m, stmt.definition)
    if (stmt.kind !== 'function') continue
    const { definition } = stmt
    const callable: Callable = { definition, scope: frame.scope }
    appendToIndex(m.functionsByName, definition.name, callable)
    // Of several functions with the same name the first one wins.
    const place = file.folder + definition.name
    if (!m.functionsByFolder.has(place)) m.functionsByFolder.set(place, callable)
  }
}

const IMPORTS_MAX = 40

/** Interprets the top level of a file once: in its turn, or when another file imports it. */
function runFile(m: Machine, file: SourceFile): void {
  const { frame, overlay, callStack: active, importDepth: importing, refineDepth } = m
  const { trace, results, bases, unitOverlay } = m
  const own = file.frame
  recordRead(m, file)
  if (file.state !== 'new' || !own) return
  if (importing >= IMPORTS_MAX) {
    m.isOrderDependent = true
    return
  }
  file.state = 'running'
  m.tablesVersion = newVersion(m)
  const before = active.splice(0)
  m.importDepth += 1
  // A file that imports an unfinished one sees what that has assigned so far.
  keepOwnWrites(m)
  if (trace !== file.trace) recordWrites(trace)
  m.unitOverlay = { parent: null, writes: new Map() }
  m.overlay = m.unitOverlay
  m.frame = own
  m.refineDepth = 0
  m.trace = file.trace ?? trace
  m.results = new Map()
  m.bases = new Map()
  m.runOrder.push(file)
  withOwnValueWork(() => runWithinBudget(m, file, () => execute(m, file.program.body)))
  collectFileEvents(m, own)
  undoAll(m)
  keepOwnWrites(m)
  m.unitOverlay = unitOverlay
  m.trace = trace
  m.results = results
  m.bases = bases
  m.refineDepth = refineDepth
  file.state = 'done'
  m.tablesVersion = newVersion(m)
  active.splice(0, active.length, ...before)
  m.importDepth = importing
  m.frame = frame
  m.overlay = overlay
}

/**
 * Keeps what the top level of a file assigned to its own variables. The state of another file whose functions it called stays
 * the same for all others.
 */
function keepOwnWrites({ unitOverlay, trace }: Machine): void {
  for (const [variable, value] of unitOverlay?.writes ?? []) {
    if (variable.frame.file !== trace.file && variable.frame.trace !== trace) continue
    variable.value = value
    unitOverlay?.writes.delete(variable)
  }
}

/** Analyzes the functions and classes of a file, and what its rules know then. */
function analyzeFile(m: Machine, file: SourceFile): void {
  const pending = file.frame?.pending ?? []
  for (let index = 0; index < pending.length; index++) {
    const each = pending[index]
    if (each) runForFile(m, file, () => analyzeOne(m, each))
  }
  runForFile(m, file, () => emitProgram(m, file), PROGRAM_STEPS)
}

function analyzeOne(m: Machine, each: Callable | ClassInfo): void {
  runOptionally(m, () => {
    if ('methods' in each) analyzeClass(m, each)
    else analyzeFunction(m, each, m.registrations.get(each.definition) ?? null)
    return true
  })
}

function createMachine(
  model: LanguageModel,
  rules: readonly Rule[],
  files: ReadonlyMap<string, SourceFile>,
  first: SourceFile,
  budget: Budget,
  failed: FailureHandler,
): Machine {
  const m: Machine = {
    language: model.language,
    model: indexModel(model),
    ruleHandlers: collectHandlers(rules),
    files,
    filesByFolder: Map.groupBy(files.values(), ({ folder }) => folder),
    overlay: null,
    frame: newFrame({ file: first }, { definition: null, trace: null, functions: [], classes: [], depth: 0 }),
    stepsLeft: 0,
    scanStepsLeft: scanSteps(budget, files),
    budget,
    importDepth: 0,
    classes: new Map(),
    classesByName: new Map(),
    classesByBase: new Map(),
    bases: new Map(),
    methodClasses: new Map(),
    objectLiterals: new WeakMap(),
    internallyCalled: new Set(),
    parameterOwners: new WeakMap(),
    functionsByName: new Map(),
    functionsByFolder: new Map(),
    pythonFiles: new Map(),
    registrations: new Map(),
    analyzed: new WeakMap(),
    callStack: [],
    results: new Map(),
    conditions: new WeakMap(),
    variables: 0,
    refineDepth: 0,
    hits: new Map(),
    trace: first.trace ?? createTrace(first, false),
    unitOverlay: null,
    part: {},
    classesVersion: 0,
    tablesVersion: 0,
    versions: 0,
    runOrder: [],
    isOrderDependent: false,
    failures: 0,
    registeredFiles: new Map(),
    onFailure: failed,
    lookUp: (name) => lookUp(m, name),
    readMember: (value, key) => readMember(m, value, key),
    operations: {
      evaluate,
      execute,
      evaluateCall,
      evaluateArguments,
      invoke,
      analyzeFunction,
      refine,
      runFile,
    },
  }
  return m
}

const scanSteps = ({ stepsPerScan }: Budget, files: ReadonlyMap<string, SourceFile>): number =>
  files.values().reduce((sum, { text }) => sum + text.length * stepsPerScan.perCharacter, stepsPerScan.base)

const indexedModels = new WeakMap<LanguageModel, IndexedModel>()

/** Models are constants, and indexing one takes longer than a scan of a small file. */
function indexModel(model: LanguageModel): IndexedModel {
  const known = indexedModels.get(model)
  if (known) return known
  const indexed = {
    model,
    sources: indexByName(model.sources),
    calls: indexByName(model.calls),
    guards: indexByName(model.guards),
  }
  indexedModels.set(model, indexed)
  return indexed
}

const handlersOfRules = new WeakMap<readonly Rule[], RuleHandlers>()

/** Kept for the next scan, because the handlers learn which names each rule looks at. */
function collectHandlers(rules: readonly Rule[]): RuleHandlers {
  const known = handlersOfRules.get(rules) ?? groupHandlers(rules)
  handlersOfRules.set(rules, known)
  return known
}

function groupHandlers(rules: readonly Rule[]): RuleHandlers {
  const of = <K extends keyof Visitor>(kind: K) =>
    rules.flatMap((rule) => {
      const handle = rule.on[kind]
      return handle ? [{ rule, handle }] : []
    })
  const [call, assign] = [of('call'), of('assign')]
  return {
    calls: createDispatch('call', call),
    assigns: createDispatch('assign', assign),
    call,
    assign,
    compare: of('compare'),
    function: of('function'),
    class: of('class'),
    return: of('return'),
    element: of('element'),
    literal: of('literal'),
    text: of('text'),
    program: of('program'),
    project: of('project'),
  }
}

function createSourceFile({ path, text, program }: LoweredFile, { stepsPerFile }: Budget): SourceFile {
  const modules = new Set<string>()
  /** Rules ask the same question for every call. */
  const importAnswers = new Map<string, boolean>()
  const importsLike = (pattern: RegExp): boolean => {
    const key = pattern.ignoreCase ? `i/${pattern.source}` : pattern.source
    const before = importAnswers.get(key)
    if (before !== undefined) return before
    const isImported = [...modules].some((each) => pattern.test(each))
    importAnswers.set(key, isImported)
    return isImported
  }
  const file: SourceFile = {
    path,
    folder: folderOf(path),
    text,
    program,
    frame: null,
    state: 'new',
    modules,
    importAnswers,
    trace: null,
    capturedWrites: findCapturedWrites(program),
    source: ({ start, end }) => text.slice(start, end),
    imports: (module) => (typeof module === 'string' ? modules.has(module) : importsLike(module)),
    calls: [],
    assigns: [],
    functions: [],
    stepsMax: Math.min(stepsPerFile.max, stepsPerFile.base + text.length * stepsPerFile.perCharacter),
    steps: 0,
    incompleteReason: null,
  }
  file.trace = createTrace(file, false)
  return file
}
