// Words that users in our markets combine with a year or a number in passwords.
const WORDS = `
  africa algeria angola benin botswana burkinafaso burundi cameroon cameroun capeverde chad comoros congo cotedivoire
  djibouti egypt eritrea eswatini ethiopia gabon gambia ghana guinea ivorycoast kenya lesotho liberia libya madagascar
  malawi mali mauritania mauritius morocco maroc mozambique namibia niger nigeria naija rwanda senegal seychelles
  sierraleone somalia southafrica mzansi sudan tanzania togo tunisia tunisie uganda zambia zimbabwe
  abidjan abuja accra addisababa alexandria algiers antananarivo asmara bamako bangui banjul beira benincity bissau
  blantyre bloemfontein brazzaville bujumbura bulawayo cairo calabar capetown casablanca conakry cotonou dakar
  daressalaam djibouticity dodoma douala durban eldoret enugu fez freetown gaborone harare ibadan ikeja ilorin
  jinja johannesburg jos jozi juba kaduna kampala kano khartoum kigali kinshasa kisumu kumasi lagos libreville
  lilongwe lome luanda lubumbashi lusaka malabo maputo marrakech maseru mbabane mbarara mogadishu mombasa monrovia
  mwanza nairobi nakuru ndjamena ndola niamey nouakchott onitsha ouagadougou owerri portharcourt portlouis
  portonovo praia pretoria rabat soweto tamale thika tripoli tunis uyo victoriaisland warri windhoek yaounde zanzibar
  america brazil britain canada china dubai england europe france germany india italy japan london paris portugal
  russia spain unitedkingdom unitedstates newyork
  nigerian ghanaian kenyan ugandan tanzanian rwandan ethiopian egyptian zambian
  arsenal chelsea liverpool manchester barcelona realmadrid supereagles blackstars harambee bafana
  jesus jesuschrist godisgood godislove bismillah alhamdulillah inshallah mashallah blessing favour emmanuel
  paystack flutterwave mpesa naira cedi shilling password passcode secret welcome letmein changeme administrator
`

export const GUESSABLE_WORDS: readonly string[] = WORDS.split(/\s+/).filter(Boolean)

/** Sequences of neighbouring characters: alphabet, digits, and rows and columns of keyboards. */
const LINES = `
  abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop[] asdfghjkl;' zxcvbnm,./ azertyuiop qsdfghjklm wxcvbn
  qwertzuiop yxcvbnm 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 8ik, 9ol. !@#$%^&*()
`
  .split(/\s+/)
  .filter(Boolean)
const WALKS: readonly string[] = LINES.flatMap((line) => [line, [...line].toReversed().join('')])
const STEPS_MIN = 3

/** Whether a password consists only of such sequences, like `abcd1234` and `qwertasdfg`. */
export function isWalk(password: string): boolean {
  let at = 0
  while (at < password.length) {
    const steps = longestStep(password, at)
    if (steps < STEPS_MIN) return false
    at += steps
  }
  return at > 0
}

function longestStep(password: string, at: number): number {
  let longest = 0
  for (const line of WALKS) {
    const from = line.indexOf(password[at] ?? '')
    if (from < 0) continue
    let steps = 0
    while (at + steps < password.length && line[from + steps] === password[at + steps]) steps++
    longest = Math.max(longest, steps)
  }
  return longest
}
