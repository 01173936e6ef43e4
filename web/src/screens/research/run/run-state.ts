// The state of a run from its events, the same whether they arrived live or by replay.
import type { ResearchRun, ResearchStreamFrame } from '@cowrie/sdk'

export type Frame = ResearchStreamFrame
export type Source = Pick<ResearchRun['sources'][number], 'n' | 'url' | 'title' | 'status' | 'reason'>
export type Finding = Pick<ResearchRun['findings'][number], 'id' | 'claim' | 'quote' | 'sources'>

export type RunState = {
  /** The latest known run. */
  readonly run: ResearchRun
  readonly frames: readonly Frame[]
  readonly sources: readonly Source[]
  readonly findings: readonly Finding[]
  readonly spentMinor: bigint
  readonly phase: ResearchRun['phase']
  /** From the start to the last event, by the clock of the service. */
  readonly lastedMs: number
}

export function runStateOf(read: ResearchRun, frames: readonly Frame[]): RunState {
  const done = frames.find((frame) => frame.kind === 'done')
  const run = done?.run ?? read
  const isOver = run.finishedAt !== null
  // A finished run contains everything; for a running one the events know more.
  const [sources, findings] = isOver
    ? [run.sources, run.findings]
    : [merged(run.sources, sourcesIn(frames)), withNew(run.findings, findingsIn(frames))]
  const phases = frames.flatMap((frame) => (frame.kind === 'phase' ? [frame.phase] : []))
  const until = run.finishedAt ?? frames.at(-1)?.at ?? run.createdAt
  return {
    run,
    frames,
    sources,
    findings,
    spentMinor: isOver ? run.spentMinor : mostSpent(run.spentMinor, frames),
    phase: isOver ? run.phase : (phases.at(-1) ?? run.phase),
    lastedMs: Math.max(0, Date.parse(until) - Date.parse(run.createdAt)),
  }
}

/** Events are numbered without gaps. Known events are dropped. */
export function withFrames(known: readonly Frame[], heard: readonly Frame[]): readonly Frame[] {
  let last = known.at(-1)?.seq ?? 0
  const fresh: Frame[] = []
  for (const frame of heard) {
    if (frame.seq <= last) continue
    last = frame.seq
    fresh.push(frame)
  }
  return fresh.length === 0 ? known : [...known, ...fresh]
}

/** The findings of a source, best match for the citing sentence first. */
export function quotesOf(findings: readonly Finding[], n: number, sentence = ''): readonly Finding[] {
  const words = wordsIn(sentence)
  const nearness = ({ claim, quote }: Finding) =>
    [...wordsIn(`${claim} ${quote}`)].filter((word) => words.has(word)).length
  return findings
    .filter(({ sources }) => sources.includes(n))
    .map((finding) => [finding, nearness(finding)] as const)
    .sort(([, one], [, other]) => other - one)
    .map(([finding]) => finding)
}

const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}.]{2,}/gu) ?? [])

const sourcesIn = (frames: readonly Frame[]): Source[] =>
  frames.flatMap((frame) => (frame.kind === 'source' ? [frame] : []))

const findingsIn = (frames: readonly Frame[]): Finding[] =>
  frames.flatMap((frame) => (frame.kind === 'finding' ? [frame] : []))

/** A skipped source may be read in a later search: the last status wins. */
function merged(read: readonly Source[], told: readonly Source[]): Source[] {
  const byNumber = new Map<number, Source>()
  for (const source of [...read, ...told]) byNumber.set(source.n, source)
  return [...byNumber.values()].sort((one, other) => one.n - other.n)
}

const withNew = (read: readonly Finding[], told: readonly Finding[]): Finding[] => [
  ...new Map([...read, ...told].map((finding) => [finding.id, finding])).values(),
]

function mostSpent(read: bigint, frames: readonly Frame[]): bigint {
  let most = read
  for (const frame of frames) if (frame.kind === 'turn' && frame.spentMinor > most) most = frame.spentMinor
  return most
}
