// A screen of the app, and how a path selects one.
import type { ComponentType } from 'preact'

export type Params = Readonly<Record<string, string>>
export type Screen = {
  path: string
  title: string
  /** `member`: signed-in users; `staff`: our staff; `stranger`: signed-out visitors; `anyone`: everyone. */
  for: 'member' | 'staff' | 'stranger' | 'anyone'
  /** The folder of the screen, which has its own translations and styles. */
  area: string
  load: () => Promise<{ default: ComponentType<Params> }>
}

type Match = { screen: Screen; params: Params }

export function matchScreens(screens: readonly Screen[], notFound: Screen): (path: string) => Match {
  const patterns = screens.map(
    (screen) => [new RegExp(`^${screen.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`), screen] as const,
  )
  return (path) => {
    for (const [pattern, screen] of patterns) {
      const match = pattern.exec(path)
      if (!match) continue
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)])
      return { screen, params: Object.fromEntries(params) as Params }
    }
    return { screen: notFound, params: {} }
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (error instanceof URIError) return value
    throw error
  }
}
