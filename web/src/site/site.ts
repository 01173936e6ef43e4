// The script of the public pages. They work without it: it plays the recorded task, remembers the language for the app, and
// registers the worker that keeps the pages readable without a network.

const GAP_MIN_MS = 450
const GAP_MAX_MS = 1_300
const root = document.documentElement

type Connection = { connection?: { saveData?: boolean } }
const savesData = root.classList.contains('less') || (navigator as Connection).connection?.saveData === true
const isCalm = savesData || matchMedia('(prefers-reduced-motion: reduce)').matches

const task = document.querySelector<HTMLElement>('.task')
if (task && !isCalm) playWhenSeen(task)
closeMenus()
rememberLanguage()
addEventListener('load', () => {
  // Without storage, as in private windows, the pages need the network.
  navigator.serviceWorker?.register('/site-worker.js').catch(() => null)
})

/** Hides the steps before they are seen, and shows them in the recorded order. Times are shortened to fit a glance. */
function playWhenSeen(within: HTMLElement): void {
  const steps = [...within.querySelectorAll<HTMLElement>('[data-at]')]
  let timer = 0
  const play = (): void => {
    clearTimeout(timer)
    for (const step of steps) step.classList.remove('shown')
    within.classList.add('playing')
    show(0)
  }
  const show = (index: number): void => {
    const step = steps[index]
    if (!step) {
      within.classList.remove('playing')
      return
    }
    const gap = Number(step.dataset.at) - Number(steps[index - 1]?.dataset.at ?? 0)
    timer = setTimeout(
      () => {
        step.classList.add('shown')
        show(index + 1)
      },
      Math.min(Math.max(gap, GAP_MIN_MS), GAP_MAX_MS),
    )
  }
  within.classList.add('playing')
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      play()
    },
    { threshold: 0.4 },
  )
  seen.observe(within)
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'button replay', textContent: within.dataset.play })
  button.addEventListener('click', play)
  within.querySelector('header')?.append(button)
}

/** A menu closes by Escape and by a click elsewhere. */
function closeMenus(): void {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('details.menu')]
  addEventListener('click', ({ target }) => {
    for (const menu of menus) if (!menu.contains(target as Node)) menu.open = false
  })
  addEventListener('keydown', ({ key }) => {
    const open = key === 'Escape' ? menus.find((menu) => menu.open) : undefined
    if (!open) return
    open.open = false
    open.querySelector('summary')?.focus()
  })
}

/** The app opens in the language that was chosen here. */
function rememberLanguage(): void {
  if (!new URLSearchParams(location.search).has('lang')) return
  try {
    localStorage.setItem('cowrie.language', root.lang)
  } catch {
    // A browser that forbids storage asks again in the app.
    return
  }
}
