// Sources as reports list them: those of which it is decided what became of them.
import type { Source } from './sources-sql.ts'
import type { ListedSource } from './terms.ts'

export const listed = (sources: readonly Source[]): ListedSource[] =>
  sources.flatMap(({ n, url, title, status, reason, sha256, fetchedAt }) =>
    status === 'queued' ? [] : [{ n, url, title, status, reason, sha256, fetchedAt }],
  )
