// A button that opens a dialog before it acts: the effect, its fields and, for the most serious actions, a name to type.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { type ApiFailure, problem } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Field } from '../form/field.tsx'
import { Form, textOf } from '../form/form.tsx'

type Props = {
  /** The text of the button, and of the submit button unless `submit` is given. */
  label: string
  submit?: string
  /** The item it is about, for screen readers. */
  name?: string
  question: string
  /** One sentence about the effect, and the fields. They exist only while the dialog is open. */
  children: ComponentChildren | ((failure: ApiFailure | null) => ComponentChildren)
  /** Names of fields that show their own errors. */
  fields?: readonly string[]
  /** Text that must be typed before submitting. */
  typed?: string
  /** Why the action is not available. The button stays and shows the reason. */
  disabledReason?: string | null
  look?: 'primary' | 'grave'
  /** Opens the dialog without a click, for a link to it. */
  opened?: boolean
  act: (form: FormData) => Promise<void>
}

type DialogProps = Omit<Props, 'name' | 'barred'> & { onClose: () => void }

export function DialogButton(props: Props) {
  const { label, name, disabledReason = null, look, question, opened = false } = props
  const isOpen = useSignal(false)
  useEffect(() => {
    if (opened && disabledReason === null) isOpen.value = true
  }, [opened, disabledReason])
  const reason = useId()
  return (
    <div class="question">
      <button
        type="button"
        class={look}
        aria-label={name === undefined ? undefined : `${label} ${name}`}
        aria-haspopup="dialog"
        aria-describedby={disabledReason === null ? undefined : reason}
        disabled={disabledReason !== null}
        onClick={() => {
          isOpen.value = true
        }}
      >
        {label}
      </button>
      {disabledReason !== null && (
        <span id={reason} class="help">
          {disabledReason}
        </span>
      )}
      {isOpen.value && (
        <Dialog
          {...props}
          key={question}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </div>
  )
}

/** The dialog alone, for callers that open it in another way. */
export function Dialog({
  label,
  submit = label,
  question,
  children,
  fields = [],
  typed,
  look,
  act,
  onClose,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const action = useAction(async (form: FormData) => {
    if (typed !== undefined && textOf(form, 'typed').trim() !== typed.trim())
      throw problem(t('is not “{name}”', { name: typed }), { path: 'typed' })
    await act(form)
    dialog.current?.close()
  })
  useEffect(() => dialog.current?.showModal(), [])
  const failure = action.failure.value
  return (
    <dialog ref={dialog} class={look} aria-label={question} onClose={onClose}>
      <h2 dir="auto">{question}</h2>
      <Form
        action={action}
        submit={submit}
        busy={t('Please wait …')}
        fields={[...fields, 'typed']}
        back={fields[0] ?? 'typed'}
        cancel={
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('Go back')}
          </button>
        }
      >
        {typeof children === 'function' ? children(failure) : children}
        {typed !== undefined && (
          <Field
            name="typed"
            label={t('Type “{name}” to confirm', { name: typed })}
            failure={failure}
            required
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        )}
      </Form>
    </dialog>
  )
}
