// That the balance is the sum of its movements, said by the service and open to anybody's own reckoning.
import { Refusal } from '../app/refusal.tsx'
import type { Resource } from '../app/resource.ts'
import { Part } from '../app/sheet.tsx'

export type Proof = {
  movements: number
  matches: boolean
  head: { hash: string }
  checked: { intact: boolean }
}

const HASH_SHOWN = 12

export function ProofLine({ from }: { from: Resource<Proof> }) {
  const current = from.current.value
  return (
    <Part title="Proof">
      {current.state === 'failed' && <Refusal failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank line" aria-busy="true" />}
      {current.state === 'ready' && <Shown proof={current.value} />}
    </Part>
  )
}

function Shown({ proof: { movements, matches, head, checked } }: { proof: Proof }) {
  if (!matches || !checked.intact)
    return (
      <p class="bad" data-testid="proof">
        Your balance and its movements do not agree. Please tell us: this must never happen.
      </p>
    )
  const entries = movements === 1 ? 'one entry' : `${movements.toLocaleString()} entries`
  return (
    <>
      <p data-testid="proof">
        <span class="ok">
          Your balance equals your {movements === 0 ? 'empty record' : entries}
          {head.hash && (
            <>
              {' '}
              · head <code dir="ltr">{head.hash.slice(0, HASH_SHOWN)}…</code>
            </>
          )}
        </span>
      </p>
      <p class="help">
        Reserving and giving back are entries too. Each seals the one before it: keep the head, and nobody can
        change your past unnoticed. <a href="/docs">The reference</a> says how to check it yourself.
      </p>
    </>
  )
}
