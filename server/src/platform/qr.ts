// QR codes.
import { encode } from 'uqr'

// QR readers need this much white border.
const QUIET_MODULES = 4

/** The dark modules as an SVG path, in a square of `size` modules with its white border. */
export function qrPath(text: string): { readonly size: number; readonly path: string } {
  // The lowest error correction, raised where there is room, so that the longest URL fits.
  const { data, size } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET_MODULES })
  const dark = data.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
  return { size, path: dark.join('') }
}

/** A QR code as SVG, with a white background for dark pages. */
export function qrSvg(text: string): string {
  const { size, path } = qrPath(text)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${path}"/></svg>`
}

/** Dark runs of a row. Drawing runs instead of modules makes the SVG a third of the size. */
function runsOf(row: readonly boolean[]): [start: number, width: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}
