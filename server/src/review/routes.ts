// Scans, reviews and what people say of their findings.
import { answer } from '../platform/http/answer.ts'
import { route } from '../platform/http/route.ts'
import { adjudicateFinding, listFindings, listRuns } from './findings/findings.ts'
import { readPrecision } from './findings/precision.ts'
import { scanUpload, scanUploadAsSarif } from './scan/scan-upload.ts'
import { ScanBody, ScanReply } from './scan/schema.ts'
import {
  AdjudicationReply,
  FindingParams,
  FindingsPage,
  FindingsQuery,
  Precision,
  PrecisionQuery,
  RunsPage,
  RunsQuery,
  VerdictBody,
} from './schema.ts'

const SCAN_BYTES = 8 * 1024 * 1024
const SARIF = 'application/sarif+json'

export const reviewRoutes = [
  route('review.scan', 'POST /review/scan', {
    summary: 'Look for faults in files or in a diff, by rules alone; free, and nothing is stored.',
    detail:
      'Send `files`, a unified `diff`, or both: with a diff only what it brought is reported. Of a diff alone, new files are looked at whole and others as far as it shows them. With `Accept: application/sarif+json` the answer is a SARIF 2.1.0 log. At most 2 000 files and 8 MiB; what does not fit into 25 seconds is named in `skipped`.',
    access: { scope: 'agent:run' },
    rate: 'global',
    takesAnyText: true,
    bodyLimitBytes: SCAN_BYTES,
    body: ScanBody,
    reply: { 200: ScanReply },
    also: { [SARIF]: 'The same as a SARIF 2.1.0 log.' },
    errors: ['too_many_attempts'],
    async handle({ app, actor, body, request }) {
      if (!String(request.headers.accept).includes(SARIF)) return scanUpload(app, actor, body, request.gone)
      const log = await scanUploadAsSarif(app, actor, body, request.gone)
      return answer(200, JSON.stringify(log), { 'content-type': SARIF })
    },
  }),

  route('review.runs.list', 'GET /review/runs', {
    summary: 'Reviews of pull requests, newest first.',
    access: 'any',
    rate: 'global',
    query: RunsQuery,
    reply: { 200: RunsPage },
    handle: ({ app, actor, query }) => listRuns(app, actor, query),
  }),

  route('review.findings.list', 'GET /review/findings', {
    summary: 'What reviews of pull requests have found, newest first.',
    access: 'any',
    rate: 'global',
    query: FindingsQuery,
    reply: { 200: FindingsPage },
    handle: ({ app, actor, query }) => listFindings(app, actor, query),
  }),

  route('review.findings.adjudicate', 'POST /review/findings/{id}/adjudicate', {
    summary: 'Say whether a finding is right. One that is refuted gives its part of the cost back, once.',
    access: { role: 'member' },
    rate: 'global',
    audit: true,
    params: FindingParams,
    body: VerdictBody,
    reply: { 200: AdjudicationReply },
    errors: ['wallet_full'],
    handle: ({ app, actor, params, body, request }) =>
      adjudicateFinding(app, actor, params.id, body, request.address),
  }),

  route('review.precision', 'GET /review/precision', {
    summary: 'How often findings turned out to be wrong, by what was said of them.',
    detail: 'Only confirmed and refuted findings count. `scope=all` is for platform staff.',
    access: 'any',
    rate: 'global',
    query: PrecisionQuery,
    reply: { 200: Precision },
    errors: ['staff_only'],
    handle: ({ app, actor, query }) => readPrecision(app, actor, query),
  }),
]
