// The parts of the status that are known without the service: `↑ 3.1 kB ↓ 18 kB · open · ask · /help`.
import type { ApproveMode } from './approve-mode.ts'
import { sizeText } from './units.ts'

export const statusParts = ({
  bytes,
  model,
  isPlanning,
  mode,
}: {
  bytes: { readonly up: number; readonly down: number }
  model: string | null
  isPlanning: boolean
  mode: ApproveMode
}): string[] => [
  `↑ ${sizeText(bytes.up)} ↓ ${sizeText(bytes.down)}`,
  model ?? 'auto',
  isPlanning ? 'plan' : mode,
  '/help',
]
