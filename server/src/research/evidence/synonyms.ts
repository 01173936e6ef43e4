// Synonyms in reports, so that a paraphrase does not count as added information.
import { stemOf } from './word-lists.ts'

const SYNONYM_GROUPS = `
launch launched introduce introduced start started begin began open opened establish established found founded create created
reduce reduced lower lowered decrease decreased cut diminish limit limited
increase increased raise raised rise rose grow grew expand expanded higher
cost costs fee fees charge charges price prices tariff tariffs rate rates pay paid
ship ships vessel vessels boat boats
handle handled process processed receive received serve served call called calls traffic
worker workers employee employees staff workforce employ employed people personnel
global globally world worldwide international
need needs needed require required necessary
send sent transfer transferred
produce produced generate generated supply supplied make made output
average mean typically usually
wait waits waiting delay delays delayed queue queues
shortage lack few scarce insufficient
day days daily
month months monthly
year years annual annually yearly
percent percentage share proportion
company firm business operator enterprise
government state authority authorities official officials
car cars vehicle vehicles truck trucks lorry lorries
buy bought purchase purchased acquire acquired
sell sold sale sales
law act regulation rule rules legislation statute
adopt adopted pass passed approve approved enact enacted
effect force valid applicable apply applies
improve improved improves better enhance enhanced
allow allows let lets enable enables permit permits
show shows demonstrate demonstrates suggest suggests find finds
big large major
small little minor
quick fast rapid rapidly
show display present
city town
child children
disease illness condition
doctor physician
drug medicine medication
study research trial survey
money funds cash
build built construct constructed
damage harm
end ended finish finished close closed
house home homes housing
method approach technique way
use uses used employ apply rely relies
power energy electricity
`

const groupsByStem: ReadonlyMap<string, readonly string[]> = groupByStem()

function groupByStem(): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const line of SYNONYM_GROUPS.trim().split('\n')) {
    const stems = line.split(' ').map(stemOf)
    for (const stem of stems) groups.set(stem, [...(groups.get(stem) ?? []), ...stems])
  }
  return groups
}

/** Stems with the same meaning. */
export const synonymsOf = (stem: string): readonly string[] => groupsByStem.get(stem) ?? []
