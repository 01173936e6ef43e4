// What Cowrie is and how it charges, in a few sentences each. No prices are named: they are settings, and a model that
// repeats them from memory would be wrong one day.

const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(mock|stand-?in|fake) (lane|model)\b|\bare you (a )?(real|mock|gpt|claude|ai)\b|\b(who|what) are you\b|\bwhich model\b/i,
    'I am the stand-in model of the **mock lane**. It serves development, so that everything can be tried without a key; production refuses it. To talk to a real model, set the upstream address, its key and the model of each lane in the settings.',
  ],
  [
    /\b(top[- ]?up|add (money|funds|credit)|fund (my|the) wallet|deposit|pay in|recharge)\b/i,
    'You top up your **wallet** before you spend: choose an amount and a way to pay, such as card, bank transfer, USSD or mobile money, and approve it. The money is in your wallet once the provider has confirmed it, and a payment that is reported twice is credited once.',
  ],
  [
    /\brefund/i,
    'Work that fails through our fault or the provider’s is not charged: what was held for it goes back to your balance by itself. For money that you paid in, ask support.',
  ],
  [
    /\b(lanes?|frontier|open lane)\b/i,
    'There are two **lanes**. `open` is the default and the cheaper one. `frontier` is for hard tasks; it is used only when you ask for it (`"frontier": true`) and the policy of your organisation allows it. Every answer says which lane it took.',
  ],
  [
    /\b(how much|prices?|pricing|costs?|charged?|billing|rates?|expensive|cheap|tokens?)\b/i,
    'You pay per token, by the price of the lane, in your own currency. Before any work the most that it can cost is held; afterwards you are charged what was really used and the rest is released at once. You are never charged more than you were told, and a quote tells you the most before you start. The current prices are on the pricing page.',
  ],
  [
    /\b(wallet|balance|hold|held|credit)\b/i,
    'Your **wallet** has an available balance and, while work is running, money that is held for it. It never goes below zero, and every movement is listed with its reason, to the last kobo.',
  ],
  [
    /\b(api key|keys?|authenticat|scope)\b.*\b(cowrie|create|use|api)\b|\bopenai[- ]compatible\b/i,
    'Create an API key in the settings of your account and give it only the scopes it needs; `agent:run` is the one for coding runs and chat. It is shown once. Programs that speak the OpenAI dialect can use it at `/v1`.',
  ],
  [
    /\bcowrie\b/i,
    'Cowrie is a prepaid AI coding service for African developers: coding runs that return checked edits, a loop that runs your tests, chat, and an API, paid from a wallet in your own currency. You never pay twice, nor for our failures.',
  ],
]

export const aboutCowrie = (asked: string): string | undefined =>
  ANSWERS.find(([pattern]) => pattern.test(asked.slice(0, 2_000)))?.[1]
