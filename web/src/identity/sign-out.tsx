import { Refusal } from '../app/refusal.tsx'
import { useAction } from '../app/use-action.ts'
import { signOut } from './session.ts'

export function SignOut() {
  const { run, busy, failure } = useAction(signOut)
  return (
    <div class="actions">
      {failure.value && <Refusal failure={failure.value} />}
      <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
        {busy.value ? 'Signing out …' : 'Sign out'}
      </button>
    </div>
  )
}
