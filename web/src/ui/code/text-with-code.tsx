// A text of others with the code in it set as code, and in the words of a model what it wants to stand out. It is text and nothing else.
import { piecesOf, strongIn } from './code-spans.ts'

export const Coded = ({ text, isModel = false }: { text: string; isModel?: boolean }) => (
  <>
    {piecesOf(text).map((piece, at) =>
      piece.isCode ? (
        <code key={at} class="coded" dir="ltr">
          {piece.text}
        </code>
      ) : isModel ? (
        strongIn(piece.text).map((part) => (part.isStrong ? <strong>{part.text}</strong> : part.text))
      ) : (
        piece.text
      ),
    )}
  </>
)
