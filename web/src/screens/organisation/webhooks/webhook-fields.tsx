// The form fields of a webhook endpoint.
import type { HooksEndpointsCreateBody, HooksEventTypesReply, WebhookEndpoint } from '@cowrie/sdk'
import type { ApiFailure } from '../../../data/failure.ts'
import { t } from '../../../i18n/t.ts'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'

export type EventTypes = HooksEventTypesReply['types']
type Props = { types: EventTypes; endpoint?: WebhookEndpoint; failure: ApiFailure | null }

export const EndpointFields = ({ types, endpoint, failure }: Props) => (
  <>
    <Field
      name="url"
      label={t('Address')}
      help={t('An https address on the public internet.')}
      failure={failure}
      value={endpoint?.url ?? ''}
      placeholder="https://example.com/cowrie"
      required
      dir="ltr"
      inputMode="text"
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      maxLength={2_000}
    />
    <Field
      name="description"
      label={t('Description')}
      failure={failure}
      value={endpoint?.description ?? ''}
      dir="auto"
      autocomplete="off"
      maxLength={200}
    />
    <fieldset>
      <legend>{t('Events')}</legend>
      <p class="help">{t('Select none to send all events, including future ones.')}</p>
      {types.map(({ type, description }) => (
        <label key={type} class="tick">
          <input
            type="checkbox"
            name="events"
            value={type}
            defaultChecked={endpoint?.events?.includes(type) ?? false}
          />
          <span>
            <code dir="ltr">{type}</code> <span class="help">{description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  </>
)

export function endpointIn(form: FormData): HooksEndpointsCreateBody {
  const events = form.getAll('events') as NonNullable<HooksEndpointsCreateBody['events']>
  return {
    url: textOf(form, 'url').trim(),
    description: textOf(form, 'description').trim() || null,
    events: events.length === 0 ? null : events,
  }
}
