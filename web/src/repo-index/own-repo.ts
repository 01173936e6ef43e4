// The repository that the reader has chosen, for requests about their code.
import { session } from '../identity/session.ts'
import { repoField } from './chosen-repo.ts'

export function ownRepo(): { repo?: string } {
  const { value } = session
  return repoField(value.state === 'in' ? value.me.orgId : null)
}
