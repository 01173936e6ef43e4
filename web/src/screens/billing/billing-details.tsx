// The billing details on invoices. A change applies from the next invoice on.
import type { BillingDetails } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { LongField } from '../../ui/input/long-field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { countries } from '../../ui/money/countries.ts'

const FIELDS = ['legalName', 'taxId', 'address', 'country'] as const

export function BillingDetailsSection({ me }: { me: Me }) {
  const details = useResource('billing.details', () => api.billing.details.get())
  const current = details.current.value
  const isEditing = useSignal(false)
  return (
    <Section title={t('Billing details')}>
      <p class="help">{t('Printed on future invoices. Issued invoices never change.')}</p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={details.load} />}
      {current.state === 'loading' && <span class="blank details-place" aria-busy="true" />}
      {current.state === 'ready' &&
        (isEditing.value ? (
          <EditDetails
            known={current.value}
            onSaved={async () => {
              await details.load()
              isEditing.value = false
              announce(t('Billing details saved.'))
            }}
          />
        ) : (
          <>
            <DetailsView known={current.value} />
            {me.role === 'owner' ? (
              <div class="choices">
                <button
                  type="button"
                  onClick={() => {
                    isEditing.value = true
                  }}
                >
                  {t('Edit billing details')}
                </button>
              </div>
            ) : (
              <p class="help">{t('Only an owner can change these.')}</p>
            )}
          </>
        ))}
    </Section>
  )
}

function DetailsView({ known }: { known: BillingDetails }) {
  const { invoicedAs, address, taxId } = known
  return (
    <Facts
      lines={[
        [t('Billed to'), invoicedAs.name],
        [t('Tax ID'), taxId ?? t('None')],
        [t('Address'), address ?? t('None')],
        [t('Tax'), taxText(known)],
      ]}
    />
  )
}

/** "VAT 7.5 %": rates are in basis points. */
const taxText = ({ invoicedAs: { taxes } }: BillingDetails): string =>
  taxes.length === 0
    ? t('None')
    : taxes
        .map(({ name, rateBps }) => `${name} ${new Intl.NumberFormat(locale()).format(rateBps / 100)} %`)
        .join(' · ')

function EditDetails({ known, onSaved }: { known: BillingDetails; onSaved: () => Promise<void> }) {
  useEffect(() => document.getElementById('legalName')?.focus(), [])
  const action = useAction(async (form: FormData) => {
    const typed = (name: (typeof FIELDS)[number]) => textOf(form, name).trim() || null
    await api.billing.details.set({
      legalName: typed('legalName'),
      taxId: typed('taxId'),
      address: typed('address'),
      country: typed('country'),
    })
    await onSaved()
  })
  const failure = action.failure.value
  return (
    <Form
      action={action}
      submit={t('Save billing details')}
      busy={t('Saving …')}
      fields={FIELDS}
      back="legalName"
    >
      <Field
        name="legalName"
        label={t('Company or full name')}
        failure={failure}
        value={known.legalName ?? ''}
        dir="auto"
        autocomplete="organization"
        maxLength={200}
      />
      <Field
        name="taxId"
        label={t('Tax ID')}
        failure={failure}
        value={known.taxId ?? ''}
        dir="ltr"
        autocomplete="off"
        maxLength={50}
      />
      <LongField
        name="address"
        label={t('Address')}
        failure={failure}
        value={known.address ?? ''}
        maxLength={500}
      />
      <Select
        name="country"
        label={t('Country')}
        options={[['', t('Country of your currency')], ...named()]}
        value={known.country ?? ''}
        failure={failure}
        help={t('Tax in your prices: {taxes}.', { taxes: taxText(known) })}
      />
    </Form>
  )
}

const named = () => countries(locale()).map(({ code, name }) => [code, name] as const)
