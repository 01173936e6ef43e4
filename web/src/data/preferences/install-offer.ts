// The browser's offer to install the app. It comes early and once, so it is kept on the window until the settings show it.
export type InstallOffer = Event & { prompt(): Promise<unknown> }

const place = globalThis as { installOffer?: InstallOffer }

export const installOffer = (): InstallOffer | undefined => place.installOffer

export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    place.installOffer = event as InstallOffer
  })
}
