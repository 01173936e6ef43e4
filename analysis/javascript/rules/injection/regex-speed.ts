// How the time of a regular expression grows with the length of the text.
import { analyse } from 'scslre'
import { parseRegex } from '../../model/regex-characters.ts'

/**
 * `polynomial`: two repetitions can share the same characters. `restarting`: one repetition is matched again
 * from every start position.
 */
export type Speed = 'exponential' | 'polynomial' | 'restarting' | 'linear'

const SOURCE_LENGTH_MAX = 600
const SPEEDS_MAX = 5000
const speeds = new Map<string, Speed>()

/** Cached per process, because the same patterns recur. */
export function speedOf(source: string, flags: string): Speed {
  const key = `/${source}/${flags}`
  const before = speeds.get(key)
  if (before) return before
  if (speeds.size >= SPEEDS_MAX) speeds.clear()
  const speed = measure(source, flags)
  speeds.set(key, speed)
  return speed
}

function measure(source: string, flags: string): Speed {
  if (source.length > SOURCE_LENGTH_MAX || !parseRegex(source, flags)) return 'linear'
  try {
    const { reports } = analyse({ source, flags }, { maxReports: 8 })
    if (reports.some(({ exponential }) => exponential)) return 'exponential'
    if (reports.some(({ type }) => type !== 'Move')) return 'polynomial'
    return reports.length > 0 ? 'restarting' : 'linear'
  } catch {
    // A pattern that the analysis cannot parse is not reported.
    return 'linear'
  }
}
