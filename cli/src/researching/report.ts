// The report of a run: as it was written, or as text for a terminal.
import type { ResearchRun } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { EXIT } from '../exits.ts'
import { Failure } from '../wrong.ts'
import { endingOf } from './words.ts'

/** As markdown. */
export async function reportOf(
  { client, signal }: Pick<Context, 'client' | 'signal'>,
  run: ResearchRun,
): Promise<string> {
  const file = run.report?.files.find(({ contentType }) => contentType.startsWith('text/markdown'))
  if (!file) throw missing(run)
  return new TextDecoder().decode(await client.attachments.download(file.id, { signal }))
}

function missing(run: ResearchRun): Failure {
  if (run.finishedAt === null)
    return new Failure('run_pending', 'There is no report yet: the run goes on.', {
      exit: EXIT.pending,
      next: `Watch it with "cowrie research watch ${run.id}".`,
    })
  return new Failure(
    'no_report',
    run.status === 'completed' ? 'Its report is not there any more.' : endingOf(run),
  )
}
