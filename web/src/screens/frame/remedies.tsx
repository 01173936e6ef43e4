// Remedies that the user can apply, by error code.
import type { ApiFailure } from '../../data/failure.ts'
import { setRemedies } from '../../ui/base/error-notice.tsx'
import { Late } from './late.tsx'

const CODES = [
  'reauth_required',
  'step_up_required',
  'second_factor_required',
  'approval_required',
  'insufficient_funds',
  'org_address_not_allowed',
  'org_suspended',
  'kyc_required',
  'member_cap_reached',
]
const load = () => import('./late/remedies.tsx')
const Remedy = ({ failure }: { failure: ApiFailure }) => <Late load={load} with={{ failure }} />

export const registerRemedies = (): void =>
  setRemedies(Object.fromEntries(CODES.map((code) => [code, Remedy])))
