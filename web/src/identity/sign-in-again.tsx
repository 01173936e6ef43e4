// For what a session may do only at its beginning: out, and back to the same screen.
import { useAction } from '../app/use-action.ts'
import { signOut } from './session.ts'

export function SignInAgain() {
  const { run, busy } = useAction(signOut)
  return (
    <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
      {busy.value ? 'Signing out …' : 'Sign in again'}
    </button>
  )
}
