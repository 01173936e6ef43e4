// Facts about a recipe on this page: whether its tool accepts the address, and the paths of its files.
import type { ClientFile, ClientRecipe } from '@cowrie/sdk/clients'

/** Whether the tool refuses the address of this page. */
export const needsHttpsHere = ({ needsHttps }: ClientRecipe): boolean =>
  needsHttps === true &&
  location.protocol !== 'https:' &&
  !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)

/** The path on each system, where it differs. */
export const pathsOf = ({
  path,
}: ClientFile): readonly (readonly [system: string | null, path: string])[] => {
  const { unix, mac, windows } = path
  if (mac === undefined && windows === undefined) return [[null, unix]]
  return [
    [mac === undefined ? 'Linux, macOS' : 'Linux', unix],
    ...(mac === undefined ? [] : [['macOS', mac] as const]),
    ...(windows === undefined ? [] : [['Windows', windows] as const]),
  ]
}
