// Push notifications to this browser: which kinds, and why they are not available.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { language } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Switch } from './switch.tsx'

const KINDS = ['paid', 'task_finished', 'needs_approval'] as const
type Kind = (typeof KINDS)[number]
type State =
  | { readonly is: 'loading' | 'unsupported' | 'off' | 'blocked' }
  | {
      readonly is: 'ready'
      readonly key: string
      readonly kinds: readonly Kind[]
      readonly id: string | null
    }

export function Notifications() {
  const state = useSignal<State>({ is: 'loading' })
  const load = useAction(async () => {
    state.value = await readState()
  })
  const change = useAction(async (kind: Kind, on: boolean) => {
    if (state.value.is !== 'ready') return
    const kinds = KINDS.filter((each) => (each === kind ? on : kindsOf(state.value).includes(each)))
    state.value = kinds.length > 0 ? await subscribe(state.value.key, kinds) : await unsubscribe(state.value)
    announce(state.value.is === 'blocked' ? t('Notifications are blocked.') : t('Notifications saved.'))
  })
  useEffect(() => void load.run(), [])
  const texts: Record<Kind, [label: string, help: string]> = {
    paid: [t('Payment arrived'), t('Shows the amount.')],
    task_finished: [t('Task finished'), t('Shows the title and the cost of the task.')],
    needs_approval: [t('Task needs approval'), t('The task waits until you decide.')],
  }
  return (
    <Section title={t('Notifications')}>
      <p class="help">{sentenceFor(state.value)}</p>
      {state.value.is === 'ready' && (
        <div class="settings">
          {KINDS.map((kind) => (
            <Switch
              key={`${kind}${change.busy.value}`}
              name={`push-${kind}`}
              label={texts[kind][0]}
              help={texts[kind][1]}
              on={kindsOf(state.value).includes(kind)}
              onSwitch={(on) => void change.run(kind, on)}
            />
          ))}
        </div>
      )}
      {load.failure.value && <ErrorNotice failure={load.failure.value} />}
      {change.failure.value && <ErrorNotice failure={change.failure.value} />}
    </Section>
  )
}

const kindsOf = (state: State): readonly Kind[] => (state.is === 'ready' ? state.kinds : [])

function sentenceFor({ is }: State): string {
  if (is === 'unsupported')
    return t('This browser cannot show notifications. On an iPhone, add Cowrie to the home screen first.')
  if (is === 'off') return t('Notifications are off on this server.')
  if (is === 'blocked') return t('This browser blocks notifications. Allow them in its site settings.')
  return t('Only about your own payments and tasks, and only on this browser.')
}

async function readState(): Promise<State> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return { is: 'unsupported' }
  const { publicKey, subscriptions } = await api.push.subscriptions.list()
  if (publicKey === null) return { is: 'off' }
  if (Notification.permission === 'denied') return { is: 'blocked' }
  const own = (await currentSubscription()) && subscriptions.find(({ isThisSession }) => isThisSession)
  return { is: 'ready', key: publicKey, kinds: own?.kinds ?? [], id: own?.id ?? null }
}

/** Asks for the permission. A subscription with an earlier key of the server is replaced. */
async function subscribe(key: string, kinds: readonly Kind[]): Promise<State> {
  if ((await Notification.requestPermission()) !== 'granted') return { is: 'blocked' }
  const { pushManager } = await navigator.serviceWorker.ready
  const earlier = await pushManager.getSubscription()
  if (earlier && encode(earlier.options.applicationServerKey) !== key) await earlier.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const keys = { p256dh: encode(made.getKey('p256dh')), auth: encode(made.getKey('auth')) }
  const body = { endpoint: made.endpoint, keys, kinds: [...kinds], language: language.peek() }
  const { subscription } = await api.push.subscriptions.save(body)
  return { is: 'ready', key, kinds, id: subscription.id }
}

async function unsubscribe({ key, id }: Extract<State, { is: 'ready' }>): Promise<State> {
  await (await currentSubscription())?.unsubscribe()
  if (id !== null) await api.push.subscriptions.remove(id)
  return { is: 'ready', key, kinds: [], id: null }
}

async function currentSubscription(): Promise<PushSubscription | null | undefined> {
  const registration = await navigator.serviceWorker.getRegistration('/app')
  return registration?.pushManager.getSubscription()
}

const encode = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
