// A text of the service with code in backticks.

export const TextWithBackticks = ({ text }: { text: string }) => (
  <>
    {text.split(/`([^`]+)`/).map((piece, at) =>
      at % 2 === 1 ? (
        <code key={at} dir="ltr">
          {piece}
        </code>
      ) : (
        piece
      ),
    )}
  </>
)
