// A program requests a key, and the user decides. The code on both screens links them.
import type { AuthDeviceGetReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation } from '../../../router/location.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { DeviceApproval } from './device-approval.tsx'

export default function Device() {
  const brought = appLocation.value.secrets.get('code') ?? ''
  return <Find key={brought} brought={brought} />
}

function Find({ brought }: { brought: string }) {
  const asked = useSignal<AuthDeviceGetReply | null>(null)
  const code = useSignal(brought)
  const find = useAction(async (form: FormData) => {
    asked.value = await api.auth.device.get(textOf(form, 'code').trim())
  })
  // A link with the code needs no typing.
  useEffect(() => {
    if (!brought) return
    const form = new FormData()
    form.set('code', brought)
    void find.run(form)
  }, [])
  if (asked.value) return <DeviceApproval asked={asked.value} />
  const unknown =
    find.failure.value?.status === 404
      ? t('No device is waiting with this code. Check it or start again on the device.')
      : null
  return (
    <Page title={t('Connect a device')} width="narrow">
      <p>{t('Enter the code that your device shows. It works for ten minutes.')}</p>
      <Form action={find} submit={t('Continue')} busy={t('Searching …')} back="code" quiet={['not_found']}>
        <Field
          name="code"
          label={t('Code')}
          class="code"
          dir="ltr"
          required
          maxLength={20}
          placeholder="XXXX-XXXX"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          value={code.value}
          onInput={(event) => {
            code.value = event.currentTarget.value.toUpperCase()
          }}
          error={unknown}
          help={t('Eight letters.')}
        />
      </Form>
    </Page>
  )
}
