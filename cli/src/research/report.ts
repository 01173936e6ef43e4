// The report of a run, as markdown or as terminal text.
import type { ResearchRun } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { outcomeText } from './labels.ts'

/** As markdown. */
export async function reportOf(
  { client, signal }: Pick<Context, 'client' | 'signal'>,
  run: ResearchRun,
): Promise<string> {
  const file = run.report?.files.find(({ contentType }) => contentType.startsWith('text/markdown'))
  if (!file) throw missing(run)
  return new TextDecoder().decode(await client.attachments.download(file.id, { signal }))
}

/** A file of the report by its extension: `pdf`, `docx`, `html` or `json`. */
export async function reportFileOf(
  { client, signal }: Pick<Context, 'client' | 'signal'>,
  run: ResearchRun,
  extension: string,
): Promise<Uint8Array | null> {
  const file = run.report?.files.find(({ name }) => name.endsWith(`.${extension}`))
  return file ? client.attachments.download(file.id, { signal }) : null
}

function missing(run: ResearchRun): Failure {
  if (run.finishedAt === null)
    return new Failure('run_pending', 'There is no report yet: the run is in progress.', {
      exit: EXIT.pending,
      next: `Follow it with "cowrie research watch ${run.id}".`,
    })
  return new Failure(
    'no_report',
    run.status === 'completed' ? 'The report is no longer available.' : outcomeText(run),
  )
}
