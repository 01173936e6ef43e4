// Icons beside names: strokes of one width on a grid of 24.

const STROKES = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  agent: 'M4 6h16v12H4zM8 10l3 2-3 2M13 14h3',
  chat: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5',
  research: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4 4M8 11h6M11 8v6',
  folder: 'M4 6h6l2 3h8v10H4z',
  index: 'M4 5h16M4 10h10M4 15h16M4 20h7M17 10h3',
  review: 'M5 4h10l4 4v12H5zM9 13l2 2 4-4',
  wallet: 'M4 7h16v12H4zM4 7l12-3v3M15 13h5',
  usage: 'M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-8',
  plan: 'M4 6h16v12H4zM4 10h16M8 15h4',
  invoice: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  team: 'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 20c0-4 2-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17 14c3 0 4 2 4 6',
  key: 'M3 12a4 4 0 1 0 8 0 4 4 0 0 0-8 0M11 12h10M17 12v4M21 12v3',
  org: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  audit: 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3',
  hook: 'M9 8a3 3 0 1 1 4 3l-3 5M7 13a3 3 0 1 0 3 4h6M16 14a3 3 0 1 1-1 5',
  settings: 'M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h11M19 17h1M17 15v4',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3M12 14v3',
  device: 'M3 5h18v11H3zM8 20h8M12 16v4',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0M18 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0',
  flag: 'M6 21V4h12l-3 4 3 4H6',
  chart: 'M4 20V4M4 20h16M7 15l4-5 3 3 5-7',
  person: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 21c0-5 3-7 7-7s7 2 7 7',
  payment: 'M4 6h16v12H4zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7 9v.01M17 15v.01',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
}

export type IconName = keyof typeof STROKES

/** Icons that are not mirrored in right-to-left layouts. */
const UPRIGHT: ReadonlySet<IconName> = new Set(['agent', 'review'])

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    class={UPRIGHT.has(name) ? 'icon upright' : 'icon'}
    viewBox="0 0 24 24"
    width="20"
    height="20"
    aria-hidden="true"
  >
    <path d={STROKES[name]} />
  </svg>
)
