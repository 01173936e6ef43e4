// The build status and the report of a commit.
import type { CheckInput } from '../forge/forge.ts'

export const CHECK_KEY = 'cowrie-review'
const CHECK_NAME = 'Cowrie review'

export const statusOf = ({ conclusion, title, detailsUrl }: CheckInput) => ({
  key: CHECK_KEY,
  name: CHECK_NAME,
  state: { success: 'SUCCESSFUL', failure: 'FAILED', neutral: 'STOPPED' }[conclusion],
  description: title.slice(0, 255),
  url: detailsUrl,
})

export const reportOf = ({ conclusion, title, detailsUrl }: CheckInput) => ({
  title: CHECK_NAME,
  details: title.slice(0, 2_000),
  report_type: 'SECURITY',
  reporter: 'Cowrie',
  link: detailsUrl,
  ...(conclusion !== 'neutral' && { result: conclusion === 'success' ? 'PASSED' : 'FAILED' }),
})

const SEVERITIES = { failure: 'HIGH', warning: 'MEDIUM', notice: 'LOW' } as const

/** An annotation with the same id replaces the earlier one. */
export const toAnnotation = (
  { path, start_line: line, annotation_level: level, title, message }: CheckInput['annotations'][number],
  at: number,
) => ({
  external_id: `${CHECK_KEY}-${at + 1}`,
  annotation_type: 'VULNERABILITY',
  path,
  line,
  severity: SEVERITIES[level],
  summary: title.slice(0, 450),
  details: message.slice(0, 2_000),
})
