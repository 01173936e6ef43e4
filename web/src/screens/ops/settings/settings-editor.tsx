// The form for one setting: switch, choice, number, text, or a write-only secret.
import { useSignal } from '@preact/signals'
import { problem } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { api } from '../shared/staff-api.ts'
import { rangeText, readNumber, type Setting, type Value } from './setting-values.ts'
import { SettingChange } from './settings-change.tsx'
import { isAboutMoney } from './settings-money.ts'

type Props = { setting: Setting; disabled: boolean; saved: (cleared: readonly string[]) => Promise<void> }

export function Editor({ setting, disabled, saved }: Props) {
  const error = useSignal<string | null>(null)
  const asked = useSignal<Value | null>(null)
  const name = `value-${setting.key}`
  async function store(value: Value) {
    const { cleared } = await api.admin.settings.set(setting.key, { value })
    await saved(cleared)
  }
  const action = useAction(async (form: FormData) => {
    const read = readValue(setting, textOf(form, name))
    error.value = 'error' in read ? read.error : null
    // Shown at the field; nothing is sent.
    if ('error' in read) throw problem(read.error, { path: name })
    if (isAboutMoney(setting) && read.value !== setting.value) asked.value = read.value
    else await store(read.value)
  })
  const to = asked.value
  return (
    <fieldset disabled={disabled} class="editor">
      <legend class="unseen">{setting.label}</legend>
      <Form action={action} submit={t('Save')} busy={t('Saving …')} fields={[name]} back={name}>
        <Answer setting={setting} name={name} error={error.value} />
      </Form>
      {to !== null && (
        <Dialog
          label={t('Edit')}
          question={t('Change “{label}”?', { label: setting.label })}
          act={() => store(to)}
          onClose={() => {
            asked.value = null
          }}
        >
          <SettingChange setting={setting} to={to} />
        </Dialog>
      )}
    </fieldset>
  )
}

function readValue(setting: Setting, text: string): { value: Value } | { error: string } {
  if (setting.type === 'boolean') return { value: text === 'on' }
  if (setting.type === 'number') {
    const value = readNumber(text, setting)
    return value === null ? { error: `${t('Enter a whole number.')} ${rangeText(setting)}` } : { value }
  }
  if (setting.secret && text === '')
    return { error: t('Enter the new secret. Reset to default to remove the stored one.') }
  return { value: setting.type === 'string' ? text.trim() : text }
}

function Answer({ setting, name, error }: { setting: Setting; name: string; error: string | null }) {
  const { type, value, options = [], secret } = setting
  if (type === 'boolean')
    return (
      <label class="tick">
        <input type="checkbox" name={name} defaultChecked={value === true} />
        <span>{t('On')}</span>
      </label>
    )
  if (type === 'enum')
    return (
      <fieldset>
        <legend>{t('Value')}</legend>
        {options.map((option) => (
          <label class="tick" key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === value}
              required
            />
            <span>
              {option.label}
              {option.note && <span class="option-note">{option.note}</span>}
            </span>
          </label>
        ))}
      </fieldset>
    )
  const plain = { name, error, dir: 'ltr', autocomplete: 'off', spellcheck: false } as const
  if (type === 'number')
    return (
      <Field
        {...plain}
        label={t('Value')}
        value={String(value)}
        inputMode="numeric"
        help={rangeText(setting)}
        maxLength={16}
      />
    )
  if (secret)
    return (
      <Field
        {...plain}
        type="password"
        autocomplete="new-password"
        label={t('New secret')}
        help={
          value === ''
            ? t('Not stored.')
            : t('Stored: {shown}. New text replaces it.', { shown: String(value) })
        }
        maxLength={4096}
      />
    )
  return <Field {...plain} label={t('Value')} value={String(value)} maxLength={2000} />
}
