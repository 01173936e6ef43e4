// Works out a sum that somebody asks for.
import { evaluate } from '../fix/expression.ts'

const ASKED =
  /(?:^|\b(?:what(?:'s| is)|calculate|compute|evaluate|how much is|work out|solve)\b)\s*:?\s*([-\d(][\d\s.,()+*/x×÷%^-]*[\d)])\s*(?:=\s*)?[?.!]*\s*$/i
const SHARE = /([\d.,]+)\s*(?:%|percent)\s+of\s+([\d.,]+)/i

export function workOut(asked: string): string | undefined {
  const text = asked.slice(0, 400)
  const [, percent, whole] = SHARE.exec(text) ?? []
  if (percent !== undefined && whole !== undefined) {
    const result = (plainNumber(percent) * plainNumber(whole)) / 100
    return Number.isFinite(result) ? `${percent}% of ${whole} is **${shown(result)}**.` : undefined
  }
  const sum = ASKED.exec(text)?.[1]?.trim()
  if (sum === undefined || !/\d\s*[-+*/x×÷%^]/.test(sum)) return undefined
  const written = sum
    .replaceAll(/(?<=\d),(?=\d{3})/g, '')
    .replaceAll(/[x×]/g, '*')
    .replaceAll('÷', '/')
    .replaceAll('^', '**')
  const result = evaluate(written, new Map(), false)?.value
  if (typeof result !== 'number') return undefined
  return Number.isFinite(result)
    ? `${sum} = **${shown(result)}**`
    : `${sum} has no result: it divides by zero.`
}

const plainNumber = (text: string): number => Number(text.replaceAll(',', '').replace(/\.$/, ''))

const shown = (value: number): string => String(Number(value.toFixed(10)))
