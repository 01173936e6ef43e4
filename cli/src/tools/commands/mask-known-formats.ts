// Hides secrets that their format gives away. The toolbox also hides those that files of the repository contain.
import { secretSpans } from '@cowrie/sdk/secrets'

export const maskKnownFormats = (text: string): string => {
  let masked = ''
  let at = 0
  for (const { start, end, reason } of secretSpans(text)) {
    masked += `${text.slice(at, start)}[withheld: ${reason}]`
    at = end
  }
  return masked + text.slice(at)
}
