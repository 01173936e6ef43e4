// Making a key, and the one time it is shown.
import { useEffect } from 'preact/hooks'
import { api } from '../api.ts'
import { Copyable } from '../app/copy.tsx'
import { Field } from '../app/field.tsx'
import { Form, textOf } from '../app/form.tsx'
import { Part } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { SCOPES } from './scopes.ts'

export type MadeKey = { id: string; name: string; key: string }

const LIVES = [
  ['', 'Until it is revoked'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
] as const

export function NewKey({ onMade }: { onMade: (key: MadeKey) => Promise<void> }) {
  const action = useAction(async (form: FormData) => {
    const days = textOf(form, 'life')
    await onMade(
      await api.keys.create({
        name: textOf(form, 'name').trim(),
        scopes: form.getAll('scopes') as (keyof typeof SCOPES)[],
        ...(days && { expiresInDays: Number(days) }),
      }),
    )
  })
  return (
    <Part title="New key">
      <Form action={action} submit="Make the key" busy="Making the key …" fields={['name']} back="name">
        <Field
          name="name"
          label="Name"
          help="Say what uses it, such as “Laptop” or “Build server”."
          required
          maxLength={100}
          dir="auto"
          autocomplete="off"
          refused={action.failure.value}
        />
        <fieldset>
          <legend>It may</legend>
          {Object.entries(SCOPES).map(([scope, words]) => (
            <label key={scope} class="tick">
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'agent:run'} />
              <span>
                {words} <code dir="ltr">{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="field">
          <label for="life">It works</label>
          <select id="life" name="life">
            {LIVES.map(([days, words]) => (
              <option key={days} value={days}>
                {words}
              </option>
            ))}
          </select>
        </div>
      </Form>
    </Part>
  )
}

export function KeyMade({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  useEffect(() => document.getElementById('key-made')?.focus(), [])
  return (
    <section class="once" aria-labelledby="key-made">
      <h2 id="key-made" tabIndex={-1}>
        Save this key now
      </h2>
      <p>
        “<bdi>{made.name}</bdi>” is shown this once. Whoever has it can do what you ticked.
      </p>
      <Copyable text={made.key} label="the key" />
      <div class="choices">
        <button type="button" class="primary" onClick={onDone}>
          I saved it
        </button>
      </div>
    </section>
  )
}
