// A text of others with the code in it set as code. It is text and nothing else.
import { piecesOf } from './code-words.ts'

export const Coded = ({ text }: { text: string }) => (
  <>
    {piecesOf(text).map((piece, at) =>
      piece.isCode ? (
        <code key={at} class="coded" dir="ltr">
          {piece.text}
        </code>
      ) : (
        piece.text
      ),
    )}
  </>
)
