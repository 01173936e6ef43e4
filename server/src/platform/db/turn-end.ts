// Work at the end of a turn of the event loop, after all requests and answers that arrived in it.

type Work = () => void

let gathering: Work[] = []
let sending: Work[] = []
let isScheduled = false

/** Turns what was gathered in this turn into statements. */
export function gatherAtTurnEnd(work: Work): void {
  gathering.push(work)
  schedule()
}

/** Sends the statements of this turn, also those that were gathered. */
export function sendAtTurnEnd(work: Work): void {
  sending.push(work)
  schedule()
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(endTurn)
}

function endTurn(): void {
  const gathered = gathering
  gathering = []
  runAll(gathered)
  // Statements that are added after this line leave in the next turn.
  const sent = sending
  sending = []
  isScheduled = false
  if (gathering.length > 0) schedule()
  runAll(sent)
}

/** One that fails ends the process like any other fault, but does not keep the others from their statements. */
function runAll(works: readonly Work[]): void {
  for (const work of works)
    try {
      work()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
}
